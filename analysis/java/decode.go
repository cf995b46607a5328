package java

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

// decode makes a trace of a recording: nested operations become one, starts
// of threads and tasks that pass through executors find their place, locks
// that a thread holds already are not entered again. boot is the CPU time, in
// ns, that a JVM needs before it runs a program, and wall the time: what the agent
// needed besides is not the program's.
func decode(r *recording, j *journal, in *instrumented, boot, wall int64) *trace.Trace {
	d := &decoder{boot: boot, rec: r, log: j, in: in,
		trace: &trace.Trace{Language: "java", Runtime: runtimes.Java(), Overhead: math.NaN(), OverheadOff: math.NaN(), Dropped: r.lost, Cores: j.cores},
		sites: map[string]int32{}, bySite: map[place]int32{}, thread: map[int64]*jthread{}, named: map[uint32]int64{},
		objects: map[uint32]*made{}, parents: map[uint32]uint32{}, conditions: map[uint64]uint64{}, firsts: map[int64]*spawned{}}
	d.selects, d.queues, d.forks = map[int32]bool{}, map[uint64]bool{}, map[int64][]forkEvent{}
	d.futures = futures{trace: d.trace, executors: map[uint64]*executorUse{}, results: map[uint64]bool{}}
	d.readLog()
	d.serves, d.refuses, d.parties = r.served(in.probes), r.refusals(in.probes), r.parties(in.probes)
	for _, id := range slices.Sorted(slices.Values(r.order)) {
		d.operations(d.threadOf(id))
	}
	d.finish()
	if i := slices.IndexFunc(d.trace.Threads, func(th trace.Thread) bool { return th.ID == d.log.main }); i >= 0 {
		joinLast(&d.trace.Threads[i], d.trace.Threads, d.site([]trace.Frame{{Function: "end of the JVM", Std: true}}))
	}
	d.startup(wall)
	for i := range d.trace.Threads {
		th := &d.trace.Threads[i]
		for k := range th.Records {
			th.Records[k].OS = r.kernel[th.ID]
		}
	}
	return d.trace
}

// served returns the executors from which a thread takes tasks.
func (r *recording) served(probes []probe) map[uint32]bool {
	found := map[uint32]bool{}
	for _, hits := range r.threads {
		for i := range hits {
			if h := &hits[i]; int(h.probe) < len(probes) && probes[h.probe].op == trace.OpReceive && probes[h.probe].kind == "executor" {
				found[h.object] = true
			}
		}
	}
	return found
}

// startup lets the program begin when the JVM has started, at wall ns. What of
// this time main does not compute, it waits.
func (d *decoder) startup(wall int64) {
	if wall == 0 {
		return
	}
	d.trace.End += wall
	for i := range d.trace.Threads {
		th := &d.trace.Threads[i]
		for k := range th.Records {
			th.Records[k].Time += wall
		}
		if th.Ended > 0 {
			th.Ended += wall
		}
		if th.ID != d.log.main || len(th.Records) == 0 {
			th.Born += wall
			continue
		}
		begin := trace.Record{Op: trace.OpExternal, Site: d.site([]trace.Frame{{Function: "start of the JVM", Std: true}})}
		end := begin
		d.trace.Start = min(d.boot, th.Records[0].CPU)
		end.End, end.Time = true, max(wall-d.trace.Start, 0)
		th.Records = slices.Concat([]trace.Record{begin, end}, th.Records)
	}
	for i := range d.trace.Objects {
		if o := &d.trace.Objects[i]; o.Time > 0 {
			o.Time += wall
		}
	}
}

type decoder struct {
	rec        *recording
	log        *journal
	in         *instrumented
	trace      *trace.Trace
	sites      map[string]int32
	bySite     map[place]int32
	thread     map[int64]*jthread
	boot       int64
	named      map[uint32]int64 // thread by the identity of its object
	objects    map[uint32]*made
	readLocks  map[uint32]uint32 // read lock → read-write lock
	writeLocks map[uint32]uint32
	parents    map[uint32]uint32  // condition → its lock
	conditions map[uint64]uint64  // → its monitor, or itself
	firsts     map[int64]*spawned // threads by id
	futures    futures
	forks      map[int64][]forkEvent // by thread
	selects    map[int32]bool        // sites of calls of selectors
	queues     map[uint64]bool
	workers    map[uint32][]int64 // executor → its threads
	serves     map[uint32]bool    // executors from which threads take tasks
	refuses    map[uint32]bool    // and whose tasks others run when there is no room
	delayed    []delayedTask
	parties    map[uint32]int64 // how many meet at a phaser
}

