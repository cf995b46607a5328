package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// constants are those of the rooms, found once.
var constants = sync.OnceValues(func() ([]Constant, error) {
	dir, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	return Find(dir, os.Environ(), rooms)
})

func thresholds(t *testing.T) []Constant {
	t.Helper()
	all, err := constants()
	if err != nil {
		t.Fatal(err)
	}
	decide := slices.DeleteFunc(slices.Clone(all), func(c Constant) bool { return !c.Decides() })
	if len(decide) < 20 {
		t.Fatalf("%d thresholds were found; the rooms have more", len(decide))
	}
	return decide
}

func table(t *testing.T) Table {
	t.Helper()
	is, err := ReadTable(root)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// What decides about models has a source: a paper, a law, a measurement, or a convention of
// which it is known what it decides.
func TestEveryThresholdHasASource(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "references.md"))
	if err != nil {
		t.Fatal(err)
	}
	references, known := References(string(page)), table(t)
	if len(references) < 20 {
		t.Fatalf("%d references were found; docs/references.md has more", len(references))
	}
	for _, c := range thresholds(t) {
		entry, _ := known.Find(c.ID)
		if err := c.Source(references, entry); err != nil {
			t.Errorf("%s = %s: %v", c.ID, c.Value, err)
		}
	}
}

// The table has every threshold with the value of the source, and nothing else.
func TestTheTableIsOfTheThresholdsThatThereAre(t *testing.T) {
	t.Parallel()
	known, there := table(t), map[string]bool{}
	for _, c := range thresholds(t) {
		there[c.ID] = true
		switch e, ok := known.Find(c.ID); {
		case !ok:
			t.Errorf("%s lacks %s: go run ./cmd/sensitivity measure '%s'", tablePlace, c.ID, c.ID)
		case e.Value != c.Value:
			t.Errorf("%s has %s = %s; the source has %s: go run ./cmd/sensitivity measure '%s'", tablePlace, c.ID, e.Value, c.Value, c.ID)
		}
	}
	for _, e := range known.Entries {
		if !there[e.ID] {
			t.Errorf("%s has %s, which the source has not any more: go run ./cmd/sensitivity measure '%s'", tablePlace, e.ID, e.ID)
		}
	}
}
