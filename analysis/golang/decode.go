package golang

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

// decode turns a recording into a trace: time in ns since the start of the
// recording, contexts as frames, addresses as objects (an address that is
// used again after its object has gone is another object), sequence numbers
// as identities of values.
func (r *recording) decode(frames symbolizer) (*trace.Trace, error) {
	d := &decoder{
		rec: r, tick: r.tick(),
		trace:   &trace.Trace{Language: "go", Runtime: runtimes.Go(), Overhead: math.NaN(), OverheadOff: math.NaN(), Dropped: r.dropped, Muted: r.muted, Cores: r.procs},
		sites:   map[uint32]int32{},
		threads: map[uint64]*thread{},
		objects: objectTable{current: map[objectKey]int{}},
		offers:  map[string]int64{},
	}
	if err := d.symbolize(frames); err != nil {
		return nil, err
	}
	d.timers()
	for i := range r.events {
		if err := d.event(&r.events[i]); err != nil {
			return nil, fmt.Errorf("probe file: %w", err)
		}
	}
	d.finish()
	return d.trace, nil
}

type decoder struct {
	rec     *recording
	tick    float64
	trace   *trace.Trace
	sites   map[uint32]int32
	symbols map[uint64][]trace.Frame
	threads map[uint64]*thread
	order   []*thread
	objects objectTable
	offers  map[string]int64
	fired   map[*event]uint64 // where timers were set → the goroutines that they started
	strays  int               // ends of what has not begun
}

// fewStrays is the number of events among which one end without a beginning is left
// out and counted. More of them and the file is not what it seems.
const fewStrays = 1000

// thread is a goroutine with the operation that it is in.
type thread struct {
	trace.Thread
	cpu, sys, assist, ready int64
	open                    int // index of the start record without an end yet, −1: none
}

func (d *decoder) time(ticks int64) int64 { return int64(float64(ticks) * d.tick) }

// symbolize asks for the frames of all addresses at once.
func (d *decoder) symbolize(frames symbolizer) error {
	need := map[uint64]bool{}
	for _, pcs := range d.rec.stacks {
		for _, pc := range pcs {
			need[pc] = true
		}
	}
	for _, e := range d.rec.events {
		if e.op == trace.OpSpawn && e.flags&flagTimer == 0 {
			need[uint64(e.arg)+1] = true // an entry point, not a return address
		}
	}
	var err error
	d.symbols, err = frames(slices.Sorted(maps.Keys(need)))
	return err
}

// site is the index of a calling context in the trace.
func (d *decoder) site(id uint32) int32 {
	if id == 0 {
		return -1
	}
	if i, ok := d.sites[id]; ok {
		return i
	}
	i := int32(len(d.trace.Sites))
	var s trace.Site
	for _, pc := range d.rec.stacks[id] {
		for _, f := range d.symbols[pc] {
			if f.Function != "runtime.goexit" && f.Function != "runtime.main" {
				s.Frames = append(s.Frames, f)
			}
		}
	}
	d.trace.Sites = append(d.trace.Sites, s)
	d.sites[id] = i
	return i
}

func (d *decoder) thread(goid uint64) *thread {
	t := d.threads[goid]
	if t == nil {
		t = &thread{Thread: trace.Thread{ID: int64(goid), Creator: -1}, open: -1}
		if goid == 1 {
			t.Start = "main.main"
		}
		d.threads[goid] = t
		d.order = append(d.order, t)
	}
	return t
}

