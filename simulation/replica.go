package simulation

import (
	"context"
	"fmt"

	"tierscope/simulation/des"
	"tierscope/simulation/processor"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// Kinds of events.
const (
	onProcessor  des.Kind = iota // target: of the processor
	onDelay                      // thread: its delay has ended
	onTimeout                    // thread: its wait has lasted too long
	onArrival                    // source
	onThink                      // source: one of its users has done thinking
	onCome                       // source: one of its tasks has come to the program
	onPatience                   // task: it leaves its queue
	onFull                       // source: the task that it waits with has found no room
	onDisk                       // disk request
	onBackground                 // background
	onUnpause                    // all cores go on
)

// replica is one replication of a program: the state of its simulation. It
// belongs to one goroutine.
type replica struct {
	*program
	des.Engine
	processor processor.Scheduler
	table     *resource.Table
	random    []des.Stream // by number of stream

	steps      []step // by fragment
	threads    []*thread
	idle       []int32 // numbers of threads that have ended, to be given again
	dying      []int32 // ended during the present event
	tasks      []task
	freeTask   int32
	pools      []poolState
	joins      []*resource.Join // by spawned pool
	sources    []sourceState
	solo       *solo // that the model is, or nil
	objects    []objectState
	copies     []instance         // of locks and queues
	conditions map[[2]int32]int32 // copies of condition variables, by object and copy of their lock
	disks      []diskState
	caches     []cacheState
	burdens    []burden           // background
	slow       processor.Slowness // of what is not compiled

	woken      []wakeUp // threads that may go on, oldest first
	served     int      // of woken
	core       int32    // on which the present thread runs, or none
	burst      int32    // the present thread, where that runs on a core
	clock      bool     // its timer has expired
	near       bool     // who sends is about to wait for who receives
	settingUp  bool     // the threads from the start come to where they wait when the first task arrives
	order      []int32  // of select cases
	cases      []resource.Case
	inSystem   int     // tasks
	background int     // pending events that do not keep the model alive
	again      []int32 // burdens whose next unit must start when the present event is over
	assistDebt des.Time
	assisted   float64 // paid of it since time 0, ns
	workBefore float64 // CPU time used before the last restart, ns
	watchful   bool    // something has to be looked at after every event
	finished   bool
	limits     limits
	lastLook   des.Time // of look,
	still      int      // events since the clock moved,
	looks      int
	halted     bool   // finished by a deadlock, or a defect
	defect     string // of the model, found by executing it

	followed followed

	accounts
	observer Observer
	tape     *tape // nil: no timeline
}

// wakeUp is a blocked or new thread that may go on, and why.
type wakeUp struct {
	thread  int32
	outcome resource.Outcome
	item    int32
	near    bool // who wakes it is about to wait for it
}

// cancelEvery is the number of events between two looks at the context.
const cancelEvery = 1 << 12

// start returns a replication at time 0.
func (p *program) start(seed, index uint64, spans int) replication {
	return p.replica(seed, index, spans, nil)
}

func (p *program) replica(seed, index uint64, spans int, o Observer) *replica {
	return p.within(usualLimits, seed, index, spans, o)
}

// within is replica under other limits than usual.
func (p *program) within(l limits, seed, index uint64, spans int, o Observer) *replica {
	r := &replica{program: p, freeTask: none, core: none, observer: o, limits: l.of(p)}
	r.random = make([]des.Stream, len(p.streams))
	for i, identity := range p.streams {
		r.random[i] = des.NewStream(seed, index, identity)
	}
	r.processor = processor.New(r, p.cpu, &r.Engine, onProcessor, func(purpose string) des.Stream {
		return des.NewStream(seed, index, hashOf(purpose, p.cpuStream))
	})
	r.table = resource.NewTable(r, 0)
	for range p.spawnPools {
		r.joins = append(r.joins, resource.NewJoin(r.table))
	}
	r.makeObjects()
	r.makeDisks(seed, index)
	r.makeCaches()
	r.makeSteps()
	r.accounts.init(r)
	r.pools = make([]poolState, len(p.pools))
	for i := range r.pools {
		r.pools[i].spawners = list{none, none}
	}
	r.followScripts()
	r.settingUp = true
	for i := range p.pools {
		if p.pools[i].kind == coreFixed {
			for range p.pools[i].size {
				r.startThread(int32(i), none, none)
			}
		}
	}
	r.startBackground()
	r.drain()
	r.settingUp = false
	r.startSources()
	if spans > 0 {
		r.record(spans)
	}
	r.makeDesks()
	r.makeSolo()
	r.drain()
	if r.tape != nil {
		r.tape.look(r)
	}
	r.watchful = r.tape != nil || len(r.burdens) > 0 || r.scripts != nil
	r.Restless = r.watchful
	return r
}

// advance executes all events up to and including a time.
func (r *replica) advance(ctx context.Context, until des.Time) {
	for !r.finished {
		if ctx.Err() != nil {
			return
		}
		var more bool
		if r.solo != nil {
			more = r.inRushes(until, cancelEvery)
		} else {
			more = r.advanceSome(until, cancelEvery)
		}
		if more {
			r.look()
			continue
		}
		if until != des.Never {
			r.AdvanceTo(until)
		}
		return
	}
}

// advanceSome executes so many events, or some more, up to and including a time, and
// reports whether there may be more.
func (r *replica) advanceSome(until des.Time, events int) bool {
	for enough := r.Executed() + int64(events); r.Executed() < enough; {
		ev, ok := r.NextUntil(until)
		if !ok {
			if r.finished || r.Pending() > r.background {
				return false
			}
			r.stalled()
			return true
		}
		switch ev.Kind {
		case onProcessor:
			r.processor.Expire(ev.Target)
			if len(r.woken) > 0 {
				r.drain()
			}
			r.core = none
		case onArrival:
			r.arrival(ev.Target)
		default:
			r.execute(ev)
		}
		if r.Restless {
			if r.settle(); r.finished {
				break
			}
		}
	}
	return true
}

// settle does what is left to do after an event.
func (r *replica) settle() {
	r.Restless = r.watchful
	r.drain()
	if r.watchful {
		r.watch()
	}
}

// watch takes the looks that a replication takes after every event if it records a
// timeline, or has background work, which goes on when all else has ended, or follows scripts.
func (r *replica) watch() {
	if r.tape != nil && r.tape.Recording.Recording() {
		r.tape.look(r)
	}
	switch left := r.Pending() - r.background; {
	case r.finished:
	case left == 0:
		r.stalled()
	case left == 1 && r.scripts != nil && r.processor.Balancing(): // in vain, as nobody has a core
		r.goOn()
	case r.followed.halts:
		if r.followed.halts = false; r.scripts != nil && r.stuck() {
			r.goOn()
		}
	}
}

// execute executes an event of a rarer kind.
func (r *replica) execute(ev des.Event) {
	switch ev.Kind {
	case onDelay:
		at := r.threads[ev.Target].at
		r.clock = at != none && r.fragments[at].timer
		r.proceed(ev.Target, resource.Granted, resource.NoItem)
		r.clock = false
	case onTimeout:
		r.timedOut(ev.Target)
	case onThink:
		r.thought(ev.Target)
	case onCome:
		r.came(ev.Target)
	case onPatience:
		r.impatient(ev.Target)
	case onFull:
		r.tooLate(ev.Target)
	case onDisk:
		r.diskEvent(ev.Target)
	case onBackground:
		r.background--
		r.burdenEvent(ev.Target)
	case onUnpause:
		r.processor.Unpause()
	}
}

// drain lets all woken threads go on, in the order of their wake-ups.
func (r *replica) drain() {
	for r.served < len(r.woken) {
		w := r.woken[r.served]
		if r.served++; r.served > r.limits.standstill {
			r.fail("the clock stands still: threads wake each other more than %d times at %s without time passing; give a time to what goes round", r.limits.standstill, r.Now())
			break
		}
		if w.near {
			r.processor.Near(w.thread)
		}
		r.proceed(w.thread, w.outcome, w.item)
	}
	r.woken, r.served = r.woken[:0], 0
	if r.tape != nil {
		r.tape.actor = none
	}
	if len(r.again)|len(r.dying) > 0 && r.core == none {
		r.cleanUp()
	}
}

// cleanUp starts the units of background work that must follow others, and
// buries the threads that have ended.
func (r *replica) cleanUp() {
	again := r.again
	r.again = r.again[:0]
	for _, i := range again {
		r.startUnit(i)
	}
	r.bury()
}

// Resume implements resource.Host.
func (r *replica) Resume(t resource.Thread, o resource.Outcome, item int32) {
	r.wake(wakeUp{int32(t), o, item, r.near})
}

// wake lets a thread go on as soon as the present event is over, or drain is called.
func (r *replica) wake(w wakeUp) {
	if th := r.threads[w.thread]; th.looks != 0 {
		r.endLooking(w.thread, th)
	}
	r.woken = append(r.woken, w)
	r.Restless = true
	if r.tape != nil {
		r.tape.woke(r, w.thread)
	}
}

// finish ends the replication.
func (r *replica) finish() { r.finished, r.Restless = true, true }

// proceed lets a thread that occupies no core go on after its wait, until it
// needs a core, waits again, or ends.
func (r *replica) proceed(t int32, o resource.Outcome, item int32) {
	th := r.threads[t]
	if r.tape != nil {
		r.tape.actor = t
	}
	if th.at != none && o == resource.Granted {
		if s := &r.steps[th.at]; s.direct && th.timer == (des.Timer{}) {
			r.handed(t, th, s, item)
			return
		}
	}
	if th.source != none {
		r.sourceResumed(th.source)
		return
	}
	if o == resource.Retry {
		r.charge(th)
		th.spun = 0
		th.unusual, th.state = th.unusual|retries, inReady
		r.processor.Submit(t, 0, r.core)
		return
	}
	goesOn := r.program.standIns && r.goesOn(t, th)
	r.endWait(t, th)
	if !r.resumed(t, th, o, item) {
		return
	}
	if work, computes := r.toCore(t, th); computes {
		if goesOn {
			r.processor.GoesOn(t)
		}
		waker := r.core
		if r.clock {
			waker = processor.Clock
		}
		r.processor.Submit(t, work, waker)
	}
}

// BurstEnded implements processor.Host: a thread goes on, which occupies a core. Of most
// servers it is the end of one task and the beginning of the next.
func (r *replica) BurstEnded(t, core int32, used des.Time) (work des.Time, computes bool) {
	th, now := r.threads[t], r.Now()
	r.core, r.burst = core, t
	if x := th.desk; x != nil {
		return r.nextAtDesk(t, th, x, used, now)
	}
	r.chargeBurst(th, used, now)
	if th.unusual == 0 && r.assistDebt == 0 {
		s := &r.steps[th.at]
		if next := th.then; next != nil { // and goes on computing
			s.leave(th, now)
			th.entered, th.then = now, r.steps[th.at].then
			return next.Time(), true
		}
		if u := s.turn; u != nil && th.task != none {
			s.leave(th, now)
			return r.takeTurn(t, th, u, now)
		}
		if s.onward != elsewhere {
			if next := r.goOnward(t, th, s, now); next != nil {
				return next.Time(), true
			}
		}
	}
	return r.burstEnded(t, th, used)
}

// burstEnded is BurstEnded for a thread that does anything else.
func (r *replica) burstEnded(t int32, th *thread, used des.Time) (work des.Time, computes bool) {
	switch {
	case th.unusual&burdens != 0:
		work, computes = r.burdenEnded(t, th, used)
	case th.unusual&rings != 0:
		work, computes = r.rung(t, th)
	case th.unusual&retries != 0:
		work, computes = r.retried(t, th)
	case th.unusual&spins != 0:
		work, computes = r.spun(t, th)
	case th.unusual&returns != 0:
		th.unusual &^= returns
		work, computes = r.walk(t, th)
	default:
		if s := &r.steps[th.at]; s.plain {
			s.leave(th, r.Now())
		} else {
			r.choose(t, th, s)
		}
		work, computes = r.walk(t, th)
	}
	if !computes && len(r.woken) > 0 {
		r.drain() // before the core is free
	}
	return work, computes
}

// fail stops the replication because of a defect of the model.
func (r *replica) fail(format string, args ...any) {
	if r.defect == "" {
		r.defect = fmt.Sprintf(format, args...)
	}
	r.halted = true
	r.finish()
}

func (r *replica) now() des.Time    { return r.Now() }
func (r *replica) ended() bool      { return r.finished }
func (r *replica) completed() int64 { return r.completedBefore + r.completions() }
func (r *replica) executed() int64  { return r.Executed() }

// draw draws a time.
func (r *replica) draw(s *variate.Sampler, stream int32) des.Time { return s.Time(&r.random[stream]) }
