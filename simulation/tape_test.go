package simulation

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// recorded runs a model once, for some simulated seconds, with a timeline.
func recorded(t *testing.T, m core.Model, seconds float64) (*timeline.Recording, *replica) {
	t.Helper()
	r := mustCompile(t, m).replica(1, 0, 1_000_000, nil)
	r.advance(context.Background(), des.Seconds(seconds))
	o := r.observe()
	o.Timeline.Finish(des.Seconds(o.Until))
	return o.Timeline, r
}

// lockedModel is 4 threads on 2 cores that take tasks, compute under a lock,
// read from a disk and sleep.
func lockedModel(policy core.CPUPolicy) core.Model {
	m := station(150, 4, core.Unbounded, constant(0))
	m.CPU = core.CPU{Cores: 2, Policy: policy}
	m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex, Fairness: core.Barging}}
	m.Disks = []core.Disk{{ID: "sda", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(0.002)}}}}}}
	m.Graphs = []core.Graph{server("server",
		core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter}},
		core.Fragment{Class: core.CPUFragment, Demand: exponential(0.003)},
		core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Exit}},
		core.Fragment{Class: core.IOFragment, IO: &core.IO{Disk: "sda", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}},
		core.Fragment{Class: core.CPUFragment, Demand: exponential(0.004)},
		core.Fragment{Class: core.DelayFragment, Delay: constant(0.001)},
	)}
	return m
}

// A timeline shows what the statistics say: the time that cores run, the lock
// is held, requests wait and tasks queue is the same in both, and every thread
// accounts for all of its time.
func TestTimelineAgreesWithTheStatistics(t *testing.T) {
	t.Parallel()
	for _, policy := range []core.CPUPolicy{core.EEVDF, core.RoundRobin, core.GoScheduler} {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			const seconds = 20
			rec, r := recorded(t, lockedModel(policy), seconds)
			if rec.Full {
				t.Fatal("the recording is full")
			}
			got := map[string]float64{}
			for _, l := range rec.Lanes {
				for i, s := range l.Spans {
					d := (s.End - s.Start).Seconds()
					got[fmt.Sprint(l.Group, " ", s.State)] += d
					if l.Group == timeline.Locks {
						got["lock "+l.Name] += d
					}
					if i > 0 && s.Start < l.Spans[i-1].End {
						t.Fatalf("%s: span %d begins before the last one ends", l.Name, i)
					}
				}
				if l.Group == timeline.Threads {
					if all := lengths(l); math.Abs(all-seconds) > 0.05 {
						t.Errorf("%s accounts for %.3f of %v s", l.Name, all, float64(seconds))
					}
				}
			}
			for _, c := range rec.Counters {
				area, last := 0.0, timeline.Step{}
				for _, s := range append(c.Steps, timeline.Step{At: rec.Until}) {
					area += float64(last.Value) * (s.At - last.At).Seconds()
					last = s
				}
				got["counter "+c.Name] = area
			}
			var tl tallies
			r.tally(&tl, r.processor.Usage())
			want := map[string]float64{}
			for i, q := range tl.names {
				want[q.Name+" "+q.Of+" "+q.Stat] = tl.ratios[i].Sum
			}
			for _, pair := range [][2]string{
				{"cores running", "U cpu mean"},
				{"threads running", "U cpu mean"},
				{"lock L", "U lock/L mean"},
				{"counter L waiting", "Q lock/L mean"},
				{"counter sda queue", "Q disk/sda mean"},
				{"counter sda in flight", "U disk/sda mean"},
				{"counter q", "Q queue/q mean"},
			} {
				g, w := got[pair[0]], want[pair[1]]
				if w == 0 || math.Abs(g/w-1) > 0.005 {
					t.Errorf("timeline: %s for %.4f s; statistics: %s is %.4f s", pair[0], g, pair[1], w)
				}
			}
		})
	}
}

func lengths(l *timeline.Lane) float64 {
	sum := 0.0
	for _, s := range l.Spans {
		sum += (s.End - s.Start).Seconds()
	}
	return sum
}

// Recording changes nothing: the trajectory is the same event by event.
func TestATimelineDoesNotDisturbTheRun(t *testing.T) {
	t.Parallel()
	m := lockedModel(core.EEVDF)
	plain := mustCompile(t, m).replica(1, 0, 0, nil)
	plain.advance(context.Background(), 5*des.Second)
	_, r := recorded(t, m, 5)
	if plain.Fingerprint() != r.Fingerprint() {
		t.Error("another trajectory with a timeline than without")
	}
}

// Run returns the timeline of the time after the warm-up, of at most as many
// spans as asked for.
func TestRunReturnsTheTimelineAfterTheWarmup(t *testing.T) {
	t.Parallel()
	result, err := Run(context.Background(), lockedModel(core.EEVDF), nil,
		Options{Replications: 2, Warmup: 3, Duration: 20, Timeline: 500})
	if err != nil {
		t.Fatal(err)
	}
	rec := result.Timeline
	if rec == nil || !rec.Full {
		t.Fatalf("timeline %v, want a full one", rec)
	}
	places := 0
	for _, l := range rec.Lanes {
		places += len(l.Spans)
		for _, s := range l.Spans {
			if s.Start < 3*des.Second || s.End > rec.Until {
				t.Fatalf("%s: a span at %v–%v, not within 3s–%v", l.Name, s.Start, s.End, rec.Until)
			}
		}
	}
	for _, c := range rec.Counters {
		places += len(c.Steps)
	}
	if places > 500 {
		t.Errorf("%d spans and steps, asked for 500", places)
	}
}

// The critical path of a program that ends lies end to end from its beginning to its end, and nobody waits for another thread
// on it: each such wait is followed to the thread that ended it.
func TestNobodyWaitsForAThreadOnACriticalPath(t *testing.T) {
	t.Parallel()
	for i, m := range drawn(t, 100, anyProgram) {
		rec, _ := recorded(t, m, 1000)
		if rec.Full {
			continue
		}
		at := des.Time(0)
		for _, s := range rec.Critical() {
			if s.Start != at {
				t.Fatalf("program %d: nothing is on the path from %v to %v", i, at, s.Start)
			}
			switch at = s.End; s.State {
			case timeline.LockWait, timeline.SignalWait, timeline.QueueWait, timeline.Other:
				t.Fatalf("program %d: %s waits on the path (%s %s) from %v to %v", i, s.Thread, s.State, rec.LabelText(s.Label), s.Start, s.End)
			}
		}
		if at == 0 {
			t.Errorf("program %d has no path", i)
		}
	}
}
