package prolong

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const javaLocks = `
import java.util.concurrent.locks.*;

public final class Locks {
  static final ReentrantLock vat = new ReentrantLock();
  static final Object token = new Object();

  static void rest() throws InterruptedException { Thread.sleep(2); }

  static synchronized void ring() throws InterruptedException { rest(); }

  static void brew() throws InterruptedException {
    vat.lock();
    try { rest(); } finally { vat.unlock(); }
  }

  static void bake() throws InterruptedException {
    vat.lock();
    try { rest(); } finally { vat.unlock(); }
  }

  /** Every execution ends with an exception: its time counts all the same. */
  static void fail() throws InterruptedException {
    synchronized (token) { rest(); }
    throw new IllegalStateException();
  }

  public static void main(String[] args) throws InterruptedException {
    Thread t = new Thread(() -> {
      try {
        for (int i = 0; i < 12; i++) { brew(); ring(); }
      } catch (InterruptedException e) { }
    });
    t.start();
    for (int i = 0; i < 12; i++) {
      bake();
      try { fail(); } catch (IllegalStateException e) { }
    }
    t.join();
  }
}
`

// A lock of java.util.concurrent, the monitor of a block and that of a class are locks; a method whose
// executions end with exceptions is measured; a routine of four modules is part of them; what is not a module has
// no probe. Each delay of a level of 1 takes about what the method itself takes.
func TestMethodsOfAJavaProgramAreDelayedBehindTheirLocks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("no JDK")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "Locks.java")
	if err := os.WriteFile(source, []byte(javaLocks), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", "-d", dir, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := Measure(context.Background(), Plan{Program: "java", Args: []string{"-cp", dir, "Locks"}, Levels: []float64{1}, Repeats: 1, Baselines: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Experiment
	for name, want := range map[string][]string{"Locks.brew": {"lock Locks.vat"}, "Locks.bake": {"lock Locks.vat"},
		"Locks.ring": {"lock Locks (synchronized)"}, "Locks.fail": {"lock Locks.token"}} {
		i := slices.Index(e.Modules, name)
		if i < 0 {
			t.Fatalf("modules %v, want %s among them; left out: %v", e.Modules, name, r.Skipped)
		}
		if !slices.Equal(e.Carriers[i], want) {
			t.Errorf("%s acquires %v, want %v", name, e.Carriers[i], want)
		}
	}
	if len(e.Modules) != 4 || !strings.Contains(strings.Join(r.Skipped, "\n"), "Locks.rest: a routine that 4 modules call") {
		t.Errorf("modules %v, left out %v; want rest as a part of the four that call it", e.Modules, r.Skipped)
	}
	for _, run := range e.Runs {
		for i, took := range run.Times {
			if took < 2e-3 {
				t.Errorf("%s takes %g s, want at least the 2 ms that it sleeps", e.Modules[i], took)
			}
		}
		if run.Module >= 0 && run.Delay < 1.8e-3 {
			t.Errorf("%s was delayed by %g s, want about its own 2 ms or more", e.Modules[run.Module], run.Delay)
		}
	}
}
