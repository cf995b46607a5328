package native

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/core"
)

// decode turns a recording into a trace: addresses as calls and objects, and operations as a trace knows them. ends: the
// program was to end by itself.
func (r *recording) decode(names *addresses, ends bool) *trace.Trace {
	d := &decoder{
		recording: r, names: names, objects: newObjectTable(), alive: map[uint64]int64{}, threads: map[int64]*thread{},
		moved: moves{in: map[[2]uint64][]uint64{}}, besides: map[beside]int32{}, marked: marked{names: r.names(), sites: map[fragmentSite]int32{}},
		trace: &trace.Trace{Language: "native", Runtime: runtimes.Native(), Overhead: math.NaN(), OverheadOff: math.NaN()},
	}
	r.takeTasks()
	r.results()
	d.sites()
	d.regions = r.separate()
	for _, id := range slices.Sorted(maps.Keys(r.threads)) {
		d.threads[id] = &thread{Thread: trace.Thread{ID: id, Creator: -1}, open: -1, zero: r.threads[id].hits[0].cpu, os: r.threads[id].os, held: map[uint64]int{}, writes: map[uint64]bool{}}
		d.threads[id].Records = make([]trace.Record, 0, recordsFrom(r.threads[id].hits))
		d.order = append(d.order, d.threads[id])
	}
	all := r.inOrder()
	d.teamwork = r.phases(d.regions)
	for _, e := range all {
		d.event(d.threads[e.thread], e.hit)
	}
	for _, th := range d.order {
		d.finish(th)
		d.trace.Threads = append(d.trace.Threads, th.Thread)
	}
	d.trace.Objects = d.objects.list
	if ends && d.over {
		endIdle(d.trace)
	}
	hiddenStocks(d.trace)
	hiddenLocks(d.trace)
	patient(d.trace)
	birthplaces(d.trace)
	joinsFirst(d.trace)
	stocks(d.trace)
	promises(d.trace)
	return d.trace
}

type decoder struct {
	recording *recording
	names     *addresses
	trace     *trace.Trace
	objects   *objectTable
	alive     map[uint64]int64 // pthread_t → thread
	threads   map[int64]*thread
	order     []*thread
	moved     moves
	marked    marked
	regions   map[uint64]*region
	teamwork  map[uint32]uint32 // contexts in which threads of a team share out work → the one that stands for them
	besides   map[beside]int32  // sites that stand for what teams do
	tasks     bool              // threads of teams execute tasks of OpenMP that were not recorded
	over      bool              // the process ended by itself
}

// thread is what is known of a thread while it is decoded.
type thread struct {
	trace.Thread
	os     int32
	zero   int64           // CPU ns at its first record
	sys    int64           // ns inside system calls
	open   int             // index of the start record without an end yet, −1: none
	held   map[uint64]int  // locks → how often it has them
	writes map[uint64]bool // read-write locks that it has for writing
	joins  int64           // thread that it waits for
	teams  []*part         // its parts in parallel regions, outermost first
	met    trace.Record    // the start of a meeting of a team
	left   int64           // CPU ns of the system's clock when it began to wait for a team
	within []uint64        // fragments that a programmer marked, by their names' addresses, outermost first
}

// recordsFrom is how many records of a trace hits make at most.
func recordsFrom(hits []hit) int {
	n := len(hits)
	for i := range hits {
		if hits[i].both {
			n++
		}
	}
	return n
}

// event is a record with its thread.
type event struct {
	thread int64
	hit    *hit
}

// inOrder returns the records of all threads in the order of time, those of a thread in their own.
func (r *recording) inOrder() []event {
	all := make([]event, 0, r.records())
	for _, id := range slices.Sorted(maps.Keys(r.threads)) {
		last := int64(math.MinInt64)
		for i := range r.threads[id].hits {
			h := &r.threads[id].hits[i]
			h.time = max(h.time, last) // two cores' counters may differ by a few ns
			last = h.time
			all = append(all, event{id, h})
		}
	}
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.hit.time, b.hit.time) })
	return all
}

// sites makes sites of all contexts that operations have, by the number of the context.
func (d *decoder) sites() {
	samples := map[uint32]bool{}
	for _, t := range d.recording.threads {
		for i := range t.hits {
			if t.hits[i].op == recorder.Sample {
				samples[t.hits[i].context] = true
			}
		}
	}
	for i, ips := range d.recording.contexts {
		s, _ := d.names.site(ips, samples[uint32(i)])
		d.trace.Sites = append(d.trace.Sites, s)
	}
	d.nameMain()
	var peeled []trace.Site
	for i := range d.trace.Sites {
		if samples[uint32(i)] {
			peeled = append(peeled, trace.Site{})
			continue
		}
		peeled = append(peeled, d.trace.Sites[i])
	}
	peel(peeled, d.names.short, d.names.library)
	for i := range peeled {
		if !samples[uint32(i)] {
			d.trace.Sites[i] = peeled[i]
		}
	}
}

