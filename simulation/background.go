package simulation

import (
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/processor"
)

// burden is background work on the CPU at run time: garbage collection, JIT
// compilation, a load generator on the same machine.
type burden struct {
	threads  []int32
	rest     []des.Time // CPU time that each thread still has to spend on the unit
	working  int        // threads that have not ended the unit
	missed   int        // units that became due while one was under way
	due      float64    // cpu: CPU time used by the model at which the next unit starts, ns
	own      float64    // CPU time that burdens have used themselves, ns,
	before   float64    // and until the last restart
	arrivals int        // arrival: until the next unit
	started  bool       // warmup: the program's code is slow from now on
	known    int        // stages whose time to come is known
	warming             // warmup
	duty     float64    // share of a core that one thread may use
	chunk    des.Time   // CPU time between two rests
}

// burdenChunk is how long a thread that may use only part of a core computes
// before it rests: Go's fractional collector looks at its share this often. What a
// compiler has used is known as exactly.
const burdenChunk = des.Millisecond

func (r *replica) startBackground() {
	r.burdens = make([]burden, len(r.program.background))
	for i := range r.program.background {
		def, b := &r.program.background[i], &r.burdens[i]
		n := def.Threads
		b.duty = 1
		if def.Share > 0 {
			cores := def.Share * float64(r.cpu.Cores)
			n = max(1, min(n, int(cores)))
			b.duty = min(1, cores/float64(n))
		}
		for range n {
			t := r.newThread()
			th := r.threads[t]
			th.burden, th.unusual = int32(i), burdens
			r.processor.SetWeight(t, orOne(def.Weight))
			r.processor.SetSystem(t)
			b.threads = append(b.threads, t)
			b.rest = append(b.rest, 0)
		}
		b.started = def.Start == 0
		b.warming = newWarming(def, n)
		r.nextUnit(int32(i))
	}
	r.setSlowness()
}

// nextUnit determines when the next unit of work is due.
func (r *replica) nextUnit(i int32) {
	def, b := &r.program.background[i], &r.burdens[i]
	switch def.Trigger {
	case core.EveryPeriod:
		r.background++
		r.After(max(1, r.draw(&def.interval, def.stream)), onBackground, i)
	case core.EveryCPU:
		b.due = r.modelWork() + max(1, 1e9*def.interval.Draw(&r.random[def.stream]))
		r.background++
		r.watchWork(i)
	case core.EveryArrival:
		b.arrivals = max(1, def.interval.Count(&r.random[def.stream]))
	case core.WarmingUp:
		if !b.started {
			b.due = 1e9 * def.Start
			r.background++
			r.watchWork(i)
		} else if b.known < len(def.Stages) {
			b.due = 1e9 * def.Stages[b.known].After
			b.known++
			r.background++
			r.watchWork(i)
		}
	}
}

// modelWork is the CPU time that the model's own threads would have used for their
// own work if all had been compiled, in ns: the collector's work that they did on the
// side is no reason to collect.
func (r *replica) modelWork() float64 {
	used, _ := r.processor.Work()
	work := r.workBefore + used - r.assisted
	for i := range r.burdens {
		work -= r.burdens[i].own
	}
	return work
}

// setSlowness makes the model's threads as slow as their code is that is not compiled yet.
func (r *replica) setSlowness() {
	var slow processor.Slowness
	for i := range r.burdens {
		if b := &r.burdens[i]; b.started {
			of := b.slowness(r.program.background[i].Stages)
			slow.Alone += of.Alone
			slow.Company += of.Company
		}
	}
	if slow != r.slow {
		r.slow = slow
		r.processor.SetSlowness(slow)
	}
}

// watchWork looks again when the CPU time could have been used at the earliest:
// with all cores busy, and soon at full speed.
func (r *replica) watchWork(i int32) {
	left := (r.burdens[i].due - r.modelWork()) / float64(r.cpu.Cores)
	r.After(max(des.Microsecond, des.Time(left)), onBackground, i)
}

// watchOn is watchWork between two events: before the next one no other core begins to compute.
func (r *replica) watchOn(i int32) {
	next := r.Upcoming()
	if next == des.Never { // nothing else will happen, which is for others to notice
		r.watchWork(i)
		return
	}
	_, running := r.processor.Work()
	left, until := r.burdens[i].due-r.modelWork(), float64(next-r.Now())
	if meanwhile := float64(running) * until; left > meanwhile {
		left = until + (left-meanwhile)/float64(r.cpu.Cores)
	} else {
		left /= float64(running)
	}
	r.After(max(des.Microsecond, des.Time(left)), onBackground, i)
}

