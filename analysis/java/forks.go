package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// Tasks of a ForkJoinPool, of parallel streams too, fork others and work on them
// while they wait. To a model they are a bag: who calls invoke, or a stream's last
// operation, puts as many pieces of work into a queue as the run had, and waits
// until none is left. A piece is what a thread does from the begin of one task to
// that of the next; a task that goes on after another one ran inside of it is part of
// that other. The caller, which works on tasks too, is one more thread of the pool.
//
//	main:    invoke( exec … exec … )        add, send, add, send, …, wait
//	worker:  exec( … exec( … ) … ) …        receive, work, count down, receive, …
//
// What is lost is that a task cannot be worked on before it is forked.

// forkEvent is the begin or end of a task, or of a call that waits for tasks.
type forkEvent struct {
	hit24
	waits bool // a call that waits
}

// Objects of the bag: above those of latches of executors.
const (
	forkQueue = 1 << 36
	forkLatch = forkQueue + 1
	callerID  = 1 << 40 // the thread that stands for the callers
)

// forkRegion is a call that waits for tasks, in a thread outside of the pool.
type forkRegion struct {
	thread     int64
	begin, end hit24
	pieces     int
}

// forkPiece is what a thread does from the begin of a task to that of the next.
type forkPiece struct {
	idle   forkEvent // since when it had nothing to do
	begin  forkEvent
	end    forkEvent
	region *forkRegion
}

// takeForks takes the hits of fork-join tasks out of those of a thread.
func (d *decoder) takeForks(id int64, hits []hit24) []hit24 {
	kept := hits[:0:0]
	for i := range hits {
		p := &d.in.probes[min(int(hits[i].probe), len(d.in.probes)-1)]
		if p.kind != "fork" {
			kept = append(kept, hits[i])
			continue
		}
		d.forks[id] = append(d.forks[id], forkEvent{hits[i], p.op == trace.OpWaitGroup})
	}
	if len(d.forks[id]) == 0 {
		return hits
	}
	return kept
}

// bagForks writes the bag into the trace.
func (d *decoder) bagForks() {
	var regions []*forkRegion
	outside := map[int64]bool{}
	ids := make([]int64, 0, len(d.forks))
	for id := range d.forks {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		rs := regionsOf(id, d.forks[id])
		regions = append(regions, rs...)
		outside[id] = len(rs) > 0
	}
	if len(regions) == 0 {
		return
	}
	slices.SortFunc(regions, func(a, b *forkRegion) int { return cmp.Compare(a.begin.time, b.begin.time) })
	first := regions[0]
	pool := d.forkPool(first)
	caller := &jthread{Thread: trace.Thread{ID: callerID, Name: "callers", Parent: first.thread, Guest: true}}
	var workers []forkWorker
	for _, id := range ids {
		ps := piecesOf(d.forks[id], regions)
		t := d.threadOf(id)
		if !outside[id] {
			workers = append(workers, forkWorker{t, ps})
			continue
		}
		d.moveTo(caller, t, ps)
	}
	for _, w := range d.asMany(workers) {
		pool = append(pool, w.thread)
		d.weave(w.thread, d.work(w.pieces))
	}
	if len(caller.Records) > 0 {
		d.thread[callerID] = caller
		pool = append(pool, caller)
	}
	for _, r := range regions {
		d.weave(d.threadOf(r.thread), d.sends(r))
	}
	d.startForks(first, pool)
	d.trace.Objects = append(d.trace.Objects,
		trace.Object{ID: forkQueue, Kind: "queue", Capacity: -1, Elem: 8, Site: -1},
		trace.Object{ID: forkLatch, Kind: "latch", Capacity: -1, Elem: -1, Site: -1})
}

