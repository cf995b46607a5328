package targettest_test

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// toy is a front end for a language that does not exist (testdata/README.md): an interpreter
// with virtual time and a core for each of four threads. No other package knows it.
type toy struct{}

// system is what Build has to know of it: locks are not fair, a variable says on how many cores it runs.
var system = trace.Runtime{Processors: trace.Processors{Variable: "TOY_CORES"},
	Locks: map[core.LockKind]trace.LockRules{core.Mutex: {Fairness: core.Barging}}}

// operations are the statements that probes surround.
var operations = map[string]trace.Op{"start": trace.OpSpawn, "await": trace.OpJoin, "send": trace.OpSend, "each": trace.OpReceive,
	"close": trace.OpClose, "enter": trace.OpLock, "leave": trace.OpUnlock}

func (toy) Name() string { return "toy" }

func (toy) Check(_ context.Context, w trace.Workload) error {
	_, err := os.Stat(w.Program)
	return err
}

// Sample looks at what the threads execute once in every ms of CPU.
func (toy) Sample(ctx context.Context, w trace.Workload, _ string, _ func(analysis.Progress)) (*trace.Samples, error) {
	m, err := run(ctx, w)
	s := &trace.Samples{Program: m.Program, Trie: []trace.TrieNode{{Parent: -1}}}
	for _, t := range m.threads {
		i := slices.IndexFunc(s.Groups, func(g trace.ThreadGroup) bool { return g.Start == t.Start })
		if i < 0 {
			kind := map[bool]string{true: trail.PoolMain, false: trail.PoolFixed}[t.Parent == 0]
			i, s.Groups = len(s.Groups), append(s.Groups, trace.ThreadGroup{Name: t.Start, Start: t.Start, Kind: kind})
			s.Trie = append(s.Trie, trace.TrieNode{Frame: trace.Frame{Function: t.Start}, Counts: map[int64]int64{}})
		}
		s.Groups[i].Threads, s.Trie[i+1].Counts[t.ID] = append(s.Groups[i].Threads, t.ID), t.cpu/1_000_000
	}
	return s, err
}

func (toy) Scan(ctx context.Context, w trace.Workload, _ *trace.Samples, _ string, _ func(analysis.Progress)) (*trace.Facts, error) {
	m, err := run(ctx, w)
	f := &trace.Facts{Program: m.Program}
	for at, words := range m.code {
		if op, ok := operations[words[0]]; ok {
			f.Sites = append(f.Sites, trace.FactSite{Frame: m.Sites[at].Frames[0], Op: op.String(), Class: string(op.Class())})
		}
	}
	return f, err
}

func (toy) Trace(ctx context.Context, w trace.Workload, _ *trace.Samples, _ *trace.Facts, _ string, _ func(analysis.Progress)) (*trace.Trace, error) {
	m, err := run(ctx, w)
	return &m.Trace, err
}

type machine struct {
	trace.Trace
	code    [][]string // words by line
	objects map[string]*object
	threads []*thread
	clock   int64 // of the last operation
}

// object is a queue, or a lock: a queue with room for whoever has it.
type object struct {
	trace.Object
	items  []uint64
	closed bool
}

func (o *object) take() (arg int64, v uint64) {
	if len(o.items) > 0 {
		arg, v, o.items = 1, o.items[0], o.items[1:]
	}
	return arg, v
}

type thread struct {
	trace.Thread
	now, cpu int64
	ready    func() bool
	resume   func() (struct{}, bool)
	pause    func(struct{}) bool
}