// jthread is a thread of the trace.
type jthread struct {
	trace.Thread
	executor uint32 // whose worker it is; 0: none
	task     uint16 // entry probe of what it runs now
	bodies   []runs // which it is in, the innermost last
	call     uint16 // probe of the call in which it is
	fetched  bool   // it has begun to fetch tasks
	after    int64  // ns until the time that a scheduled executor has told last
	timer    timerCall
	clock    clock
}

// runs is the body of a task that a thread runs.
type runs struct {
	probe uint16
	past  int // index of the hit at its end; −1: it never came to that
}

// clock says what CPU time to write where the thread has no clock of its own:
// the time between operations.
type clock struct {
	missing bool
}

func (d *decoder) readLog() {
	d.readLocks, d.writeLocks, d.workers = map[uint32]uint32{}, map[uint32]uint32{}, map[uint32][]int64{}
	for i := range d.log.spawns {
		s := &d.log.spawns[i]
		d.named[s.identity] = s.child
		d.firsts[s.child] = s
	}
	for i := range d.log.made {
		m := &d.log.made[i]
		d.objects[m.identity] = m
		if m.kind == "rwlock" {
			d.readLocks[m.part], d.writeLocks[m.other] = m.identity, m.identity
		}
	}
}

func (d *decoder) threadOf(id int64) *jthread {
	t := d.thread[id]
	if t != nil {
		return t
	}
	t = &jthread{Thread: trace.Thread{ID: id, Creator: -1}}
	t.clock.missing = d.rec.clockless[id]
	if s := d.firsts[id]; s != nil {
		t.Name, t.Born, t.Parent = s.name, s.time, s.parent
		t.Creator = d.site(s.stack)
		t.Start = startFunction(s)
		t.System = len(s.stack) == 0
	} else if id == d.log.main {
		t.Name, t.Start = "main", "main"
	} else {
		t.Name, t.Start, t.System = "jvm", "jvm", true
	}
	d.thread[id] = t
	return t
}

// startFunction is run of the thread's class; for a plain java.lang.Thread it
// is found out from what it does.
func startFunction(s *spawned) string {
	return parseStack(s.class + ";run;;0")[0].Function
}

// site is the index of a calling context in the trace.
func (d *decoder) site(frames []trace.Frame) int32 {
	key := fmt.Sprint(frames)
	if i, ok := d.sites[key]; ok {
		return i
	}
	i := int32(len(d.trace.Sites))
	d.trace.Sites = append(d.trace.Sites, trace.Site{Frames: frames})
	d.sites[key] = i
	return i
}

// place is a probe with the call of the program's, and the task, during which
// it was hit; 0: none.
type place struct{ probe, call, task uint16 }

// siteOf is the site of a probe: its own place and the body of the task.
func (d *decoder) siteOf(at place) int32 {
	if i, ok := d.bySite[at]; ok {
		return i
	}
	frames := []trace.Frame{d.in.probes[at.probe].frame}
	if call := d.in.probes[at.call].frame; at.call != 0 && frames[0].Std {
		frames = append(frames, call)
	}
	if task := d.in.probes[at.task].frame; at.task != 0 && task.Function != frames[len(frames)-1].Function {
		frames = append(frames, task)
	}
	// Places that share a line stay apart: the ways out of a synchronized block.
	i := int32(len(d.trace.Sites))
	d.trace.Sites = append(d.trace.Sites, trace.Site{Frames: frames})
	d.bySite[at] = i
	return i
}

