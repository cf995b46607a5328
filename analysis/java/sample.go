package java

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// readSamples makes a call trie of what the agent's sampler wrote. It looks at
// all threads, whatever they do, so waits are in it as they are.
func readSamples(name string) (*trace.Samples, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("samples: %w", err)
	}
	defer f.Close()
	samples := new(trace.Samples)
	s := &sampler{samples: samples, calls: trace.NewCallTrie(samples),
		leaves: map[string]int32{}, threads: map[int64]int{}, names: map[int64]string{}}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		s.line(strings.Split(in.Text(), "\t"))
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("samples: %w", err)
	}
	s.finish()
	return s.samples, nil
}

type sampler struct {
	samples *trace.Samples
	calls   *trace.CallTrie
	leaves  map[string]int32 // stack number → leaf
	threads map[int64]int    // index in samples.Threads
	names   map[int64]string
	main    int64 // id of the main thread
}

func (s *sampler) line(w []string) {
	switch {
	case w[0] == "main" && len(w) == 2:
		s.main, _ = strconv.ParseInt(w[1], 10, 64) // a line that we wrote
	case w[0] == "thread" && len(w) == 4:
		id, err1 := strconv.ParseInt(w[1], 10, 64)
		born, err2 := strconv.ParseInt(w[3], 10, 64)
		if err1 == nil && err2 == nil {
			s.threads[id] = len(s.samples.Threads)
			s.names[id] = w[2]
			s.samples.Threads = append(s.samples.Threads, trace.SampleThread{ID: id, Born: born})
		}
	case w[0] == "stack" && len(w) == 3:
		s.leaves[w[1]] = s.calls.Leaf(parseStack(w[2]))
	case w[0] == "look":
		for _, pair := range w[1:] {
			t, stack, ok := strings.Cut(pair, "=")
			id, err := strconv.ParseInt(t, 10, 64)
			leaf, known := s.leaves[stack]
			i, seen := s.threads[id]
			if !ok || err != nil || !known || !seen {
				continue // the line was cut off when the program was killed
			}
			s.calls.Count(leaf, id, 1)
			if s.samples.Threads[i].Start == "" {
				s.samples.Threads[i].Start = s.outermost(leaf)
			}
		}
	}
}

// outermost is the first method of the program on the stack of a leaf, or the
// first of all.
func (s *sampler) outermost(leaf int32) string {
	first, user := "", ""
	for at := leaf; at > 0; at = s.samples.Trie[at].Parent {
		f := s.samples.Trie[at].Frame
		if first = f.Function; !f.Std {
			user = f.Function
		}
	}
	if user != "" {
		return user
	}
	return first
}

// kind is what the samples tell of the kind of a thread's group.
func (s *sampler) kind(t *trace.SampleThread) string {
	class, _, _ := strings.Cut(t.Start, ".")
	switch {
	case t.ID == s.main:
		return trail.PoolMain
	case isJDK(class) || strings.HasPrefix(class, "tierscope/"):
		return trail.PoolRuntime
	}
	return trail.PoolFixed
}

// finish finds thread groups by the rule of Tarvo & Reiss 2014, §4.1: threads
// that were seen in the same code belong together. Threads that begin with the
// same method are generations of one group.
func (s *sampler) finish() {
	s.samples.Library = pools.LibraryFunctions(s.samples)
	group := map[string]int{}
	for _, t := range s.samples.Threads {
		g, ok := group[t.Start]
		if !ok {
			g = len(s.samples.Groups)
			group[t.Start] = g
			s.samples.Groups = append(s.samples.Groups, trace.ThreadGroup{Name: t.Start, Kind: s.kind(&t), Start: t.Start})
		}
		s.samples.Groups[g].Threads = append(s.samples.Groups[g].Threads, t.ID)
	}
	together := pools.MergeTuples(pools.Tuples(s.samples))
	for i := range s.samples.Groups {
		g := &s.samples.Groups[i]
		for _, t := range together {
			n := 0
			for _, id := range g.Threads {
				if slices.Contains(t.Threads, id) {
					n++
				}
			}
			g.MaxAlive = max(g.MaxAlive, n)
		}
	}
}