// regionsOf are the outermost calls that wait, outside of all tasks.
func regionsOf(id int64, es []forkEvent) (rs []*forkRegion) {
	depth, inTask := 0, 0
	for i := range es {
		e := &es[i]
		switch {
		case !e.waits && !e.end:
			inTask++
		case !e.waits:
			inTask--
		case !e.end:
			if depth++; depth == 1 && inTask == 0 {
				rs = append(rs, &forkRegion{thread: id, begin: e.hit24})
			}
		default:
			if depth--; depth == 0 && inTask == 0 && len(rs) > 0 {
				rs[len(rs)-1].end = e.hit24
			}
		}
	}
	return slices.DeleteFunc(rs, func(r *forkRegion) bool { return r.end.time == 0 })
}

// piecesOf cuts what a thread did into pieces, and counts them for the region
// that was the last to begin.
func piecesOf(es []forkEvent, regions []*forkRegion) (ps []forkPiece) {
	depth := 0
	var idle forkEvent
	for _, e := range es {
		switch {
		case e.waits:
		case !e.end:
			if depth > 0 {
				ps[len(ps)-1].end = e
				idle = e
			}
			depth++
			ps = append(ps, forkPiece{idle: idle, begin: e, end: e})
		default:
			depth = max(depth-1, 0)
			if len(ps) > 0 {
				ps[len(ps)-1].end = e
			}
			idle = e
		}
	}
	ps = slices.DeleteFunc(ps, func(p forkPiece) bool { return p.end.time <= p.begin.time })
	for i := range ps {
		for _, r := range slices.Backward(regions) {
			if r.begin.time <= ps[i].begin.time && ps[i].begin.time <= r.end.time {
				ps[i].region = r
				r.pieces++
				break
			}
		}
	}
	return slices.DeleteFunc(ps, func(p forkPiece) bool { return p.region == nil })
}

// forkRecord makes the two records of an operation on the bag.
func (d *decoder) forkRecord(op trace.Op, object uint64, from, to *hit24, arg, got int64) []trace.Record {
	b := trace.Record{Time: from.time, CPU: from.cpu, Ready: from.ready, Site: d.siteOf(place{probe: to.probe}), Op: op, Object: object, Arg: arg}
	e := b
	e.Time, e.CPU, e.Ready, e.End, e.Arg = to.time, to.cpu, to.ready, true, got
	return []trace.Record{b, e}
}

// work is what a thread of the pool does with its pieces.
func (d *decoder) work(ps []forkPiece) (rs []trace.Record) {
	for i := range ps {
		p := &ps[i]
		idle := p.idle.hit24
		idle.time = max(idle.time, p.region.begin.time)
		if idle.time >= p.begin.time || idle.cpu > p.begin.cpu {
			idle = p.begin.hit24
		}
		rs = append(rs, d.forkRecord(trace.OpReceive, forkQueue, &idle, &p.begin.hit24, 0, 1)...)
		rs = append(rs, d.forkRecord(trace.OpDone, forkLatch, &p.end.hit24, &p.end.hit24, 0, 0)...)
	}
	if len(ps) > 0 { // and then it waits for more, until the program ends
		last := &ps[len(ps)-1].end.hit24
		rs = append(rs, d.forkRecord(trace.OpReceive, forkQueue, last, &ps[len(ps)-1].begin.hit24, 0, 0)[0])
	}
	return rs
}

// sends is what the caller of a region does.
func (d *decoder) sends(r *forkRegion) (rs []trace.Record) {
	for range r.pieces {
		rs = append(rs, d.forkRecord(trace.OpAdd, forkLatch, &r.begin, &r.begin, 1, 0)...)
		rs = append(rs, d.forkRecord(trace.OpSend, forkQueue, &r.begin, &r.begin, 0, 1)...)
	}
	end := r.end
	end.cpu = max(end.cpu, r.begin.cpu)
	return append(rs, d.forkRecord(trace.OpWaitGroup, forkLatch, &r.begin, &end, 0, 0)...)
}

