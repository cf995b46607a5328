package main

import (
	"fmt"
	"os"
	"testing"

	"tierscope/gui/graphlayout/layouttest"
	"tierscope/project/scratch"
)

// built is where tests keep programs that they build.
var built string

// Tests draw graphs as tierctl does, with the tierlayout that it finds.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	err := layouttest.OnPath()
	if err == nil {
		built, err = os.MkdirTemp("", scratch.Name("", "tierscope-tests-"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(built)
	return m.Run()
}
