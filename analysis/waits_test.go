package analysis

import (
	"math"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/waits"
	"tierscope/core"
)

// reads executes a file operation of wall ns during which the thread uses cpu
// ns in the kernel and is ready without a core for ready ns.
func (a *actor) reads(site string, wall, cpu, ready int64) {
	records := &a.s.trace.Threads[a.id].Records
	before := int64(0)
	if n := len(*records); n > 0 {
		before = (*records)[n-1].Ready
	}
	a.hit(trace.OpFileRead, site, false, 0, 0, 0)
	(*records)[len(*records)-1].Ready = before
	a.now += wall
	a.cpu += cpu
	a.hit(trace.OpFileRead, site, true, 0, 1, 0)
	(*records)[len(*records)-1].Ready = before + ready
}

// perRound returns the computation and the waits for the outside of a round of
// a loop in which every round is like the others.
func perRound(t *testing.T, m *core.Model) (computes, waits float64) {
	t.Helper()
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			switch f.Class {
			case core.CPUFragment:
				if computes != 0 && math.Abs(f.Demand.Value-computes) > 1e-9 {
					t.Errorf("one round computes %g s and another %g s", computes, f.Demand.Value)
				}
				computes = f.Demand.Value
			case core.DelayFragment:
				waits = f.Delay.Value
			}
		}
	}
	return computes, waits
}

// A read takes 300 µs: 80 µs of kernel code, 20 µs ready without a core, and the
// rest, 200 µs, off the core. The simulation charges the wake-up of 50 µs at its
// end itself. So 1000 + 80 µs are computed and 300 − 80 − 20 − 50 = 150 µs are waited
// in the model.
func TestATimeIsComputedOrWaitedButNotBoth(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Calibration.WakeIdle = []float64{40e-6, 50e-6, 60e-6}
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(1_000_000).reads("read", 300_000, 80_000, 20_000)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	computes, waits := perRound(t, m)
	if math.Abs(computes-1080e-6) > 1e-9 || math.Abs(waits-150e-6) > 1e-9 {
		t.Errorf("the model computes %.1f µs and waits %.1f µs per round, want 1080 and 150", 1e6*computes, 1e6*waits)
	}
}

// Writes to a socket with room in its buffer are system calls that wait for
// nothing: all of their 60 µs is kernel code, but for 10 µs in which another
// program had the core, which is less than any wake-up takes. The ten rounds of
// 50 + 50 µs are one computation then.
func TestASystemCallThatDoesNotWaitIsNoDelay(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Calibration.WakeIdle = []float64{50e-6}
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(50_000).reads("read", 60_000, 50_000, 0)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	computes, waits := perRound(t, m)
	if math.Abs(computes-1000e-6) > 1e-9 || waits != 0 {
		t.Errorf("the model computes %.1f µs and waits %.1f µs, want one computation of 1000 and no wait", 1e6*computes, 1e6*waits)
	}
}

