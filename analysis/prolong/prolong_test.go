package prolong

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/golang/instrument"
)

// program writes a module with one main package and returns its folder.
func program(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/subject\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const twoThreads = `package main

import (
	"os"
	"sync"
	"time"
)

type registry struct {
	sync.Mutex
	entries int
}

var shared registry

func read(r *registry) {
	r.Lock()
	defer r.Unlock()
	pause(1)
}

func write() { shared.Lock(); pause(2); shared.Unlock() }

func think() { pause(1) }

func pause(units int) { time.Sleep(time.Duration(units) * time.Millisecond) }

func once() {}

func main() {
	once()
	var g sync.WaitGroup
	g.Go(func() {
		for range 20 {
			read(&shared)
			think()
		}
	})
	g.Go(func() {
		for range 20 {
			write()
		}
	})
	g.Wait()
	if len(os.Args) > 1 {
		os.Exit(3)
	}
}
`

// Ten lines of source become the modules and locks that they are: one mutex,
// embedded and known under two names; a routine that three modules call is part
// of them; what runs once is left out.
func TestModulesAndTheLockThatTheyShareAreMeasured(t *testing.T) {
	t.Parallel()
	r, err := Measure(context.Background(), Plan{Program: program(t, twoThreads), Levels: []float64{1}, Repeats: 1, Baselines: 2})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Experiment
	if !slices.Equal(e.Modules, []string{"main.read", "main.write", "main.think"}) {
		t.Fatalf("modules %v; left out: %v", e.Modules, r.Skipped)
	}
	if len(e.Runs) != 5 {
		t.Errorf("%d runs, want 2 without delay and one for each of 3 modules: %v", len(e.Runs), r.Failed)
	}
	if want := []string{"lock main.read.r = main.shared"}; !slices.Equal(e.Carriers[0], want) || !slices.Equal(e.Carriers[1], want) || len(e.Carriers[2]) > 0 {
		t.Errorf("locks of the modules are %v, want %v for the first two", e.Carriers, want)
	}
	for _, run := range e.Runs {
		if run.Module >= 0 && run.Delay < 0.9e-3 {
			t.Errorf("%s was delayed by %g s, want at least its own time of a millisecond or more", e.Modules[run.Module], run.Delay)
		}
		// pause() sleeps at least what it is asked to.
		if run.Times[0] < 1e-3 || run.Times[1] < 2e-3 {
			t.Errorf("read and write take %g and %g s, want at least 1 and 2 ms", run.Times[0], run.Times[1])
		}
	}
	skipped := strings.Join(r.Skipped, "\n")
	for _, want := range []string{"main.once: executed 1 times", "main.pause: a routine that 3 modules call"} {
		if !strings.Contains(skipped, want) {
			t.Errorf("left out: %s; want %q", skipped, want)
		}
	}
}

const indirectLocks = `package main

import (
	"context"
	"sync"
	"time"
)

var (
	shelf   sync.RWMutex
	permit  = make(chan struct{}, 1)
	tools   = make(chan int, 1)
	results = make(chan int, 100)
	journal sync.Mutex
	counter sync.Mutex
)

func pause() { time.Sleep(time.Millisecond) }

func take(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	pause()
}

func note() { journal.Lock(); journal.Unlock() }

func count() { counter.Lock(); defer counter.Unlock() }

func audit() { count(); journal.Lock(); pause(); journal.Unlock() }

func read()  { note(); take(shelf.RLocker()) }
func write() { count(); take(&shelf) }

func acquire(ctx context.Context) {
	select {
	case permit <- struct{}{}:
	case <-ctx.Done():
	}
}

func release() { <-permit }

func guarded() { acquire(context.Background()); defer release(); pause() }

func plain() { permit <- struct{}{}; pause(); <-permit }

func borrow() {
	tool := <-tools
	defer func() { tools <- tool }()
	pause()
	results <- tool
}

func main() {
	tools <- 1
	var all sync.WaitGroup
	for _, task := range []func(){audit, read, write, guarded, plain, borrow} {
		all.Go(func() {
			for range 12 {
				task()
			}
		})
	}
	all.Wait()
}
`

// A lock taken in a routine that is handed it is the caller's, whatever the
// routine calls it; of several locks each has its turn, but for those that
// nobody holds for a time worth speaking of. A channel that a module
// both sends to and receives from is a lock, one that it only sends to is not.
func TestLocksOfCalleesAndChannelsThatAreLocksAreFound(t *testing.T) {
	t.Parallel()
	only := []string{"main.audit", "main.read", "main.write", "main.guarded", "main.plain", "main.borrow"}
	r, err := Measure(context.Background(), Plan{Program: program(t, indirectLocks), Only: only, Levels: []float64{1}, Repeats: 1, Baselines: 2})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Experiment
	want := map[string][]string{
		"main.write":   {"lock main.take.l"},
		"main.guarded": {"lock main.permit"},
		"main.plain":   {"lock main.permit"},
		"main.borrow":  {"lock main.tools"},
		"main.audit":   {"lock main.journal"},
	}
	for i, m := range e.Modules {
		if w, ok := want[m]; ok && !slices.Equal(e.Carriers[i], w) {
			t.Errorf("%s acquires %v, want %v", m, e.Carriers[i], w)
		}
		if m == "main.read" && !slices.Contains(e.Carriers[i], "lock main.journal") {
			t.Errorf("%s acquires %v, want main.journal among them: main.audit holds it long", m, e.Carriers[i])
		}
	}
	for _, run := range r.Experiment.Runs {
		if run.Module >= 0 && run.Delay < 0.9e-3 {
			t.Errorf("%s was delayed by %g s per execution, want about its own time of a millisecond: each execution comes to one of its locks", e.Modules[run.Module], run.Delay)
		}
	}
}

func TestWhatCannotBeProlongedIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Plan{
		"exit status 3":          {Program: program(t, twoThreads), Args: []string{"fail"}},
		`has no module "main.x"`: {Program: program(t, twoThreads), Only: []string{"main.x"}},
		"not one main package":   {Program: program(t, "package other\n")},
		"expected":               {Program: program(t, "package main\n\nfunc main( {}\n")},
		"0 modules":              {Program: program(t, "package main\n\nfunc main() {}\n")},
	} {
		if _, err := Measure(context.Background(), p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

// Probes go directly behind the operations on locks, and statements into lines,
// so that positions stay as they were.
func TestInsertedStatementsKeepTheLines(t *testing.T) {
	t.Parallel()
	p, err := instrument.Load(context.Background(), program(t, twoThreads), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := study(p, Function, func(name string) bool { return name == "main.write" })
	s.instrument(p)
	dir := t.TempDir()
	if _, err := p.Build(context.Background(), dir, probe, instrument.Goroutine()...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "0_main.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := "func write() { defer zzTierscope.Exit(0, zzTierscope.Enter(0)); shared.Lock();zzTierscope.Done(2, 0, &shared.Mutex);; pause(2); shared.Unlock();zzTierscope.Done(3, 3, &shared.Mutex); }"
	lines, original := strings.Split(string(text), "\n"), strings.Split(twoThreads, "\n")
	if len(lines) != len(original) {
		t.Fatalf("%d lines became %d", len(original), len(lines))
	}
	at := slices.IndexFunc(original, func(l string) bool { return strings.HasPrefix(l, "func write()") })
	if lines[at] != want {
		t.Errorf("line %d is\n%s\nwant\n%s", at+1, lines[at], want)
	}
}
