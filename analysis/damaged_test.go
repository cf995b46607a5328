package analysis_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// damage is something that may have happened to a trace before Build sees it.
type damage struct {
	name string
	do   func(t *trace.Trace, r *rand.Rand)
}

// damages are those that leave a file that ReadTrace may accept; every one
// stands for what probes, recorders or other tools could do wrong.
var damages = []damage{
	{"cut off in time", func(t *trace.Trace, r *rand.Rand) { cutTime(t, int64(r.Float64()*float64(t.End))) }},
	{"cut off at the begin", func(t *trace.Trace, r *rand.Rand) {
		from := int64(r.Float64() * float64(t.End))
		eachThread(t, func(th *trace.Thread) {
			th.Records = slices.DeleteFunc(th.Records, func(r trace.Record) bool { return r.Time < from })
		})
	}},
	{"threads cut off", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			if n := len(th.Records); n > 0 && r.IntN(2) == 0 {
				th.Records = th.Records[:r.IntN(n)]
			}
		})
	}},
	{"threads lost", func(t *trace.Trace, r *rand.Rand) {
		t.Threads = slices.DeleteFunc(t.Threads, func(trace.Thread) bool { return r.IntN(4) == 0 })
	}},
	{"records lost", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			th.Records = slices.DeleteFunc(th.Records, func(trace.Record) bool { return r.IntN(20) == 0 })
		})
	}},
	{"ends lost", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			th.Records = slices.DeleteFunc(th.Records, func(x trace.Record) bool { return x.End && r.IntN(10) == 0 })
		})
	}},
	{"an operation lost everywhere", func(t *trace.Trace, r *rand.Rand) {
		lost := anyRecord(t, r).Op
		eachThread(t, func(th *trace.Thread) {
			th.Records = slices.DeleteFunc(th.Records, func(x trace.Record) bool { return x.Op == lost })
		})
	}},
	{"records twice", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			var twice []trace.Record
			for _, x := range th.Records {
				twice = append(twice, x)
				if r.IntN(20) == 0 {
					twice = append(twice, x)
				}
			}
			th.Records = twice
		})
	}},
	{"threads twice", func(t *trace.Trace, r *rand.Rand) {
		th := t.Threads[r.IntN(len(t.Threads))]
		th.Records = slices.Clone(th.Records)
		t.Threads = append(t.Threads, th)
	}},
	{"neighbours swapped", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			for i := range max(0, len(th.Records)-1) {
				if a, b := &th.Records[i], &th.Records[i+1]; r.IntN(20) == 0 {
					*a, *b = *b, *a
					a.Time, b.Time = b.Time, a.Time // the clock goes on
					a.CPU, b.CPU = b.CPU, a.CPU
				}
			}
		})
	}},
	{"other objects", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Object = anyRecord(t, r).Object })
	}},
	{"objects that nobody made", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Object = r.Uint64() })
	}},
	{"objects forgotten", func(t *trace.Trace, r *rand.Rand) {
		t.Objects = slices.DeleteFunc(t.Objects, func(trace.Object) bool { return r.IntN(3) == 0 })
	}},
	{"objects of another kind", func(t *trace.Trace, r *rand.Rand) {
		kinds := []string{"chan", "mutex", "rwmutex", "waitgroup", "cond", "once", "semaphore", "pool", "file", "conn", "", "?"}
		for i := range t.Objects {
			o := &t.Objects[i]
			if r.IntN(3) == 0 {
				o.Kind, o.Capacity, o.Parent = kinds[r.IntN(len(kinds))], r.Int64N(100)-2, t.Objects[r.IntN(len(t.Objects))].ID
			}
		}
	}},
	{"other values", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Value = anyRecord(t, r).Value })
	}},
	{"other arguments", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Arg = []int64{-1, 0, 1, 2, 1 << 40, anyRecord(t, r).Arg}[r.IntN(6)] })
	}},
	{"other operations", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Op = anyRecord(t, r).Op })
	}},
	{"starts and ends confused", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.End = !x.End })
	}},
	{"other places", func(t *trace.Trace, r *rand.Rand) {
		some(t, r, func(x *trace.Record) { x.Site = r.Int32N(int32(len(t.Sites))+1) - 1 })
	}},
	{"places without calls", func(t *trace.Trace, r *rand.Rand) {
		for i := range t.Sites {
			if r.IntN(5) == 0 {
				t.Sites[i].Frames = nil
			}
		}
	}},
	{"other offers", func(t *trace.Trace, r *rand.Rand) {
		t.Offers = slices.DeleteFunc(t.Offers, func(trace.Offer) bool { return r.IntN(2) == 0 })
		for i := range t.Offers {
			if o := &t.Offers[i]; len(o.Cases) > 0 && r.IntN(2) == 0 {
				o.Cases = o.Cases[1:]
			}
		}
	}},
	{"threads of other parents", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) { th.Parent = t.Threads[r.IntN(len(t.Threads))].ID })
	}},
	{"threads of other functions", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			other := t.Threads[r.IntN(len(t.Threads))]
			th.Start, th.Name, th.Creator, th.System = other.Start, other.Name, other.Creator, r.IntN(5) == 0
		})
	}},
	{"clocks that differ", func(t *trace.Trace, r *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			by := r.Int64N(t.End+1) - t.End/2
			for i := range th.Records {
				th.Records[i].Time += by
			}
		})
	}},
	{"a clock that stands", func(t *trace.Trace, _ *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			for i := range th.Records {
				th.Records[i].Time = t.Begin
			}
		})
	}},
	{"no CPU time", func(t *trace.Trace, _ *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			for i := range th.Records {
				th.Records[i].CPU = 0
			}
		})
		t.ProcessCPU, t.WorkCPU = 0, 0
	}},
	{"more CPU time than time", func(t *trace.Trace, _ *rand.Rand) {
		eachThread(t, func(th *trace.Thread) {
			for i := range th.Records {
				th.Records[i].CPU *= 1000
			}
		})
	}},
	{"no machine", func(t *trace.Trace, _ *rand.Rand) {
		t.Cores, t.Calibration = 0, trace.Calibration{}
	}},
	{"a work phase of nothing", func(t *trace.Trace, _ *rand.Rand) { t.WorkStart, t.WorkEnd = t.End, t.End+1 }},
	{"a work phase of a part", func(t *trace.Trace, r *rand.Rand) {
		t.WorkStart = int64(r.Float64() * float64(t.End))
		t.WorkEnd = t.WorkStart + int64(r.Float64()*float64(t.End-t.WorkStart)) + 1
	}},
}