// nameMain gives the first function of the program its name, which a stripped file does not have: the outermost
// of what the first thread does.
func (d *decoder) nameMain() {
	first, old := d.recording.threads[d.recording.main], ""
	for i := range first.hits {
		c := first.hits[i].context
		if int(c) >= len(d.recording.contexts) || c == 0 {
			continue
		}
		if s, whole := d.names.site(d.recording.contexts[c], false); whole && len(s.Frames) > 0 {
			old = s.Frames[len(s.Frames)-1].Function
			break
		}
	}
	if old == "" || !strings.Contains(old, "+0x") {
		return
	}
	for i := range d.trace.Sites {
		for k := range d.trace.Sites[i].Frames {
			if f := &d.trace.Sites[i].Frames[k]; f.Function == old {
				f.Function = "main"
			}
		}
	}
	if d.names.short[old] {
		d.names.short["main"] = true
	}
}

// site is that of a context; −1: not known.
func (d *decoder) site(h *hit) int32 {
	if h.context == 0 || int(h.context) >= len(d.trace.Sites) || len(d.trace.Sites[h.context].Frames) == 0 {
		return -1
	}
	return int32(h.context)
}

func (d *decoder) event(t *thread, h *hit) {
	d.trace.End = max(d.trace.End, h.time)
	switch h.op {
	case recorder.Init:
		d.objects.made(h, d.site(h))
		if trace.Op(h.arg) == trace.OpDone {
			add := *h
			add.op, add.both, add.arg = trace.OpAdd, true, 1
			d.operation(t, &add)
		}
	case recorder.Destroy:
		d.objects.gone(h.object, false)
	case recorder.Blocks:
		const block = 512 // getrusage(2)
		if n := len(t.Records); n > 0 && t.Records[n-1].End {
			t.Records[n-1].Read = h.arg * block
		}
	case recorder.Option:
		d.option(d.marked.names[h.object], h.arg)
	case recorder.Sample:
	case recorder.Region:
		d.back(t, h)
	case recorder.Task, recorder.TaskWait:
	case recorder.Tasks:
		d.tasks = true
	case recorder.Team:
		d.team(t, h)
	case recorder.Meet:
		d.meet(t, h)
	case recorder.Piece, recorder.Single:
		d.share(t, h)
	case trace.OpSpawn:
		d.spawn(t, h)
	default:
		if h.op >= recorder.Probe {
			d.mark(t, h)
			return
		}
		d.operation(t, h)
	}
}

// spawn is recorded before the thread is made, with its number, and after it, with its name for pthread_join.
func (d *decoder) spawn(t *thread, h *hit) {
	if !h.end {
		if c := d.threads[h.arg]; c != nil {
			c.Parent, c.Creator, c.Born = t.ID, d.site(h), h.time
		}
		t.Records = append(t.Records, d.record(t, h, trace.OpSpawn))
		t.Records[len(t.Records)-1].Value, t.Records[len(t.Records)-1].Arg = uint64(h.arg), 0
		return
	}
	if n := len(t.Records); h.arg < 0 && n > 0 { // there were too many threads
		if t.Records = t.Records[:n-1]; t.open == n-1 {
			t.open = -1
		}
		return
	}
	d.alive[h.object] = h.arg
}

// record makes the record of a hit.
func (d *decoder) record(t *thread, h *hit, op trace.Op) trace.Record {
	r := trace.Record{Time: h.time, CPU: max(h.cpu-t.zero, 0), Sys: t.sys, Site: d.siteIn(t, h), Op: op, End: h.end, Arg: h.arg}
	if n := len(t.Records); n > 0 { // readings of two clocks may disagree by a few ns; neither goes back
		r.Time, r.CPU = max(r.Time, t.Records[n-1].Time), max(r.CPU, t.Records[n-1].CPU)
	}
	return r
}

// operation adds the records of an operation, or what of it there is.
func (d *decoder) operation(t *thread, h *hit) {
	op := operationOf(h)
	if op == trace.OpNone {
		return
	}
	r := d.record(t, h, op)
	if op == trace.OpExternal && h.op != op {
		r.Arg = 0 // not what a child used: how much was ready, or moved
	}
	if o := d.objects.of(op, h.object); o != nil {
		r.Object = o.ID
	}
	switch {
	case op == trace.OpThreadBegin:
		d.begin(t, h)
		r.Arg = 0
	case op == trace.OpThreadEnd:
		t.Ended, r.Arg = h.time, 0
		d.over = d.over || h.arg != 0
	case op == trace.OpCondWait && !h.end:
		d.condition(&r, uint64(h.arg))
	case op == trace.OpJoin:
		d.join(t, h, &r)
	case op == trace.OpRUnlock && t.writes[r.Object]:
		r.Op = trace.OpUnlock
	}
	if trace.IsPaired(r.Op) {
		d.paired(t, h, r)
		return
	}
	r.End = false
	t.Records = append(t.Records, r)
}