// operations writes the records of a thread.
func (d *decoder) operations(t *jthread) {
	hits := d.rec.threads[t.ID]
	if t.ID == d.log.main {
		for i := range hits {
			hits[i].cpu = max(hits[i].cpu-max(d.log.startup-d.boot, 0), 0)
		}
	}
	hits = d.takeTimers(d.takeForks(t.ID, hits))
	spans, thrown := spansOf(hits, d.in.probes, nil)
	if calls := passedOn(spans, hits, d.in.probes, d.serves); len(calls) > 0 {
		spans, thrown = spansOf(hits, d.in.probes, calls)
	}
	d.trace.Unmatched += thrown
	held := map[uint64]int{}
	for i := range spans {
		s := &spans[i]
		h := s.begin(hits)
		p := &d.in.probes[h.probe]
		d.trace.End = max(d.trace.End, h.time)
		t.call = s.call
		t.leaves(s.from)
		switch {
		case s.kind == spanCall:
			t.tellsTimer(p, h.arg)
		case s.kind == spanTask:
			if !s.inner { // what a barrier does once all are there is not what its thread is for
				d.taskBegins(t, h.probe, s.last)
			}
		case p.op == trace.OpThreadEnd:
			t.Ended = h.time
			d.emit(t, trace.Record{Time: h.time, CPU: h.cpu, Ready: h.ready, Site: -1, Op: trace.OpThreadEnd})
		case p.op == trace.OpSpawn:
			in := outermost(spans, hits, i)
			d.spawn(t, h, in)
			if in != nil && within(spans, hits, i, d.in.probes, delayedExecute) { // who takes all its tasks from the queue
				d.threadOf(int64(h.arg)).fetched = true
			}
		case s.inner:
		default:
			var end *hit24
			if s.last >= 0 {
				end = &hits[s.last]
				if s.cut {
					end = &hit24{time: end.time, cpu: end.cpu, ready: end.ready, probe: h.probe, end: true}
				}
				d.trace.End = max(d.trace.End, end.time)
			}
			d.operation(t, p, h, end, held)
		}
	}
}

// outermost returns the operation inside which hit i of a thread is; nil: none.
func outermost(spans []span, hits []hit24, i int) *hit24 {
	for k := i - 1; k >= 0; k-- {
		if !spans[k].inner && spans[k].last > spans[i].first && spans[k].kind == spanOperation {
			return &hits[spans[k].first]
		}
	}
	return nil
}

// within reports whether hit i of a thread is inside a call of a method.
func within(spans []span, hits []hit24, i int, probes []probe, method string) bool {
	return slices.ContainsFunc(spans[:i], func(s span) bool {
		return s.last > spans[i].first && probes[hits[s.first].probe].meaning.name == method
	})
}

// leaves ends the bodies that a thread has come to the end of before a hit: it goes on with what is around them.
func (t *jthread) leaves(hit int) {
	n := slices.IndexFunc(t.bodies, func(r runs) bool { return r.past >= 0 && r.past < hit })
	if n < 0 {
		return
	}
	t.bodies, t.task = t.bodies[:n], 0
	if n > 0 {
		t.task = t.bodies[n-1].probe
	}
}

// taskBegins learns from the first task what a thread is for.
func (d *decoder) taskBegins(t *jthread, p uint16, past int) {
	t.task, t.bodies = p, append(t.bodies, runs{p, past})
	if t.Start == thread+".run" {
		t.Start = d.in.probes[p].frame.Function
	}
}

// spawn records that a thread was started. One that an executor starts for a
// task begins to fetch tasks before it is given the first.
func (d *decoder) spawn(t *jthread, h *hit24, in *hit24) {
	child := int64(h.arg)
	c := d.threadOf(child)
	site := c.Creator
	rec := trace.Record{Time: h.time, CPU: h.cpu, Ready: h.ready, Site: site, Op: trace.OpSpawn, Value: uint64(child)}
	if in != nil && d.in.probes[in.probe].op == trace.OpSend && d.in.probes[in.probe].kind == "executor" {
		d.employ(c, in.object)
		rec.Site = c.Creator
		d.early(t, c, rec)
		return
	}
	if in != nil { // inside another operation, which has been written already
		d.early(t, c, rec)
		return
	}
	d.emit(t, rec)
}

// employ makes a thread a worker of an executor.
func (d *decoder) employ(c *jthread, executor uint32) {
	c.executor = executor
	if first := d.firsts[c.ID]; first != nil { // it works for the program, whatever of the library it runs
		from := userStack(first.stack)
		if m := d.objects[executor]; from[0].Std && m != nil { // by a thread of the library's
			from = userStack(m.stack)
		}
		c.Creator = d.site(from)
	}
	d.workers[executor] = append(d.workers[executor], c.ID)
}

