package scan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/golang/scan"
	"tierscope/analysis/trace"
)

// factsOf scans a program of the given files, a module of its own.
func factsOf(t *testing.T, files map[string]string, s *trace.Samples) *trace.Facts {
	t.Helper()
	if testing.Short() {
		t.Skip("it scans another program")
	}
	dir := t.TempDir()
	files["go.mod"] = "module shop\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := scan.Program(t.Context(), trace.Workload{Program: dir}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sitesOf are the operations by function: "store.Save: sync lock mutex".
func sitesOf(f *trace.Facts) map[string]int {
	got := map[string]int{}
	for _, s := range f.Sites {
		name := s.Frame.Function[strings.LastIndex(s.Frame.Function, "/")+1:]
		got[strings.TrimSpace(name+": "+s.Class+" "+s.Op+" "+s.Kind)]++
	}
	return got
}

// "The transitive closure of all the vertices in the dependency graph represents all
// the code that may be executed by the program. The static analyzer traverses the
// dependency graph … In the process the analyzer searches for references to other
// functions and methods, that are subsequently loaded and analyzed" (Tarvo & Reiss
// 2014, §4.2): main calls a method through an interface, which calls a function of
// another package by a value, which takes a lock. Nobody calls Unused.
func TestTheScanReachesWhatTheProgramMayExecute(t *testing.T) {
	t.Parallel()
	got := sitesOf(factsOf(t, map[string]string{
		"main.go": `package main

import "shop/store"

type saver interface{ Save() }

func main() { var s saver = store.Disk{Then: store.Locked}; s.Save() }
`,
		"store/store.go": `package store

import "sync"

var mu, other sync.Mutex

type Disk struct{ Then func() }

func (d Disk) Save() { d.Then() }

func Locked() { mu.Lock(); mu.Unlock() }

func Unused() { other.Lock(); other.Unlock() }
`}, nil))
	for op, want := range map[string]int{"store.Locked: sync lock mutex": 1, "store.Locked: sync unlock mutex": 1, "store.Unused: sync lock mutex": 0} {
		if got[op] != want {
			t.Errorf("%q is found %d times, want %d; all: %v", op, got[op], want, got)
		}
	}
}

// "The class of the CF and the type of synchronization operation optype are inferred
// from the name and the signature of the called function" (§4.2): Lock of a Mutex, of an
// RWMutex and of a type of the program's own are three things, and the last is none.
// "The analyzer also tracks calls to the constructors and initializers of locks and
// queues", and "calls to the functions that may access the file system metadata are
// considered as I/O CFs".
func TestTheClassOfAnOperationFollowsTheSignature(t *testing.T) {
	t.Parallel()
	got := sitesOf(factsOf(t, map[string]string{"main.go": `package main

import (
	"os"
	"sync"
)

type own struct{ n int }

func (o *own) Lock() { o.n++ }

func mutex()   { var m sync.Mutex; m.Lock() }
func rwmutex() { var m sync.RWMutex; m.Lock(); m.RLock() }
func ours()    { var m own; m.Lock() }
func queue()   { q := make(chan int, 7); q <- 1; <-q }
func meta()    { os.Stat("file") }

func main() { mutex(); rwmutex(); ours(); queue(); meta() }
`}, nil))
	for _, want := range []string{"main.mutex: sync lock mutex", "main.rwmutex: sync lock rwlock", "main.rwmutex: sync rlock rwlock", "main.queue: sync send channel", "main.queue: sync receive channel",
		"main.queue: dispatch make channel", "main.mutex: dispatch make mutex", "main.meta: io stat file"} {
		if got[want] != 1 {
			t.Errorf("%q is found %d times, want once; all: %v", want, got[want], got)
		}
	}
	for op := range got {
		if strings.HasPrefix(op, "main.ours:") {
			t.Errorf("a method of the program's own is taken for an operation: %q", op)
		}
	}
}
