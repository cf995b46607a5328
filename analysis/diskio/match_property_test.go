package diskio_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/diskio"
)

// drawTracks are threads with intervals that do not overlap within a thread.
func drawTracks(t *rapid.T, name int64) []diskio.Track {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	tracks := make([]diskio.Track, rapid.IntRange(1, 5).Draw(t, "threads"))
	for i := range tracks {
		tracks[i].Thread = name + int64(i)
		now := int64(1)
		for range rapid.IntRange(0, 40).Draw(t, "intervals") {
			start := now + int64(r.ExpFloat64()*5e6)
			now = start + 1000 + int64(r.ExpFloat64()*2e6)
			tracks[i].Intervals = append(tracks[i].Intervals, diskio.Interval{Start: start, End: now})
			now++
		}
	}
	return tracks
}

// Whatever is matched, even what has nothing to do with each other when nearly any confidence is enough:
// no thread has two partners, partners are threads of the recordings that did something, and what is said
// to be contained lies, moved by the lag, inside an operation of its partner.
func TestMatchingIsOneToOneAndRespectsIntervals(t *testing.T) {
	t.Parallel()
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		user, kernel := drawTracks(t, 100), drawTracks(t, 200)
		m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{Least: .01})
		if err != nil {
			return
		}
		find := func(tracks []diskio.Track, thread int64) []diskio.Interval {
			for _, k := range tracks {
				if k.Thread == thread {
					return k.Intervals
				}
			}
			return nil
		}
		users, kernels := map[int64]bool{}, map[int64]bool{}
		inside, all := 0, 0
		for _, p := range m.Pairs {
			matched++
			operations, requests := find(user, p.User), find(kernel, p.Kernel)
			if users[p.User] || kernels[p.Kernel] || len(operations) == 0 || len(requests) == 0 {
				t.Fatalf("pairs %+v", m.Pairs)
			}
			users[p.User], kernels[p.Kernel] = true, true
			all += len(requests)
			for _, r := range requests {
				const accuracy = 5e3 // ns, of the lag
				for _, o := range operations {
					if float64(o.Start)-accuracy <= float64(r.Start)+m.Lag(r.Start) && float64(r.End)+m.Lag(r.End) <= float64(o.End)+accuracy {
						inside++
						break
					}
				}
			}
		}
		if want := float64(inside) / float64(all); math.Abs(m.Contained-want) > 1e-12 {
			t.Fatalf("%v of the requests are said to lie inside an operation, %v do", m.Contained, want)
		}
	})
	if matched == 0 {
		t.Error("nothing was matched")
	}
}

// Programs of any kind with a lag and a drift that were planted: what is matched is matched right, and
// little is refused. Of these 25 programs a correct one matches at least 20 with other seeds too.
func TestAPlantedLagIsFoundOrRefused(t *testing.T) {
	t.Parallel()
	programs, found := 25, 0
	if testing.Short() {
		programs = 5
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 9))
		w := workload{threads: 1 + r.IntN(5), strangers: r.IntN(3), seconds: 8 + 8*r.Float64(), rate: 10 + 40*r.Float64(), hits: .8 * r.Float64(),
			requests: 1 + r.Float64(), service: .0005 * math.Pow(10, r.Float64()), lag: 100 * (r.Float64() - .5), ppm: 100 * (r.Float64() - .5), seed: seed}
		user, kernel, names := w.record()
		m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{})
		if err != nil {
			continue
		}
		found++
		for _, p := range m.Pairs {
			if names[p.User] != p.Kernel {
				t.Errorf("program %d: thread %d is %d in the log, not %d", seed, p.User, names[p.User], p.Kernel)
			}
		}
		for _, at := range []float64{1, w.seconds / 2, w.seconds - 1} {
			there := int64((at - w.lag) / (1 + w.ppm*1e-6) * 1e9)
			if off := float64(m.User(there)) - at*1e9; math.Abs(off) > 5000 {
				t.Errorf("program %d: at %.0f s the clock is off by %.1f µs", seed, at, off/1000)
			}
		}
	}
	if found < programs*4/5 {
		t.Errorf("%d of %d programs were matched", found, programs)
	}
}

// Every request belongs to one operation, to none of the program's threads, or to one outside of
// all its operations: nothing is lost and nothing counted twice.
func TestAttributionConservesRequests(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var operations []diskio.Operation
		for _, track := range drawTracks(t, 1) {
			for _, v := range track.Intervals {
				operations = append(operations, diskio.Operation{Thread: track.Thread, Start: v.Start, End: v.End, Writes: v.Start%2 == 0})
			}
		}
		var requests []diskio.Request
		for _, track := range drawTracks(t, 3) {
			for _, v := range track.Intervals {
				kind := []string{diskio.Read, diskio.Write, diskio.Flush}[v.End%3]
				requests = append(requests, diskio.Request{Thread: track.Thread, Type: kind, Queued: v.Start, Issued: v.Start + 1, Completed: v.End})
			}
		}
		a := diskio.Attribute(operations, requests)
		own := map[int64]bool{}
		for _, o := range operations {
			own[o.Thread] = true
		}
		lost, foreign := 0, 0
		for i, at := range a.Of {
			if at < 0 && own[requests[i].Thread] {
				lost++
			} else if at < 0 {
				foreign++
			}
			if at < 0 {
				continue
			}
			o, r := operations[at], requests[i]
			if r.Completed < o.Start || o.End < r.Queued {
				t.Fatalf("request %d–%d belongs to the operation %d–%d", r.Queued, r.Completed, o.Start, o.End)
			}
			if o.Thread != r.Thread && (!o.Writes || r.Type == diskio.Read) {
				t.Fatalf("a %s of thread %d belongs to an operation of thread %d that waits for nobody", r.Type, r.Thread, o.Thread)
			}
		}
		if len(a.Of) != len(requests) || lost != a.Lost || foreign != a.Foreign {
			t.Fatalf("%d of %d requests are lost and %d foreign; it is said %d and %d", lost, len(requests), foreign, a.Lost, a.Foreign)
		}
	})
}