// early writes the start of a worker where its executor was made: there a fixed
// pool begins, which the JVM fills thread by thread as tasks come, whoever submits them. Any other
// thread that is started inside an operation begins before it.
func (d *decoder) early(t, c *jthread, rec trace.Record) {
	from := rec.Time
	if c.executor != 0 {
		maker := d.thread[d.log.main]
		switch m := d.objects[c.executor]; {
		case m != nil && !(m.thread != d.log.main && inInitializer(m.stack)):
			from, maker = min(from, m.time), d.thread[m.thread]
		case maker != nil && maker != t: // the library's, or of a class that any thread may be the first to use
			from = 0
		}
		if maker != nil && maker != t && len(maker.Records) > 0 {
			t, c.Parent = maker, maker.ID
			last := &t.Records[len(t.Records)-1]
			rec.Time, rec.CPU, rec.Ready = max(from, last.Time), last.CPU, last.Ready // where it made the executor and did nothing recorded since
		}
	}
	at := len(t.Records)
	for at > 0 && (t.Records[at-1].End || t.Records[at-1].Time >= from) {
		at--
	}
	if c.executor == 0 && at > 0 && !t.Records[at-1].End { // the operation that is going on
		at--
	}
	for at < len(t.Records) && t.Records[at].End {
		at++
	}
	if at < len(t.Records) {
		rec.Time, rec.CPU, rec.Ready = t.Records[at].Time, t.Records[at].CPU, t.Records[at].Ready
		c.Born = rec.Time
	}
	t.Records = slices.Insert(t.Records, at, rec)
}

// inInitializer reports whether something was made as a class was initialized.
func inInitializer(stack []trace.Frame) bool {
	return slices.ContainsFunc(stack, func(f trace.Frame) bool { return strings.HasSuffix(f.Function, ".<clinit>") })
}

// operation writes the two records of an operation.
func (d *decoder) operation(t *jthread, p *probe, h, end *hit24, held map[uint64]int) {
	rec := trace.Record{Time: h.time, CPU: h.cpu, Ready: h.ready, Site: d.siteOf(place{h.probe, t.call, t.task}), Op: p.op, Object: uint64(h.object), Arg: int64(h.arg)}
	if !d.adjust(t, p, &rec, h, end, held) {
		return
	}
	switch {
	case p.kind == "executor" && d.futures.executors[rec.Object] == nil && (rec.Op == trace.OpSend || rec.Op == trace.OpReceive):
		d.futures.executors[rec.Object] = &executorUse{latch: latchOf + rec.Object}
	case p.kind == "queue":
		d.queues[rec.Object] = true
	case p.kind == "selector":
		d.selects[rec.Site] = true
	case p.kind == "future":
		d.futures.results[rec.Object] = true
	}
	if p.meaning.name == drainTo && end != nil {
		d.drain(t, rec, end)
		return
	}
	refuses := p.op == trace.OpSend && d.refuses[h.object]
	if refuses {
		rec.Op = trace.OpTrySend
	}
	d.emit(t, rec)
	if end == nil {
		return
	}
	last := rec
	last.Time, last.CPU, last.Ready, last.End, last.Arg = end.time, max(end.cpu, h.cpu), end.ready, true, int64(end.arg)
	if p.kind == stamped { // a stamp is no number
		last.Arg = min(last.Arg&math.MaxInt64, 1)
	}
	switch p.op {
	case trace.OpSend:
		last.Value, last.Arg = uint64(uint32(h.arg)), 1
		if refuses && end.probe != h.probe { // it ran the task itself
			last.Arg = 0
		}
	case trace.OpTrySend:
		last.Value = uint64(uint32(h.arg))
	case trace.OpAccept:
		if p.kind == "socket" {
			if last.Arg = -1; end.arg != 0 {
				last.Arg = 1
			}
		}
	case trace.OpReceive, trace.OpTryReceive:
		last.Value = uint64(uint32(end.arg))
		if last.Arg = 0; end.arg != 0 {
			last.Arg = 1
		}
	}
	d.emit(t, last)
}

