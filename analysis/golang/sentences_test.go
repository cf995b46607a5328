package golang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/golang"
	"tierscope/analysis/trace"
)

// The line of the loop is 13, that of the call of burn 18.
const burning = `package main

import (
	"math"
	"sync"
)

var sink [2]float64

//go:noinline
func burn(i int) (x float64) {
	for k := range 120_000_000 {
		x = math.Sqrt(x*x+float64(k%7)) * 0.999
	}
	return x
}

func worker(i int) { sink[i] = burn(i) }

func main() {
	var done sync.WaitGroup
	for i := range 2 {
		done.Add(1)
		go func() { defer done.Done(); worker(i) }()
	}
	done.Wait()
}
`

// "In a call trie each leaf node contains the code location being executed, which
// includes the name of a function or a method being executed, and a line number. The
// non-leaf nodes provide a call stack for that code location. For each leaf the
// framework maintains the list of pairs ⟨t₁, c₁⟩ … where cᵢ is the number of executions
// of that code location by the thread tᵢ" (Tarvo & Reiss 2014, §4.1).
func TestTheCallTrieHasLinesCallersAndThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module burning\n\ngo 1.26\n", "main.go": burning} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := golang.Target{Timeout: time.Minute}.Sample(t.Context(), trace.Workload{Program: dir}, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	threads := map[int64]int64{} // samples in the loop of burn
	for _, n := range s.Trie {
		if n.Frame.Function != "main.burn" || len(n.Counts) == 0 {
			continue
		}
		if n.Frame.Line < 11 || n.Frame.Line > 16 {
			t.Errorf("burn was seen at line %d; it has lines 11 to 16, the loop 12 and 13", n.Frame.Line)
		}
		if caller := s.Trie[n.Parent].Frame; caller.Function != "main.worker" || caller.Line != 18 {
			t.Errorf("burn was called by %s:%d, want main.worker:18", caller.Function, caller.Line)
		}
		for thread, count := range n.Counts {
			threads[thread] += count
		}
	}
	workers := 0
	for _, th := range s.Threads {
		if strings.HasPrefix(th.Start, "main.main.func") && threads[th.ID] > 0 {
			workers++
		}
	}
	if len(threads) != 2 || workers != 2 {
		t.Errorf("samples in burn by thread: %v, of which %d started by main; want two, both of them", threads, workers)
	}
}
