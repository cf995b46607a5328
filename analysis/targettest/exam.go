// Package targettest is the one exam that every front end passes: what a
// Target promises, tried on the same small program in its language, from the
// samples to the model. What is expected is known from the text of the program.
package targettest

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// What the program is told.
const (
	tasks    = 150
	workers  = 3
	capacity = 4 // of its queue, in its text
)

// Exam is a front end and the program in its language: the threads that take
// tasks from a queue of testdata/programs/go/exam.
type Exam struct {
	Target  analysis.Target
	Program func(args ...string) trace.Workload // with arguments: tasks and workers
	Ends    int                                 // messages for each worker that say that it shall end; 0: the queue is closed
	// Monitor says that the language has no queue: the program makes one of a lock, two conditions and a ring, under whose
	// lock it also says that no more comes. The trace shows these, and the model the queue.
	Monitor bool
}

// Run examines the front end.
func Run(t *testing.T, e Exam) {
	t.Helper()
	w := e.Program("150", "3")
	if e.Target.Name() == "" {
		t.Error("the front end has no name for --target")
	}
	if err := e.Target.Check(t.Context(), w); err != nil {
		t.Fatalf("the program is ready, but: %v", err)
	}
	e.refuses(t)
	dir := t.TempDir()
	s, err := e.Target.Sample(t.Context(), w, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	samples(t, s)
	f, err := e.Target.Scan(t.Context(), w, s, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.facts(t, f)
	tr, err := e.Target.Trace(t.Context(), w, s, f, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.trace(t, tr)
	model(t, trail.Input{Workload: w, Samples: s, Facts: f, Trace: tr})
}

// refuses tries what cannot be analysed.
func (e Exam) refuses(t *testing.T) {
	missing := e.Program()
	missing.Program = "./there/is/no/such/program"
	if err := e.Target.Check(t.Context(), missing); err == nil {
		t.Error("a program that is not there was found ready")
	}
	_, err := e.Target.Sample(t.Context(), e.Program("one argument too few"), t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "3") || !strings.Contains(err.Error(), "usage: ") {
		t.Errorf("a program that exits with 3 and a message: %v; want both in the error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Target.Sample(ctx, e.Program("150", "3"), t.TempDir(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: %v, want %v", err, context.Canceled)
	}
}

// samples wants the main thread and the workers, which are one group.
func samples(t *testing.T, s *trace.Samples) {
	var kinds []string
	pool := false
	for _, g := range s.Groups {
		kinds = append(kinds, g.Kind)
		pool = pool || len(g.Threads) == workers
	}
	if !slices.Contains(kinds, trail.PoolMain) || !pool {
		t.Errorf("thread groups %+v, want main and one of %d threads", s.Groups, workers)
	}
	if len(s.Trie) < 2 {
		t.Error("nobody was seen at work")
	}
}

// facts wants the operations that the text of the program has.
func (e Exam) facts(t *testing.T, f *trace.Facts) {
	seen := map[string]bool{}
	for _, s := range f.Sites {
		seen[s.Op] = true
	}
	ops := []trace.Op{trace.OpSend, trace.OpReceive, trace.OpLock, trace.OpUnlock}
	if e.Monitor {
		ops = []trace.Op{trace.OpCondWait, trace.OpSignal, trace.OpBroadcast, trace.OpLock, trace.OpUnlock}
	}
	for _, op := range ops {
		if !seen[op.String()] {
			t.Errorf("the scan has no %v", op)
		}
	}
}

// trace wants every operation as often as it is executed, every number that
// was received to have been sent, and the same trace from its file.
func (e Exam) trace(t *testing.T, tr *trace.Trace) {
	began, ended := map[trace.Op]int{}, map[trace.Op]int{}
	balance := map[uint64]int{} // of values: sent less received
	got, cpu := 0, int64(0)
	for i := range tr.Threads {
		th := &tr.Threads[i]
		for _, r := range th.Records {
			if r.Op != trace.OpSpawn && !ownCode(tr, &r) {
				continue
			}
			if !r.End {
				began[r.Op]++
				continue
			}
			ended[r.Op]++
			switch {
			case r.Op == trace.OpSend:
				balance[r.Value]++
			case r.Op == trace.OpReceive && r.Arg == 1:
				balance[r.Value]--
				got++
			}
		}
		if n := len(th.Records); n > 0 {
			cpu += th.Records[n-1].CPU
		}
	}
	messages := tasks + workers*e.Ends
	want := map[trace.Op]int{trace.OpSend: messages, trace.OpReceive: tasks + workers, trace.OpLock: tasks, trace.OpUnlock: tasks}
	if e.Monitor { // one region for each message, when it is sent and received, and one to say that no more comes
		regions := tasks + messages + tasks + workers + 1
		want = map[trace.Op]int{trace.OpLock: regions, trace.OpUnlock: regions}
		messages = 0
	}
	for op, n := range want {
		if began[op] != n || ended[op] != n {
			t.Errorf("%v: %d began, %d ended, want %d", op, began[op], ended[op], n)
		}
	}
	if began[trace.OpSpawn] < workers {
		t.Errorf("%d threads were started, want %d", began[trace.OpSpawn], workers)
	}
	if got != messages {
		t.Errorf("%d messages were received of %d", got, messages)
	}
	for v, n := range balance {
		if n != 0 {
			t.Errorf("value %d was sent %d times more than received", v, n)
		}
	}
	if cpu <= 0 || tr.ProcessCPU > 0 && cpu > tr.ProcessCPU*11/10 {
		t.Errorf("the threads used %d ns of CPU of %d that the process did", cpu, tr.ProcessCPU)
	}
	var file bytes.Buffer
	if err := trace.WriteTrace(&file, tr); err != nil {
		t.Fatal(err)
	}
	if again, err := trace.ReadTrace(&file, nil); err != nil || !reflect.DeepEqual(again.Threads, tr.Threads) || !reflect.DeepEqual(again.Runtime, tr.Runtime) {
		t.Errorf("the trace is another one after it was written and read (%v)", err)
	}
}

// ownCode reports whether an operation stands in the text of the program, not
// in that of a library.
func ownCode(tr *trace.Trace, r *trace.Record) bool {
	if r.Site < 0 {
		return false
	}
	frames := tr.Sites[r.Site].Frames
	return len(frames) > 0 && !frames[0].Std
}

// model wants the pool, its queue and its lock.
func model(t *testing.T, in trail.Input) {
	m, _, err := analysis.Build(in, trail.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(m.Pools, func(p core.Pool) bool { return p.Size == workers }) {
		t.Errorf("no pool has %d threads: %+v", workers, m.Pools)
	}
	if len(m.Queues) != 1 || m.Queues[0].Capacity != capacity {
		t.Errorf("queues %+v, want one of capacity %d", m.Queues, capacity)
	}
	if !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Mutex }) {
		t.Errorf("locks %+v, want a mutex", m.Locks)
	}
	if slices.Contains(m.Provenance.Warnings, "") {
		t.Error("a warning says nothing")
	}
}