// weave puts records among those of a thread, in the order of time.
func (d *decoder) weave(t *jthread, rs []trace.Record) {
	all := make([]trace.Record, 0, len(t.Records)+len(rs))
	i := 0
	for _, r := range t.Records {
		for i < len(rs) && rs[i].Time <= r.Time {
			all = append(all, rs[i])
			i++
		}
		all = append(all, r)
	}
	all = append(all, rs[i:]...)
	for i := 1; i < len(all); i++ {
		all[i].CPU, all[i].Ready = max(all[i].CPU, all[i-1].CPU), max(all[i].Ready, all[i-1].Ready)
	}
	t.Records = all
}

// moveTo gives the pieces of a caller, and what it did in them, to the thread of
// the pool that stands for callers; its own CPU time becomes less.
func (d *decoder) moveTo(caller, t *jthread, ps []forkPiece) {
	var own, moved []trace.Record
	base := int64(0) // CPU time of the caller's thread so far
	if n := len(caller.Records); n > 0 {
		base = caller.Records[n-1].CPU
	}
	taken := int64(0) // from t so far
	k := 0
	for _, r := range t.Records {
		for k < len(ps) && ps[k].end.time < r.Time {
			taken += ps[k].end.cpu - ps[k].begin.cpu
			k++
		}
		if k < len(ps) && r.Time >= ps[k].begin.time {
			r.CPU = max(base+taken+r.CPU-ps[k].begin.cpu, 0)
			moved = append(moved, r)
			continue
		}
		r.CPU = max(r.CPU-taken, 0)
		own = append(own, r)
	}
	shifted := slices.Clone(ps)
	sum := base
	for i := range shifted {
		p := &shifted[i]
		cost := p.end.cpu - p.begin.cpu
		p.idle.cpu, p.begin.cpu, p.end.cpu = sum, sum, sum+cost
		sum += cost
	}
	t.Records = own
	for _, r := range d.regionsIn(t.ID, ps) {
		r.end.cpu -= sum - base
		r.begin.cpu = max(min(r.begin.cpu, r.end.cpu), 0)
	}
	caller.Records = append(caller.Records, moved...)
	slices.SortStableFunc(caller.Records, func(a, b trace.Record) int { return cmp.Compare(a.Time, b.Time) })
	d.weave(caller, d.work(shifted))
}

// regionsIn are the regions of a thread in which it had pieces itself.
func (d *decoder) regionsIn(id int64, ps []forkPiece) (rs []*forkRegion) {
	for _, p := range ps {
		if p.region.thread == id && !slices.Contains(rs, p.region) {
			rs = append(rs, p.region)
		}
	}
	return rs
}

// forkPool lets the threads of the pool be started by the first caller, whoever
// started them: a worker that found much to do. It returns none; threads that did
// nothing are none of the pool.
func (d *decoder) forkPool(first *forkRegion) []*jthread {
	member := map[uint64]bool{}
	for id := range d.forks {
		if id != first.thread {
			member[uint64(id)] = true
		}
	}
	for _, t := range d.thread {
		t.Records = slices.DeleteFunc(t.Records, func(r trace.Record) bool { return r.Op == trace.OpSpawn && member[r.Value] })
	}
	return nil
}

// startForks starts the threads of the pool where the first call begins.
func (d *decoder) startForks(first *forkRegion, pool []*jthread) {
	site := d.site([]trace.Frame{{Function: "ForkJoinPool"}})
	var starts []trace.Record
	for _, t := range pool {
		t.Parent, t.Creator, t.Born, t.Start, t.System, t.Ended = first.thread, site, first.begin.time, "ForkJoinPool", false, 0
		t.Records = slices.DeleteFunc(t.Records, func(r trace.Record) bool { return r.Op == trace.OpThreadEnd })
		starts = append(starts, trace.Record{Time: first.begin.time, CPU: first.begin.cpu, Ready: first.begin.ready, Site: site, Op: trace.OpSpawn, Value: uint64(t.ID)})
	}
	d.weave(d.threadOf(first.thread), starts)
}