// adjust completes an operation; false: it is none for the model.
func (d *decoder) adjust(t *jthread, p *probe, rec *trace.Record, h, end *hit24, held map[uint64]int) bool {
	lock := uint64(h.object)
	if p.kind == "monitor" {
		lock |= monitorOf
		rec.Object = lock
	}
	if p.kind == stamped {
		return d.stamp(t, rec, end, held)
	}
	switch p.op {
	case trace.OpLock, trace.OpTryLock:
		if w := d.writeLocks[h.object]; w != 0 {
			rec.Object = uint64(w)
		} else if l := d.readLocks[h.object]; l != 0 {
			rec.Object, rec.Op = uint64(l), trace.OpRLock
			if p.op == trace.OpTryLock {
				rec.Op = trace.OpTryRLock
			}
		}
		if p.op == trace.OpLock || end != nil && end.arg != 0 {
			held[lock]++
		}
		return held[lock] <= 1 // it is held already: only counted
	case trace.OpUnlock:
		if w := d.writeLocks[h.object]; w != 0 {
			rec.Object = uint64(w)
		} else if l := d.readLocks[h.object]; l != 0 {
			rec.Object, rec.Op = uint64(l), trace.OpRUnlock
		}
		held[lock]--
		if held[lock] < 0 {
			held[lock] = 0
			return false
		}
		return held[lock] == 0
	case trace.OpMake:
		if end != nil {
			d.parents[end.object] = h.object
		}
		return false
	case trace.OpCondWait, trace.OpSignal, trace.OpBroadcast:
		rec.Object = conditionOf | uint64(h.object)
		d.conditions[rec.Object] = lock
	case trace.OpBarrier:
		if n := d.parties[h.object]; n > 0 {
			rec.Arg = n
		} else if m := d.objects[h.object]; m != nil {
			rec.Arg = m.capacity
		} else if p.kind == "exchanger" {
			rec.Arg = 2
		}
	case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
		if p.arg == 0 {
			rec.Arg = 1
		}
	case trace.OpSend:
		return !d.delays(t, p, *rec, h.arg)
	case trace.OpSleep:
		if p.meaning.name == triggerTime {
			t.after = rec.Arg
			return false
		}
		rec.Arg *= 1e3 // probes say it in µs
	case trace.OpJoin:
		return d.join(t, p, rec, h, end)
	case trace.OpPark:
		rec.Object = parkOf | uint64(t.ID)
	case trace.OpClose:
		if p.kind == "interrupt" {
			rec.Object = interruptOf | uint64(d.named[h.object])
		}
	case trace.OpUnpark:
		rec.Object = parkOf | uint64(d.named[h.object])
	case trace.OpWaitGroup:
		return p.meaning.name != "isDone" || end != nil && end.arg != 0
	case trace.OpCount:
		if rec.Arg = 1; p.arg > 0 {
			rec.Arg = int64(h.arg)
		} else if strings.Contains(strings.ToLower(p.meaning.name), "decrement") {
			rec.Arg = -1
		}
	case trace.OpReceive:
		if p.kind == "executor" {
			rec.Site, t.task, t.bodies = d.siteOf(place{probe: h.probe}), 0, nil
			if t.executor == 0 { // started while nothing was recorded, as a server warms up: its first task was not either
				d.employ(t, h.object)
				t.fetched = true
			}
			d.firstTask(t, rec)
		}
	}
	return true
}

// Objects that are no objects of their own in Java get numbers above theirs.
const (
	conditionOf = 1 << 33 // + identity of the monitor or Condition
	parkOf      = 1 << 34 // + id of the thread
	monitorOf   = 1 << 37 // + identity: a queue may be one, a lock, and have a monitor
)

// firstTask writes, once, that a worker fetched its first task: an executor hands it
// over with the thread, beside the queue.
func (d *decoder) firstTask(t *jthread, rec *trace.Record) {
	if t.fetched || t.executor == 0 {
		return
	}
	t.fetched = true
	first := trace.Record{Time: t.Born, Site: rec.Site, Op: trace.OpReceive, Object: rec.Object}
	got := first
	got.End, got.Arg = true, 1
	t.Records = slices.Insert(t.Records, 0, first, got)
}

// join writes which thread was waited for: of an executor all of its threads.
func (d *decoder) join(t *jthread, p *probe, rec *trace.Record, h, end *hit24) bool {
	if end == nil {
		return false
	}
	ids := []int64{d.named[h.object]}
	if p.kind == "executor" {
		ids = d.workers[h.object]
	}
	at, cpu := rec.Time, rec.CPU
	for _, id := range ids {
		if id == 0 {
			continue
		}
		start := *rec
		start.Time, start.CPU, start.Value, start.Object, start.Arg = at, cpu, uint64(id), 0, 0
		last := start
		at, cpu = end.time, max(end.cpu, h.cpu)
		last.Time, last.CPU, last.Ready, last.End = at, cpu, end.ready, true
		d.emit(t, start)
		d.emit(t, last)
	}
	return false
}