// run parses a script and executes it; of the threads that can go on, the earliest does.
func run(ctx context.Context, w trace.Workload) (*machine, error) {
	m := &machine{objects: map[string]*object{}, Trace: trace.Trace{
		Program: "exam", Language: "toy", Runtime: system, Cores: 4, Overhead: math.NaN(), OverheadOff: math.NaN()}}
	text, err := os.ReadFile(w.Program)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return m, err
	}
	usage, script, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if len(strings.Fields(usage)) != 2+len(w.Args) {
		return m, fmt.Errorf("exit status 3: %s", usage)
	}
	for i, v := range w.Args {
		script = strings.ReplaceAll(script, strings.Fields(usage)[2+i], v)
	}
	var function string
	for i, line := range strings.Split(script, "\n") {
		f := append(strings.Fields(line), "")
		switch m.code = append(m.code, f); f[0] {
		case "queue", "lock":
			room, _ := strconv.ParseInt(f[2], 10, 64)
			o := &object{Object: trace.Object{ID: uint64(i + 1), Kind: f[0], Capacity: room, Elem: 8, Site: -1}}
			m.objects[f[1]], m.Objects = o, append(m.Objects, o.Object)
		case "thread":
			function = "exam." + f[1]
		}
		m.Sites = append(m.Sites, trace.Site{Frames: []trace.Frame{{Function: function, File: "exam.toy", Line: i + 2}}})
	}
	m.start("main", -1, 0)
	waits := func(t *thread) bool { return t.Ended > 0 || t.ready != nil && !t.ready() }
	for able := m.threads; len(able) > 0; able = slices.DeleteFunc(slices.Clone(m.threads), waits) {
		slices.MinFunc(able, func(a, b *thread) int { return cmp.Compare(a.now, b.now) }).resume()
	}
	for _, t := range m.threads {
		m.Threads, m.End, m.ProcessCPU = append(m.Threads, t.Thread), max(m.End, t.Ended), m.ProcessCPU+t.cpu
	}
	return m, nil
}

// start makes a thread that begins after the thread statement of a function.
func (m *machine) start(function string, site int32, parent int64) uint64 {
	t := &thread{now: m.clock, Thread: trace.Thread{ID: int64(len(m.threads) + 1), Start: "exam." + function, Creator: site, Parent: parent, Born: m.clock}}
	t.resume, _ = iter.Pull(func(pause func(struct{}) bool) {
		t.pause = pause
		m.execute(t, 1+slices.IndexFunc(m.code, func(f []string) bool { return f[0] == "thread" && f[1] == function }))
		t.Ended = t.now + 1
	})
	m.threads = append(m.threads, t)
	return uint64(t.ID)
}

// execute executes statements to the end of the loop or thread.
func (m *machine) execute(t *thread, at int) {
	for ; at < len(m.code) && m.code[at][0] != "end" && m.code[at][0] != "thread"; at++ {
		f, o := m.code[at], m.objects[m.code[at][1]]
		n, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "compute":
			t.now, t.cpu = t.now+1000*n, t.cpu+1000*n
		case "repeat":
			for range n {
				m.execute(t, at+1)
			}
		case "each":
			for m.does(t, at, o, func() bool { return len(o.items) > 0 || o.closed }, o.take) == 1 {
				m.execute(t, at+1)
			}
		case "start":
			for range n {
				m.does(t, at, &object{}, nil, func() (int64, uint64) { return 0, m.start(f[2], int32(at), t.ID) })
			}
		case "await":
			for _, x := range m.threads[1:] {
				m.does(t, at, &object{}, func() bool { return x.Ended > 0 }, func() (int64, uint64) { return 0, uint64(x.ID) })
			}
		case "send", "enter":
			m.does(t, at, o, func() bool { return len(o.items) < int(o.Capacity) }, func() (int64, uint64) { o.items = append(o.items, uint64(m.clock)); return 0, uint64(m.clock) })
		case "leave":
			m.does(t, at, o, nil, o.take)
		case "close":
			m.does(t, at, o, nil, func() (int64, uint64) { o.closed = true; return 0, 0 })
		}
		if f[0] == "repeat" || f[0] == "each" { // which do not nest
			at += slices.IndexFunc(m.code[at:], func(f []string) bool { return f[0] == "end" })
		}
	}
}

// does executes an operation, which takes 1 µs, as soon as it can be done.
func (m *machine) does(t *thread, at int, o *object, ready func() bool, do func() (int64, uint64)) int64 {
	r := trace.Record{Time: t.now, CPU: t.cpu, Site: int32(at), Op: operations[m.code[at][0]], Object: o.ID}
	t.Records, t.ready = append(t.Records, r), ready
	t.pause(struct{}{})
	m.clock = max(m.clock+1, t.now)
	t.now, t.cpu, r.End = m.clock+1000, t.cpu+500, true
	r.Arg, r.Value = do()
	r.Time, r.CPU = t.now, t.cpu
	t.Records = append(t.Records, r)
	return r.Arg
}