// operationOf is what a hit is in a trace.
func operationOf(h *hit) trace.Op {
	switch {
	case h.op == recorder.Poll:
		return trace.OpExternal
	case h.op == recorder.Signalled:
		return trace.OpExternal
	case h.op >= recorder.Init:
		return trace.OpNone
	}
	return h.op
}

func (d *decoder) begin(t *thread, h *hit) {
	if t.ID != d.recording.main && t.Born == 0 {
		t.Born = h.time
	}
	if h.object != 0 {
		f := d.names.function(h.object)
		if _, closure := trace.Enclosing(f.Function); f.Std && !closure {
			t.Start = ""
		} else {
			t.Start = f.Function
		}
	}
}

// condition notes which lock a condition belongs to.
func (d *decoder) condition(r *trace.Record, lock uint64) {
	r.Arg = 0
	if c, l := &d.objects.list[r.Object-1], d.objects.of(trace.OpLock, lock); l != nil {
		d.objects.list[c.ID-1].Parent = l.ID
	}
}

func (d *decoder) join(t *thread, h *hit, r *trace.Record) {
	if !h.end {
		t.joins = d.alive[h.object]
	}
	r.Value, r.Arg, r.Object = uint64(t.joins), 0, 0
}

// paired adds the start or the end of an operation, or both.
func (d *decoder) paired(t *thread, h *hit, r trace.Record) {
	if r.End {
		if t.open < 0 || t.Records[t.open].Op != r.Op {
			d.trace.Unmatched++ // the recording began, or was cut short, in between
			return
		}
		d.end(t, h, r)
		return
	}
	if t.open >= 0 { // a longjmp, or a thread that was cancelled
		t.Records = slices.Delete(t.Records, t.open, t.open+1)
		t.open = -1
		d.trace.Unmatched++
	}
	result := r.Arg
	switch r.Op {
	case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
		r.Arg = 1
	case trace.OpSleep, trace.OpCount, trace.OpAdd, trace.OpPark:
	default:
		r.Arg = 0
	}
	t.open = len(t.Records)
	t.Records = append(t.Records, r)
	if h.both {
		r.End, r.Arg = true, result
		d.end(t, h, r)
	}
}

// end completes an operation.
func (d *decoder) end(t *thread, h *hit, r trace.Record) {
	start := &t.Records[t.open]
	r.Site, r.Object, r.End = start.Site, start.Object, true
	if class := r.Op.Class(); class == core.IOFragment || class == core.DelayFragment {
		t.sys += max(r.Time-start.Time, 0)
		r.Sys, r.OS = t.sys, t.os
	}
	drop := false
	switch r.Op {
	case trace.OpLock, trace.OpRLock, trace.OpTryLock, trace.OpTryRLock:
		drop = d.taken(t, start, &r)
	case trace.OpUnlock, trace.OpRUnlock:
		drop = d.freed(t, r.Object)
	case trace.OpOpen:
		d.objects.opened(r.Arg, start.Site, h.time)
		r.Arg = 0
	case trace.OpFileClose, trace.OpNetClose:
		d.objects.gone(h.object, true)
	}
	if drop {
		t.Records = t.Records[:t.open]
	} else {
		t.Records = append(t.Records, r)
	}
	t.open = -1
}

// taken notes a lock that a thread has now. One that it had already it does not take again: drop.
func (d *decoder) taken(t *thread, start, r *trace.Record) (drop bool) {
	if r.Arg == 0 {
		switch r.Op {
		case trace.OpLock:
			start.Op, r.Op = trace.OpTryLock, trace.OpTryLock
		case trace.OpRLock:
			start.Op, r.Op = trace.OpTryRLock, trace.OpTryRLock
		}
		return false
	}
	t.held[r.Object]++
	t.writes[r.Object] = r.Op == trace.OpLock || r.Op == trace.OpTryLock
	if r.Op == trace.OpLock || r.Op == trace.OpRLock {
		r.Arg = 0
	}
	return t.held[r.Object] > 1
}

// freed notes a lock that is given back; drop: the thread had it more than once.
func (d *decoder) freed(t *thread, lock uint64) (drop bool) {
	if t.held[lock] > 1 {
		t.held[lock]--
		return true
	}
	delete(t.held, lock)
	delete(t.writes, lock)
	return false
}

// finish names a thread whose first function says nothing, by the outermost of the program's functions in what it does.
func (d *decoder) finish(t *thread) {
	t.Name = fmt.Sprintf("thread %d", t.os)
	if t.ID == d.recording.main {
		t.Name, t.Start = "main", "main"
		return
	}
	if t.Start != "" {
		return
	}
	for _, r := range t.Records {
		for _, f := range slices.Backward(trace.FramesAt(d.trace.Sites, r.Site)) {
			if !f.Std && f.Function != trace.Closure {
				t.Start = f.Function
				return
			}
		}
	}
	t.Start = "unknown"
	if from := trace.UserFrame(trace.FramesAt(d.trace.Sites, t.Creator)); from.Function != "" && !from.Std { // in a closure of it, without a name
		t.Start = from.Function + "::" + trace.Closure
	}
}
