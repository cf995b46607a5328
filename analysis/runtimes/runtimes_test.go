package runtimes_test

import (
	"os"
	"reflect"
	"testing"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

// The go command writes into every executable how it was built (debug/buildinfo); a JVM
// is started by its command, and what it runs may be an archive.
func TestProgramsShowTheirRuntime(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := t.TempDir() + "/script"
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]trace.Runtime{
		self: runtimes.Go(), "java": runtimes.Java(), "/usr/bin/java": runtimes.Java(), "app.jar": runtimes.Java(),
		script: {}, "no such file": {},
	} {
		if got := runtimes.OfProgram(program); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", program, got, want)
		}
	}
}

// "GOGC=off disables the garbage collector entirely"; the default is 100 (package runtime).
func TestTheCollectorIsToldByTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		want float64 // 0: off
	}{{nil, 100}, {map[string]string{"GOGC": "50"}, 50}, {map[string]string{"GOGC": "off"}, 0}, {map[string]string{"GOGC": "-1"}, 0}} {
		got, on := runtimes.Go().Collector.Percent.In(c.env)
		if on != (c.want > 0) || on && got != c.want {
			t.Errorf("%v: %g, %t, want %g", c.env, got, on, c.want)
		}
	}
	if _, on := runtimes.Java().Collector.Percent.In(map[string]string{"": "5"}); on {
		t.Error("a run-time system without the variable is told by it")
	}
}

func TestProcessorsAreKnownByTheirVariable(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"GOMAXPROCS": true, "gomaxprocs": true, "cores": false, "": false} {
		if got := runtimes.IsProcessors(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
