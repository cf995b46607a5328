package main

import (
	"os"
	"path/filepath"
	"testing"
)

const root = "../.."

// The generated part of the page is what the table gives.
func TestThePageIsWhatTheTableGives(t *testing.T) {
	t.Parallel()
	known, err := ReadTable(root)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, pagePlace))
	if err != nil {
		t.Fatal(err)
	}
	want, err := known.Fill(string(page))
	if err != nil {
		t.Fatal(err)
	}
	if want != string(page) {
		t.Errorf("%s is not what %s gives: go run ./cmd/sensitivity page", pagePlace, tablePlace)
	}
}
