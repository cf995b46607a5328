package diskio_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tierscope/analysis/diskio"
)

// workload is the synthetic program of notes/kernel.md §2: threads that think,
// then do an I/O operation, which is a cache hit or causes some requests, each
// within the operation with the margins measured on a real kernel: the first
// begins 3–8 µs after the operation, the last ends 5–35 µs before it.
type workload struct {
	threads, strangers int // threads of the program, and others in the log
	seconds            float64
	rate               float64 // operations per second of thinking
	hits               float64 // share of cache hits
	requests           float64 // mean number per miss
	service            float64 // s
	periodic           bool    // constant think and service times
	lag                float64 // s
	ppm                float64
	seed               uint64
}

// record runs the workload. Thread 100+i of the program is thread names[i] of
// the log.
func (w workload) record() (user, kernel []diskio.Track, names map[int64]int64) {
	random := rand.New(rand.NewPCG(w.seed, 7))
	names = map[int64]int64{}
	ns := func(s float64) int64 { return int64(math.Round(s * 1e9)) }
	log := func(s float64) int64 { return ns((s - w.lag) / (1 + w.ppm*1e-6)) }
	for i, name := range random.Perm(w.threads + w.strangers) {
		var u, k diskio.Track
		u.Thread, k.Thread = int64(100+i), int64(5000+name)
		for t := random.Float64(); t < w.seconds; {
			if w.periodic {
				t += 1 / w.rate
			} else {
				t += random.ExpFloat64() / w.rate
			}
			start := t
			if random.Float64() < w.hits {
				t += 2e-6 + random.ExpFloat64()*2e-6
				u.Intervals = append(u.Intervals, diskio.Interval{Start: ns(start), End: ns(t)})
				continue
			}
			t += 3e-6 + random.Float64()*5e-6
			for more := true; more; more = random.Float64() > 1/w.requests {
				d := w.service * (0.2 + random.ExpFloat64()*0.8)
				if w.periodic {
					d = w.service
				}
				k.Intervals = append(k.Intervals, diskio.Interval{Start: log(t), End: log(t + d)})
				t += d + random.Float64()*10e-6
			}
			t += 5e-6 + random.Float64()*30e-6
			u.Intervals = append(u.Intervals, diskio.Interval{Start: ns(start), End: ns(t)})
		}
		kernel = append(kernel, k)
		if i < w.threads {
			user = append(user, u)
			names[u.Thread] = k.Thread
		}
	}
	return user, kernel, names
}

// The cases of notes/kernel.md §2: whatever the hit ratio, the device, the load
// and the drift, all threads find their names, and the lag is right within 5 µs
// everywhere in the log.
func TestThreadsAndClocksAreFoundByCrossCorrelation(t *testing.T) {
	t.Parallel()
	usual := workload{threads: 4, strangers: 2, seconds: 40, rate: 20, hits: 0.5, requests: 1.5, service: 0.005, lag: 12.3456789, seed: 1}
	cases := map[string]func(w *workload){
		"half of the operations hit the cache": func(*workload) {},
		"95 % hit the cache":                   func(w *workload) { w.hits = 0.95 },
		"an SSD":                               func(w *workload) { w.service, w.rate = 0.0001, 100 },
		"saturated: I/O all of the time":       func(w *workload) { w.rate, w.hits = 20_000, 0 },
		"few operations":                       func(w *workload) { w.rate, w.seconds, w.hits = 2, 30, 0 },
		"8 threads among 12":                   func(w *workload) { w.threads, w.strangers, w.seconds = 8, 4, 20 },
		"the log is ahead":                     func(w *workload) { w.lag = -3.21 },
		"a clock of 50 ppm":                    func(w *workload) { w.ppm = 50 },
		"a clock of −100 ppm, saturated":       func(w *workload) { w.ppm, w.rate, w.hits = -100, 20_000, 0 },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := usual
			change(&w)
			user, kernel, names := w.record()
			m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{})
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if len(m.Pairs) != len(names) {
				t.Errorf("%d of %d threads matched: %v", len(m.Pairs), len(names), m.Warnings)
			}
			for _, p := range m.Pairs {
				if names[p.User] != p.Kernel {
					t.Errorf("thread %d is %d in the log, not %d", p.User, names[p.User], p.Kernel)
				}
			}
			for _, at := range []float64{1, w.seconds / 2, w.seconds - 1} {
				there := int64((at - w.lag) / (1 + w.ppm*1e-6) * 1e9)
				if off := float64(m.User(there)) - at*1e9; math.Abs(off) > 5000 {
					t.Errorf("at %v s the clock is off by %.1f µs (drift %.2f ppm)", at, off/1000, m.Drift())
				}
			}
			if m.Contained < 0.99 {
				t.Errorf("%.1f %% of the requests lie inside an operation", 100*m.Contained)
			}
		})
	}
}

