package main

import (
	"fmt"
	"os"
	"testing"

	"tierscope/gui/graphlayout/layouttest"
)

// Tests draw graphs as tierctl does, with the tierlayout that it finds.
func TestMain(m *testing.M) {
	if err := layouttest.OnPath(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
