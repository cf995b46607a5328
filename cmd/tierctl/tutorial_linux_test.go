package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// figure is a number with its unit, as tables print it: it differs from run to run.
var figure = regexp.MustCompile(`[−+-]?\d[\d .,]*(e[+-]?\d+)?( ?(%|/?(n|µ|m)?s\b))?`)

// plain is a line without figures and without the width of its columns.
func plain(line string) string {
	return strings.Join(strings.Fields(figure.ReplaceAllString(line, " # ")), " ")
}

// The tutorial, word for word: each command of its console blocks ends well, one after the other in one
// shell's folder, and prints the lines that are shown, in their order, among others, whatever their figures are.
func TestTheTutorialDoesWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it analyses and measures a program")
	}
	text, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	clean := func() { // in a process of its own, so that the test's result does not depend on what is there
		if err := exec.Command("rm", "-rf", filepath.Join(root, ".cache", "tiles.tier"), filepath.Join(root, ".cache", "tiles.tierz")).Run(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(clean)
	clean()                            // of a test that was killed
	config, commands := t.TempDir(), 0 // settings of nobody
	for i, block := range strings.Split(string(text), "```console\n")[1:] {
		block, _, ended := strings.Cut(block, "```")
		if !ended {
			t.Fatalf("console block %d has no end", i+1)
		}
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, shown, _ := strings.Cut(step, "\n")
			commands++
			follow(t, root, config, command, strings.Split(shown, "\n"))
		}
	}
	if commands < 8 {
		t.Errorf("the tutorial has %d commands, want 8 at least", commands)
	}
}

// follow runs a command and looks for the lines that are shown. An answer that is undecided, as on a machine
// with other work, is one.
func follow(t *testing.T, root, config, command string, shown []string) {
	t.Helper()
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+config)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || ended.ExitCode() != exitUndecided) {
		t.Fatalf("%s: %v\n%s%s", command, err, out.String(), errs.String())
	}
	printed := strings.Split(out.String(), "\n")
	at := 0
	for _, line := range shown {
		want := plain(line)
		if want == "" || want == "..." {
			continue
		}
		found := false
		for ; at < len(printed) && !found; at++ {
			found = plain(printed[at]) == want
		}
		if !found {
			t.Errorf("%s: the tutorial shows %q, and after the lines before it was printed\n%s", command, line, out.String())
			return
		}
	}
}