// withMakings returns the records of a thread with where it made queues and semaphores:
// which of several that are made at one place a thread uses depends on that.
func (d *decoder) withMakings(t trace.Thread) []trace.Record {
	var with []trace.Record
	from := 0
	for i := range d.log.made {
		m := &d.log.made[i]
		if m.thread != t.ID || m.kind != "queue" && m.kind != "semaphore" || len(m.stack) == 0 {
			continue
		}
		at := from
		for at < len(t.Records) && (t.Records[at].Time <= m.time || t.Records[at].End) { // not within an operation
			at++
		}
		with, from = append(with, t.Records[from:at]...), at
		made := trace.Record{Time: m.time, Op: trace.OpMake, Object: uint64(m.identity), Arg: m.capacity, Site: d.site(userStack(m.stack))}
		if n := len(with); n > 0 {
			before := &with[n-1]
			made.Time, made.CPU, made.Ready = max(made.Time, before.Time), before.CPU, before.Ready
		}
		with = append(with, made)
	}
	return append(with, t.Records[from:]...)
}

// emit appends a record. Clocks of a thread never go back.
func (d *decoder) emit(t *jthread, r trace.Record) {
	if n := len(t.Records); n > 0 {
		before := &t.Records[n-1]
		r.Time, r.Ready = max(r.Time, before.Time), max(r.Ready, before.Ready)
		if t.clock.missing {
			r.CPU = before.CPU
			if !r.End {
				r.CPU += r.Time - before.Time
			}
		}
		r.CPU = max(r.CPU, before.CPU)
	} else if t.clock.missing {
		r.CPU = max(r.Time-t.Born, 0)
	}
	t.Records = append(t.Records, r)
}

// finish completes the trace.
func (d *decoder) finish() {
	d.bagForks()
	for _, t := range d.thread {
		d.nameStart(t)
	}
	d.finishDelays()
	starters := d.starters()
	d.knowFirstTasks()
	d.uniteWorkers(starters)
	for _, t := range d.thread {
		t.Records = d.withMakings(t.Thread)
		d.trace.Threads = append(d.trace.Threads, t.Thread)
	}
	slices.SortFunc(d.trace.Threads, func(a, b trace.Thread) int { return cmp.Compare(a.ID, b.ID) })
	for _, m := range d.objects { // a constructor that calls another one tells twice
		o := trace.Object{ID: uint64(m.identity), Kind: m.kind, Capacity: m.capacity, Elem: 8, Site: -1, Time: m.time}
		if len(m.stack) > 0 {
			o.Site = d.site(userStack(m.stack))
		}
		d.trace.Objects = append(d.trace.Objects, o)
	}
	for e := range d.futures.executors { // of a class of the program's, which has copied the library's
		if d.objects[uint32(e)] == nil {
			d.trace.Objects = append(d.trace.Objects, trace.Object{ID: e, Kind: "executor", Capacity: -1, Elem: 8, Site: -1})
		}
	}
	for q := range d.queues { // of a class whose constructors tell nothing: none of those has a limit
		if d.objects[uint32(q)] == nil {
			d.trace.Objects = append(d.trace.Objects, trace.Object{ID: q, Kind: "queue", Capacity: -1, Elem: 8, Site: -1})
		}
	}
	for c, parent := range d.conditions {
		if lock, ok := d.parents[uint32(c)]; ok && parent&monitorOf == 0 {
			parent = uint64(lock)
		}
		d.trace.Objects = append(d.trace.Objects, trace.Object{ID: c, Kind: "condition", Capacity: -1, Elem: -1, Site: -1, Parent: parent})
	}
	slices.SortFunc(d.trace.Objects, func(a, b trace.Object) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.ID, b.ID))
	})
	naps(d.trace)
	interrupts(d.trace)
	d.futures.completedStages()
	d.futures.settle()
	startThreads(d.trace, starters)
	enterBySelect(d.trace, d.selects)
}

// nameStart finds out what a thread runs that was started without a class of its own.
func (d *decoder) nameStart(t *jthread) {
	if t.Start == thread+".run" && len(t.Records) > 0 {
		for _, r := range t.Records {
			if r.Site >= 0 {
				if f := d.trace.Sites[r.Site].Frames[0]; !f.Std {
					t.Start = f.Function
					break
				}
			}
		}
	}
	if m := d.objects[t.executor]; t.Start == thread+".run" && t.executor != 0 && m != nil { // it runs only tasks of the library's
		t.Start = "pool of " + userStack(m.stack)[0].Function
	}
}

// userStack leaves out the constructors of the JDK's own classes.
func userStack(fs []trace.Frame) []trace.Frame {
	for i, f := range fs {
		if !f.Std {
			return fs[i:]
		}
	}
	return fs
}