// burdenEvent: a unit is due, the CPU time may have been used, or a thread has
// rested.
func (r *replica) burdenEvent(i int32) {
	n := int32(len(r.burdens))
	if i >= n { // a thread of the burden goes on
		t := i - n
		th := r.threads[t]
		th.since = r.Now()
		if work := r.nextChunk(t, th); work > 0 { // else other threads have taken the rest of a stage
			r.processor.Submit(t, work, none)
		}
		return
	}
	if r.program.background[i].followsWork() && r.burdens[i].due > r.modelWork()+1 {
		r.background++
		r.watchOn(i)
		return
	}
	switch b := &r.burdens[i]; {
	case r.program.background[i].Trigger != core.WarmingUp:
		r.startUnit(i)
	case b.started:
		r.startStage(i)
	default:
		b.started = true
		r.setSlowness()
	}
	r.nextUnit(i)
}

// arrivalBurdens counts an arrival for the burdens that it triggers.
func (r *replica) arrivalBurdens() {
	for i := range r.burdens {
		if b := &r.burdens[i]; b.arrivals > 0 {
			if b.arrivals--; b.arrivals == 0 {
				r.startUnit(int32(i))
				r.nextUnit(int32(i))
			}
		}
	}
}

// startUnit starts a unit of work, or notes that it must follow the present one.
func (r *replica) startUnit(i int32) {
	def, b := &r.program.background[i], &r.burdens[i]
	if b.working > 0 {
		b.missed++
		return
	}
	if pause := r.draw(&def.pause, def.stream); pause > 0 {
		r.processor.Pause()
		r.After(pause, onUnpause, 0)
	}
	demand := r.draw(&def.demand, def.stream)
	assist := des.Time(float64(demand) * def.Assist)
	r.assistDebt += assist
	each := (demand - assist) / des.Time(len(b.threads))
	for k, t := range b.threads {
		b.rest[k] = each
		b.working++
		th := r.threads[t]
		th.since = r.Now()
		r.processor.Submit(t, r.nextChunk(t, th), r.core)
	}
}

// hasMore reports whether there is anything to do for thread k of a burden.
func (b *burden) hasMore(def *backgroundDef, k int) bool {
	if def.Trigger == core.WarmingUp {
		return b.next(def.Stages) >= 0
	}
	return b.rest[k] > 0
}

// nextChunk takes what a thread of a burden computes next from what is left, 0 if that is nothing.
func (r *replica) nextChunk(t int32, th *thread) (work des.Time) {
	b := &r.burdens[th.burden]
	k := slices.Index(b.threads, t)
	if def := &r.program.background[th.burden]; def.Trigger == core.WarmingUp {
		work = b.take(def.Stages, k)
	} else {
		work = b.rest[k]
		if b.duty < 1 {
			work = min(work, burdenChunk)
		}
		b.rest[k] -= work
	}
	b.chunk = work
	return work
}

// burdenEnded: a thread of a burden has computed its chunk.
func (r *replica) burdenEnded(t int32, th *thread, used des.Time) (des.Time, bool) {
	def, b := &r.program.background[th.burden], &r.burdens[th.burden]
	b.own += float64(used)
	k := slices.Index(b.threads, t)
	if def.Trigger == core.WarmingUp && b.ended(k) {
		r.setSlowness()
	}
	switch more := b.hasMore(def, k); {
	case more && b.duty == 1:
		return r.nextChunk(t, th), true
	case more:
		rest := des.Time(float64(b.chunk) * (1/b.duty - 1))
		r.After(rest, onBackground, int32(len(r.burdens))+t)
		r.background++
		return 0, false
	}
	if def.Trigger == core.WarmingUp {
		b.at[k] = none
	} else if b.working--; b.working == 0 && b.missed > 0 {
		b.missed--
		r.again = append(r.again, th.burden)
		r.Restless = true
	}
	return 0, false
}

// assist returns the collector's work that a burst has to do as well: as much
// as its own, until the debt of the present unit is paid, so that threads pay
// in proportion to their use of the CPU.
func (r *replica) assist(work des.Time) des.Time {
	paid := min(r.assistDebt, work)
	r.assistDebt -= paid
	r.assisted += float64(paid)
	return paid
}