// What cannot be told apart is refused, not guessed: a program with constant
// think and service times fits at every period; two recordings that have
// nothing to do with each other fit nowhere.
func TestAmbiguousRecordingsAreRefused(t *testing.T) {
	t.Parallel()
	periodic := workload{threads: 4, strangers: 0, seconds: 30, rate: 20, requests: 1, service: 0.005, periodic: true, lag: 1.5, seed: 2}
	user, kernel, _ := periodic.record()
	if m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{}); err == nil {
		t.Errorf("a strictly periodic program was matched with confidence %.2f", m.Confidence)
	}
	w := workload{threads: 4, strangers: 2, seconds: 30, rate: 20, hits: 0.5, requests: 1.5, service: 0.005, seed: 3}
	user, _, _ = w.record()
	w.seed = 4
	_, kernel, _ = w.record()
	if m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{}); err == nil {
		t.Errorf("recordings of different runs were matched with confidence %.2f: %+v", m.Confidence, m.Pairs)
	}
	if _, err := diskio.MatchThreads(user, nil, diskio.MatchOptions{}); err == nil {
		t.Error("an empty log was matched")
	}
}

// One operation matches 4 threads among 6 in a log of 100 s.
func BenchmarkMatchThreads(b *testing.B) {
	w := workload{threads: 4, strangers: 2, seconds: 100, rate: 20, hits: 0.5, requests: 1.5, service: 0.005, lag: 12.3, seed: 1}
	user, kernel, _ := w.record()
	for _, bin := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
		b.Run(fmt.Sprint("bin=", bin), func(b *testing.B) {
			for b.Loop() {
				if _, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{Bin: bin}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A fast disk answers four saturated threads together, every 70 µs or so: only what is well
// within that tells them apart.
func TestThreadsThatAFastDiskAnswersTogetherAreToldApart(t *testing.T) {
	t.Parallel()
	const threads, reads, lag = 4, 2500, 12_345_678_901
	random := rand.New(rand.NewPCG(8, 8))
	user, kernel := make([]diskio.Track, threads), make([]diskio.Track, threads)
	ready := make([]int64, threads)
	for i := range user {
		user[i].Thread, kernel[i].Thread = int64(i), int64(100+(i+1)%threads)
	}
	for range reads {
		told := slices.Max(ready) + 40_000 + random.Int64N(4_000)
		for k, i := range random.Perm(threads) { // the handler completes one after the other
			end := told + int64(k)*3000
			issued := ready[i] + 2000 + random.Int64N(1000)
			user[i].Intervals = append(user[i].Intervals, diskio.Interval{Start: ready[i], End: end + 3000 + random.Int64N(2000)})
			kernel[i].Intervals = append(kernel[i].Intervals, diskio.Interval{Start: issued + lag, End: end + lag})
			ready[i] = end + 6000 + random.Int64N(1000)
		}
	}
	m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pairs) != threads {
		t.Errorf("%d of %d threads are found again: %v", len(m.Pairs), threads, m.Warnings)
	}
	for _, p := range m.Pairs {
		if p.Kernel != 100+(p.User+1)%threads {
			t.Errorf("thread %d is taken for %d", p.User, p.Kernel)
		}
	}
	if off := math.Abs(m.Lag(lag) + lag); off > 5000 {
		t.Errorf("the lag is off by %.1f µs", off/1000)
	}
}
