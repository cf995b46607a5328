package analysis

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// A program under test is written as a script of what its threads do; the
// script is the trace that probes would have left.
type script struct {
	trace *trace.Trace
	sites map[string]int32
}

func newScript() *script {
	return &script{trace: &trace.Trace{Program: "script", Cores: 2}, sites: map[string]int32{}}
}

// actor is one thread of a script.
type actor struct {
	s        *script
	id       int
	now, cpu int64
}

// site returns a place in a function: the line is the order of first use.
func (s *script) site(function, name string) int32 {
	key := function + " " + name
	if i, ok := s.sites[key]; ok {
		return i
	}
	i := int32(len(s.trace.Sites))
	s.sites[key] = i
	s.trace.Sites = append(s.trace.Sites, trace.Site{Frames: []trace.Frame{{Function: function, File: "main.go", Line: int(i) + 1}}})
	return i
}

// thread starts a thread at time born; parent is nil for the first.
func (s *script) thread(start string, parent *actor, born int64) *actor {
	th := trace.Thread{ID: int64(len(s.trace.Threads) + 1), Start: "main." + start, Creator: -1, Born: born}
	if parent != nil {
		th.Creator = s.site(s.trace.Threads[parent.id].Start, "go "+start)
		th.Parent = s.trace.Threads[parent.id].ID
		parent.now = max(parent.now, born)
		parent.hit(trace.OpSpawn, "go "+start, false, 0, 0, uint64(th.ID))
	}
	s.trace.Threads = append(s.trace.Threads, th)
	return &actor{s: s, id: len(s.trace.Threads) - 1, now: born}
}

func (a *actor) hit(op trace.Op, site string, end bool, object uint64, arg int64, value uint64) {
	th := &a.s.trace.Threads[a.id]
	th.Records = append(th.Records, trace.Record{Time: a.now, CPU: a.cpu, Site: a.s.site(th.Start, site), Op: op, End: end, Object: object, Arg: arg, Value: value})
}

// compute uses ns of CPU.
func (a *actor) compute(ns int64) *actor {
	a.now += ns
	a.cpu += ns
	return a
}

// does executes an operation that takes wall ns and no CPU.
func (a *actor) does(op trace.Op, site string, object uint64, result, wall int64) *actor {
	a.hit(op, site, false, object, 0, 0)
	a.now += wall
	a.hit(op, site, true, object, result, 0)
	return a
}

// ends ends the thread.
func (a *actor) ends() {
	a.s.trace.Threads[a.id].Ended = a.now + 1
	a.s.trace.End = max(a.s.trace.End, a.now+1)
}

// channel declares a channel that carries data.
func (s *script) channel(id uint64, capacity int64) {
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "chan", Capacity: capacity, Elem: 8, Site: -1})
}

// build builds the model of a script that must be sound.
func (s *script) build(t *testing.T, opt trail.Options) (*core.Model, *trust.Report) {
	t.Helper()
	m, r, err := Build(trail.Input{Trace: s.trace}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("the model of the script is not valid: %v", err)
	}
	return m, r
}