func eachThread(t *trace.Trace, do func(*trace.Thread)) {
	for i := range t.Threads {
		do(&t.Threads[i])
	}
}

// some does something to every twentieth record or so.
func some(t *trace.Trace, r *rand.Rand, do func(*trace.Record)) {
	eachThread(t, func(th *trace.Thread) {
		for i := range th.Records {
			if r.IntN(20) == 0 {
				do(&th.Records[i])
			}
		}
	})
}

// anyRecord is a record of a thread that has some.
func anyRecord(t *trace.Trace, r *rand.Rand) trace.Record {
	for range 100 {
		if rs := t.Threads[r.IntN(len(t.Threads))].Records; len(rs) > 0 {
			return rs[r.IntN(len(rs))]
		}
	}
	return trace.Record{Op: trace.OpYield, Site: -1}
}

// cutTime ends the recording at a moment.
func cutTime(t *trace.Trace, at int64) { *t = *t.Until(at) }

const (
	// damagedRecords is how long a recording is before it is damaged: enough for its
	// threads to have begun, and few enough to try much.
	damagedRecords = 2000
	// damageTurns is for how many recordings one is damaged in a given way, unless all are.
	damageTurns = 5
)

var everyDamage = flag.Bool("every-damage", false, "damage every recording in every way, not each in some of them")

// shortened loads a recording and ends it when it has damagedRecords.
func shortened(t *testing.T, name string) trail.Input {
	t.Helper()
	in, err := corpus.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	in.Trace = in.Trace.Beginning(damagedRecords)
	return in
}

// Build gives a model that is valid, or says why there is none, whatever a file
// that ReadTrace accepts is like. What would not end is stopped by the timeout of
// all tests, which names this one. Damage that still gave a model somewhere shows
// that Build does not simply refuse it.
func TestADamagedRecordingGivesAValidModelOrAnError(t *testing.T) {
	t.Parallel()
	var models, all atomic.Int64
	turns := damageTurns
	if testing.Short() {
		turns *= 4
	}
	t.Run("recordings", func(t *testing.T) {
		for i, name := range recordings(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for j, d := range damages {
					if (i+j)%turns != 0 && !*everyDamage {
						continue
					}
					t.Run(d.name, func(t *testing.T) {
						all.Add(1)
						if lawful(t, name, d) {
							models.Add(1)
						}
					})
				}
			})
		}
	})
	if 2*models.Load() < all.Load() {
		t.Errorf("only %d of %d damaged recordings give a model: Build refuses what it could use", models.Load(), all.Load())
	}
}

// lawful damages a recording and reports whether Build makes a model of it.
func lawful(t *testing.T, name string, d damage) bool {
	t.Helper()
	in := shortened(t, name)
	seed := fnv.New64a()
	fmt.Fprint(seed, name, d.name)
	d.do(in.Trace, rand.New(rand.NewPCG(seed.Sum64(), 1)))
	var err error
	if in.Trace, err = throughFile(in.Trace); err != nil {
		return false // TestImpossibleTracesAreRefused has what it says
	}
	m, _, err := analysis.Build(in, trail.Options{})
	switch {
	case err == nil:
		if err := m.Validate(); err != nil {
			t.Errorf("the model is not valid: %v", err)
		}
	case m != nil:
		t.Errorf("Build gives both a model and an error: %v", err)
	case !errors.Is(err, trail.ErrNoModel) && !errors.Is(err, trail.ErrNoWork):
		t.Errorf("Build fails for another reason than that there is no work or no valid model: %v", err)
	}
	return err == nil
}

// throughFile writes a trace and reads it again.
func throughFile(t *trace.Trace) (*trace.Trace, error) {
	var b bytes.Buffer
	if err := trace.WriteTrace(&b, t); err != nil {
		return nil, err
	}
	return trace.ReadTrace(&b, runtimes.Of)
}
