package native

import "tierscope/analysis/trace"

// promises makes tokens of what one thread finishes and another one needs, once:
//
//	finish: lock; done = true; signal; unlock
//	need:   lock; while !done { wait }; unlock
//
// Each has a lock and a condition of its own, made for one piece of work. Who comes second does not wait: a
// signal that nobody waits for is not lost, as it is to a condition. Those that are made at one place go
// to one queue: who needs takes as many tokens as it would have, if perhaps not those of its own piece of work.
func promises(t *trace.Trace) {
	edits := map[int][]edit{}
	all := sections(t)
	waited := map[int32]bool{} // places where promises are made that somebody had to wait for
	type promise struct{ finish, need *section }
	made := map[int32][]promise{}
	var places []int32
	for _, lock := range locks(t) {
		ss := all[lock]
		site := t.Objects[lock-1].Site
		if len(ss) != 2 || site < 0 {
			continue
		}
		p := promise{ss[0], ss[1]}
		if p.finish.others || p.need.others || p.finish.thread == p.need.thread || len(p.finish.signals) == 0 || len(p.finish.waits)+len(p.need.signals) > 0 {
			continue
		}
		if made[site] == nil {
			places = append(places, site)
		}
		waited[site] = waited[site] || len(p.need.waits) > 0
		made[site] = append(made[site], p)
	}
	for _, site := range places {
		if !waited[site] {
			continue // locks that two threads used, one after the other
		}
		id := uint64(len(t.Objects) + 1)
		t.Objects = append(t.Objects, trace.Object{ID: id, Kind: "queue", Capacity: -1, Site: site})
		for i, p := range made[site] {
			value := id<<valueBits | uint64(i+1)
			edits[p.finish.thread] = append(edits[p.finish.thread], p.finish.as(t, trace.OpSend, id, 0, 1, value))
			edits[p.need.thread] = append(edits[p.need.thread], p.need.as(t, trace.OpReceive, id, 0, 1, value))
		}
	}
	apply(t, edits)
}

// valueBits are the bits of the number of a value in its queue.
const valueBits = 40