// Of 500 µs in a channel operation, 200 µs were spent ready without a core. The
// simulation knows of those only when the thread computes again; so that the two can
// be compared, what was observed is 300 µs in the operation and 1000 + 200 µs in the
// computation after it.
func TestTheWaitForACoreIsObservedInTheComputationThatFollows(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for range 10 {
		main.reads("read", 500_000, 0, 200_000)
		main.compute(1_000_000)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	var waits, computes float64
	for _, f := range m.Graphs[0].Fragments {
		switch total := float64(f.Observed.Count) * f.Observed.MeanWall; f.Class {
		case core.DelayFragment:
			waits += total
		case core.CPUFragment:
			computes += total
		}
	}
	if math.Abs(waits-10*300e-6) > 1e-6 {
		t.Errorf("%.0f µs were observed in the operation, want 3000", 1e6*waits)
	}
	// No probe comes after the last computation.
	if math.Abs(computes-9*1200e-6) > 1e-6 {
		t.Errorf("%.0f µs were observed in computations, want 9 times 1200 µs", 1e6*computes)
	}
}

// A worker reads the text of a request from the client, which takes 1.2 ms to send
// it, and asks a database, which takes 0.3 ms. The client is no part of the
// program; what it waits for, the other CPU perhaps, is none of its demands. The
// connection to the database is the program's own.
func TestAServerDoesNotWaitForItsClients(t *testing.T) {
	t.Parallel()
	const (
		queue, database = 1, 60
		client          = 1_200_000
		answer          = 300_000
	)
	s := newScript()
	s.channel(queue, 10)
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 10)
	worker.does(trace.OpConnect, "connect", database, 0, 1000)
	for i := range uint64(20) {
		main.does(trace.OpAccept, "accept", 2, 0, 5_000_000).compute(10_000)
		main.hit(trace.OpSend, "send", false, queue, 0, i+1)
		main.hit(trace.OpSend, "send", true, queue, 1, i+1)
		worker.hit(trace.OpReceive, "receive", false, queue, 0, 0)
		worker.now = main.now
		worker.hit(trace.OpReceive, "receive", true, queue, 1, i+1)
		worker.does(trace.OpNetRead, "request", 100+i, 0, client).compute(500_000)
		worker.does(trace.OpNetRead, "database", database, 0, answer).compute(100_000)
	}
	s.trace.WorkStart, s.trace.WorkEnd, s.trace.End = 1, main.now, main.now
	m, _ := s.build(t, trail.Options{})
	var waits []float64
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.DelayFragment {
				waits = append(waits, f.Delay.Value)
			}
		}
	}
	if len(waits) != 1 || math.Abs(waits[0]-1e-9*answer) > 1e-9 {
		t.Errorf("the model waits %v s, want only %g for the database", waits, 1e-9*answer)
	}
}

// for range 8 { os.Open(…) }: half of the files are open at once, the other half after 10 ms. If no disk was
// read for these, others had the cores.
func TestFilesInMemoryAreWaitedForByNobody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		atOnce int
		read   int64
		want   int
	}{"in memory": {4, 0, 0}, "on a disk": {4, 4096, 1}, "of another machine": {1, 0, 1}} {
		s := newScript()
		main := s.thread("main", nil, 0)
		for i := range 8 {
			wall := int64(10_000_000)
			if i < c.atOnce {
				wall = 0
			}
			main.compute(1_000_000).does(trace.OpOpen, "open", 0, 1, wall)
			if rs := s.trace.Threads[main.id].Records; wall > 0 {
				rs[len(rs)-1].Read = c.read
			}
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		if got := len(fragments(m, core.DelayFragment)); got != c.want {
			t.Errorf("%s: %d delays, want %d", name, got, c.want)
		}
	}
}

// A helper of os/exec reads what a child writes and tells that it has come to the end. The program waits for
// that from 10 to 20 ms; from 11 to 19 ms the helper could have gone on, had it had a core.
func TestAHelperWithoutACoreIsNoWaitForTheWorldOutside(t *testing.T) {
	t.Parallel()
	const ms = 1_000_000
	helper := &trace.Thread{Records: []trace.Record{{Time: 5 * ms, Op: trace.OpFileRead}, {Time: 19 * ms, Op: trace.OpFileRead, End: true, Ready: 8 * ms}, {Time: 19 * ms, Op: trace.OpSend, Ready: 8 * ms}}}
	q := &trail.Sequence{Thread: helper, Steps: []trail.Step{{Node: &trail.Node{Op: trace.OpFileRead}}, {Node: &trail.Node{Op: trace.OpSend}, Object: 7, Start: 19 * ms}}}
	e := waits.ErrandsOf([]*trail.Pool{{Kind: trail.PoolHelper, Sequences: []*trail.Sequence{q}}})
	for name, c := range map[string]struct {
		s    trail.Step
		want int64
	}{
		"for the helper":          {trail.Step{Object: 7, Start: 10 * ms, End: 20 * ms}, 8 * ms},
		"late for the helper":     {trail.Step{Object: 7, Start: 16 * ms, End: 20 * ms}, 3 * ms},
		"for another one":         {trail.Step{Object: 8, Start: 10 * ms, End: 20 * ms}, 0},
		"for what it told before": {trail.Step{Object: 7, Start: 20 * ms, End: 30 * ms}, 0},
	} {
		if got := e.Late(&c.s); got != c.want {
			t.Errorf("%s: %d ns, want %d", name, got, c.want)
		}
	}
}