func (d *decoder) event(e *event) error {
	now := d.time(e.ticks)
	d.trace.End = max(d.trace.End, now)
	switch {
	case e.op == trace.OpSleep && e.flags&flagTimer != 0:
		d.objects.set(e, d.site(e.site), now)
		return nil
	case e.op != trace.OpSpawn:
	case e.flags&flagTimer != 0:
		child, fired := d.fired[e]
		if !fired {
			return nil
		}
		d.arm(e, child, now)
		set := *e
		set.object = child
		e = &set
	case e.goid == 0 && d.thread(e.object).open >= 0:
		d.fire(e, now)
		return nil
	default:
		d.spawn(e, now)
		if e.goid == 0 {
			return nil // a timer's function: no goroutine executed the go statement
		}
	}
	t := d.thread(e.goid)
	if e.op == trace.OpThreadBegin && len(t.Records) > 0 { // a timer's, which begins when that is set
		return nil
	}
	// readings of two clocks may disagree by a few ns; used time never shrinks
	t.cpu = max(t.cpu, e.cpu)
	if e.sys >= 0 {
		t.sys, t.assist, t.ready = max(t.sys, d.time(e.sys)), max(t.assist, e.assist), max(t.ready, d.time(e.ready))
	}
	rec := trace.Record{
		Time: now, CPU: t.cpu, Sys: t.sys, Assist: t.assist, Ready: t.ready,
		Op: e.op, End: e.flags&flagEnd != 0, Arg: e.arg, OS: e.os, Read: e.read,
	}
	if rec.End {
		if t.open < 0 || t.Records[t.open].Op != e.op {
			if d.strays++; d.rec.dropped > 0 || d.strays*fewStrays < len(d.rec.events) {
				d.trace.Unmatched++
				return nil
			}
			return fmt.Errorf("goroutine %d: %v ends at %d ns but has not begun", t.ID, e.op, now)
		}
		d.end(t.Records[t.open], &rec, e, now)
		t.open = -1
	} else {
		if bracket(e.op) || e.op == trace.OpThreadEnd {
			d.abandon(t)
		}
		d.start(t, &rec, e, now)
		if t.open >= 0 {
			t.inside(rec)
			return nil
		}
	}
	if !rec.End && bracket(e.op) {
		t.open = len(t.Records)
	}
	t.Records = append(t.Records, rec)
	return nil
}

// inside puts an event before the operation in which it happens: the run-time system starts a goroutine of its own for the
// first cleanup that is asked for, wherever that is (runtime.AddCleanup), and the start of an operation is beside its end.
func (t *thread) inside(rec trace.Record) {
	start := t.Records[t.open]
	rec.Time, rec.CPU, rec.Sys, rec.Assist, rec.Ready = start.Time, start.CPU, start.Sys, start.Assist, start.Ready
	t.Records = slices.Insert(t.Records, t.open, rec)
	t.open++
}

// start completes the record of an operation that begins, or of an event.
func (d *decoder) start(t *thread, rec *trace.Record, e *event, now int64) {
	rec.Site = d.site(e.site)
	switch e.op {
	case trace.OpThreadBegin:
		if t.Born == 0 {
			t.Born = now
		}
	case trace.OpThreadEnd:
		t.Ended = now
	case trace.OpSpawn:
		rec.Value, rec.Arg = e.object, 0
		return
	case trace.OpSelect:
		rec.Arg = d.offer(e)
	case trace.OpCondWait:
		d.objects.condition(e.object, uint64(e.arg))
		rec.Arg = 0
	case trace.OpLock, trace.OpTryLock, trace.OpUnlock:
		rec.Arg = int64(uint64(e.arg) >> 1) // 1 told that it is a read-write lock's; see probe/semaphore.go
	}
	rec.Object = d.objects.use(e, rec.Site, now)
}

// end completes the record of an operation that ends.
func (d *decoder) end(start trace.Record, rec *trace.Record, e *event, now int64) {
	rec.Site, rec.Object = start.Site, start.Object
	sent := e.op == trace.OpSend || e.op == trace.OpTrySend
	switch e.op {
	case trace.OpOpen:
		rec.Object = d.objects.use(e, rec.Site, now)
	case trace.OpSelect:
		rec.Object = d.objects.use(e, rec.Site, now)
		if c := d.trace.Offers[start.Arg].Cases; e.arg >= 0 && e.arg < int64(len(c)) {
			sent = c[e.arg].Send
		}
	case trace.OpFileClose, trace.OpNetClose:
		d.objects.closed(e.object)
	}
	if e.flags&flagSeq != 0 {
		rec.Value = d.objects.value(rec.Object, e.seq, sent)
	}
}

