package calibrate

import (
	"math"
	"math/rand/v2"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

// Of the program that compiles records: threads, the pieces of 1 ms that each computes in all, and the
// speed of what is not compiled.
const (
	threads, pieces = 4, 600
	uncompiled      = 0.25
	compiler        = 0.4  // CPU time of the compiler until all is compiled, s
	hot             = 0.1  // of what the threads compute when the code that they spend their time in begins to be compiled, s
	method          = .175 // CPU time that this takes the compiler, s
)

// worker is a thread of that program while it is recorded.
type worker struct {
	left, spent float64 // of its piece, ns
	todo        int     // pieces
	cpu         int64   // ns
}

// begin draws a piece of 0.95 to 1.05 ms.
func (w *worker) begin(r *rand.Rand) { w.left, w.spent = 1e6*(0.95+0.1*r.Float64()), 0 }

// compiles is the recording of threads that compute pieces on so many cores, and of a compiler that
// shares these evenly with them until all is compiled. Until what they spend their time in is, they are slow, and slower by
// company where both cores compute for the program. cpu is what the threads used, in s.
func compiles(cores, company float64) (tr *trace.Trace, cpu float64) {
	const work, tick, period = compiler * 1e9, 1e4, 10e6 // ns
	random := rand.New(rand.NewPCG(1, 2))
	site := func(function string, line int) trace.Site {
		return trace.Site{Frames: []trace.Frame{{Function: function, File: "main.go", Line: line}}}
	}
	tr = &trace.Trace{Program: "script", Runtime: runtimes.Java(), Cores: 2, Compilers: 1,
		Sites:   []trace.Site{site("main.main", 1), site("main.worker", 2)},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1}}}
	ws := make([]worker, threads)
	for i := range ws {
		id := int64(i + 2)
		tr.Threads[0].Records = append(tr.Threads[0].Records, trace.Record{Op: trace.OpSpawn, Value: uint64(id)})
		tr.Threads = append(tr.Threads, trace.Thread{ID: id, Parent: 1, Start: "main.worker"})
		ws[i].todo = pieces
		ws[i].begin(random)
	}
	done, reported, progress, now, next := 0.0, 0.0, 0.0, 0.0, period
	fast := math.Inf(1) // what the compiler has done when it is compiled
	for alive := threads; alive > 0; {
		share, speed := min(1, cores/float64(alive)), 1.0
		if done < work {
			share = min(1, cores/float64(alive+1))
			done = min(work, done+share*tick)
		}
		if progress >= hot*1e9 {
			fast = min(fast, done+method*1e9)
		}
		if done < fast {
			speed = uncompiled
		}
		if own := share * float64(alive); speed < 1 && own > 1 { // two cores compute for own−1 of the time, else one
			both := 2 * (own - 1) / own // of the CPU time that they use
			speed = both/(1/speed+company) + (1-both)*speed
		}
		now += tick
		for i := range ws {
			w, th := &ws[i], &tr.Threads[i+1]
			if w.todo == 0 {
				continue
			}
			w.left -= share * tick * speed
			progress += share * tick * speed
			w.spent += share * tick
			if w.left > 0 {
				continue
			}
			w.cpu += int64(w.spent)
			cpu += w.spent * 1e-9
			r := trace.Record{Time: int64(now), CPU: w.cpu, Site: 1, Op: trace.OpFileRead}
			th.Records = append(th.Records, r, trace.Record{Time: r.Time, CPU: r.CPU, Site: 1, Op: r.Op, End: true, Arg: 1})
			th.Ended = r.Time + 1
			if w.begin(random); w.todo == 1 {
				alive--
			}
			w.todo--
		}
		if now >= next {
			c := trace.Compiling{Start: int64(next - period), End: int64(next), CPU: int64(done - reported)}
			if done < work {
				c.Ready = int64(period) - c.CPU
			}
			tr.Compiler, reported, next = append(tr.Compiler, c), done, next+period
		}
	}
	tr.Threads[0].Ended, tr.End = int64(now)+1, int64(now)+1
	return tr, cpu
}
