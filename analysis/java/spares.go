package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// A ForkJoinPool keeps as many threads at work as its parallelism says. One that waits for a task which another thread has
// begun stands still, and the pool may start a spare in its place; and of a pool with little to do not all threads are
// ever started. To a model, in which nobody waits for a task while others are left, the pool has as many threads as the
// parallelism says: what the spares did goes to those that stood still meanwhile.

// forker is a thread of a ForkJoinPool.
type forker struct {
	pool        uint32 // identity
	parallelism int
}

// forkWorker is a thread of a pool with its pieces of work.
type forkWorker struct {
	thread *jthread
	pieces []forkPiece
}

// asMany returns as many workers as the pools of the given ones have at work at a time; all of them if that is not known.
func (d *decoder) asMany(ws []forkWorker) []forkWorker {
	pools, n := map[uint32]bool{}, 0
	for _, w := range ws {
		f, known := d.log.forkers[w.thread.ID]
		if !known {
			return ws
		}
		if !pools[f.pool] {
			pools[f.pool] = true
			n += f.parallelism
		}
	}
	if len(ws) > n {
		return d.withoutSpares(ws, n)
	}
	for i := len(ws); i < n && len(ws[0].pieces) > 0; i++ { // of one that was never started
		like := &ws[0].pieces[0]
		id := callerID + 1 + int64(i)
		d.thread[id] = &jthread{Thread: trace.Thread{ID: id, Creator: -1}}
		d.thread[id].Records = d.forkRecord(trace.OpReceive, forkQueue, &hit24{time: like.region.begin.time}, &like.begin.hit24, 0, 0)[:1]
		ws = append(ws, forkWorker{thread: d.thread[id]})
	}
	return ws
}

// share is a piece of work with the thread that did it.
type share struct {
	forkPiece
	of *jthread
}

// withoutSpares lets n of the workers do what all of them did. A piece stays with who did it, if that is one of the n,
// and another goes to who has computed least of what was begun before it, and so stood still.
func (d *decoder) withoutSpares(ws []forkWorker, n int) []forkWorker {
	slices.SortStableFunc(ws, func(a, b forkWorker) int { return cmp.Compare(len(b.pieces), len(a.pieces)) })
	kept, shares := ws[:n], make([][]share, n)
	var spare []share
	for i, w := range ws {
		for _, p := range w.pieces {
			if i < n {
				shares[i] = append(shares[i], share{p, w.thread})
			} else {
				spare = append(spare, share{p, w.thread})
			}
		}
	}
	for _, s := range spare {
		free := func(i int) int64 { // when worker i had computed what it had begun before s
			at := int64(0)
			for _, o := range shares[i] {
				if o.begin.time <= s.begin.time {
					at = max(at, o.begin.time+o.end.cpu-o.begin.cpu)
				}
			}
			return at
		}
		to := 0
		for i := range shares {
			if free(i) < free(to) {
				to = i
			}
		}
		shares[to] = append(shares[to], s)
	}
	took := make([]forkWorker, n)
	for i := range kept {
		slices.SortStableFunc(shares[i], func(a, b share) int { return cmp.Compare(a.begin.time, b.begin.time) })
		took[i].pieces, took[i].thread = d.inARow(kept[i].thread, shares[i])
		d.thread[took[i].thread.ID] = took[i].thread
	}
	for _, w := range ws[n:] {
		delete(d.thread, w.thread.ID)
	}
	return took
}

// inARow is a thread that does pieces of work one after the other, with what else their threads recorded in them. One in which
// its thread stood still while another was begun ends when it had computed.
func (d *decoder) inARow(first *jthread, shares []share) (ps []forkPiece, t *jthread) {
	t = &jthread{Thread: first.Thread, clock: first.clock}
	t.Records = nil
	var now hit24 // of t: time, CPU time, time without a core
	for i, s := range shares {
		began := s.begin
		if s.idle.time > 0 && s.idle.cpu <= s.begin.cpu {
			began = s.idle // looking for work takes time too
		}
		moved := func(h hit24) hit24 {
			h.time = max(h.time, now.time)
			h.cpu = now.cpu + h.cpu - began.cpu
			h.ready = now.ready + max(h.ready-began.ready, 0)
			return h
		}
		p := s.forkPiece
		p.idle.hit24, p.begin.hit24, p.end.hit24 = moved(began.hit24), moved(s.begin.hit24), moved(s.end.hit24)
		last := s.begin.time + s.end.cpu - s.begin.cpu // when it had nothing left but to wait
		for _, r := range s.of.Records {
			if r.Time >= s.begin.time && r.Time <= s.end.time && r.CPU >= s.begin.cpu && r.CPU <= s.end.cpu {
				h := moved(hit24{time: r.Time, cpu: r.CPU, ready: r.Ready})
				r.Time, r.CPU, r.Ready = h.time, h.cpu, h.ready
				t.Records, last = append(t.Records, r), max(last, r.Time)
			}
		}
		if i+1 < len(shares) && shares[i+1].begin.time < p.end.time {
			p.end.time = min(p.end.time, max(last, p.begin.time))
		}
		ps, now = append(ps, p), p.end.hit24
	}
	return ps, t
}