// bracket tells the operations with a start and an end from plain events.
func bracket(op trace.Op) bool {
	switch op {
	case trace.OpThreadBegin, trace.OpThreadEnd, trace.OpSpawn, trace.OpMake:
		return false
	}
	return true
}

// abandon removes the start of an operation that a panic or Goexit cut short.
func (d *decoder) abandon(t *thread) {
	if t.open >= 0 {
		t.Records = slices.Delete(t.Records, t.open, t.open+1)
		t.open = -1
		d.trace.Unmatched++
	}
}

func (d *decoder) spawn(e *event, now int64) {
	c := d.thread(e.object)
	c.Born = now
	c.Parent = int64(e.goid)
	c.Creator = d.site(e.site)
	d.startsAs(c, e)
}

// startsAs names a goroutine after the function that a go statement calls.
func (d *decoder) startsAs(c *thread, e *event) {
	if f := d.symbols[uint64(e.arg)+1]; len(f) > 0 {
		c.Start = f[len(f)-1].Function
		c.System = f[0].Std && strings.HasPrefix(c.Start, "runtime.")
	}
}

// offer interns what a select offers.
func (d *decoder) offer(e *event) int64 {
	o := trace.Offer{Default: e.arg&1 == 0}
	for _, w := range d.rec.cases[e.cases] {
		c := trace.Case{Send: w&1 != 0}
		if w&^1 != 0 {
			c.Object = d.objects.channel(w &^ 1)
		}
		o.Cases = append(o.Cases, c)
	}
	key := fmt.Sprint(o)
	i, ok := d.offers[key]
	if !ok {
		i = int64(len(d.trace.Offers))
		d.trace.Offers = append(d.trace.Offers, o)
		d.offers[key] = i
	}
	return i
}

func (d *decoder) finish() {
	t := d.trace
	for _, c := range d.rec.cycles {
		t.GC = append(t.GC, trace.Collection{
			Start: int64(c[0]) - d.rec.nano, End: int64(c[1]) - d.rec.nano, Pause: int64(c[2]),
			Assist: int64(c[3]), CPU: int64(c[4]), Idle: int64(c[5]), Live: int64(c[6]), Heap: int64(c[7]),
		})
		t.End = max(t.End, int64(c[1])-d.rec.nano)
	}
	slices.SortFunc(t.GC, func(a, b trace.Collection) int { return int(a.Start - b.Start) })
	slices.SortFunc(d.order, func(a, b *thread) int { return int(a.ID - b.ID) })
	for _, th := range d.order {
		if th.Creator < 0 && th.Parent == 0 && th.ID != 1 {
			th.System = true // the run-time system's, older than the recording
		}
		d.nameStart(&th.Thread)
		t.Threads = append(t.Threads, th.Thread)
	}
	t.Objects = d.objects.list
	for i := range t.Objects {
		t.Objects[i].Ticks = t.Objects[i].Kind == "chan" && madeByTicker(t, t.Objects[i].Site)
	}
}

// madeByTicker reports whether a channel was made at a site by a ticker of package time, which alone sends to it.
func madeByTicker(t *trace.Trace, site int32) bool {
	return site >= 0 && int(site) < len(t.Sites) && slices.ContainsFunc(t.Sites[site].Frames, func(f trace.Frame) bool { return f.Function == "time.NewTicker" })
}

// wrapped matches the functions that the compiler makes of go statements with
// arguments or methods.
var wrapped = regexp.MustCompile(`\.gowrap\d+$`)

// nameStart replaces such a function by the one that it calls, which is the
// outermost in what the goroutine does.
func (d *decoder) nameStart(th *trace.Thread) {
	if !wrapped.MatchString(th.Start) {
		return
	}
	for _, r := range th.Records {
		if r.Site < 0 {
			continue
		}
		for _, f := range slices.Backward(d.trace.Sites[r.Site].Frames) {
			if f.Function != th.Start {
				th.Start = f.Function
				return
			}
		}
	}
}
