package normalise

import "tierscope/analysis/trace"

// latch is a channel to which nobody sends, and which the thread that made it closes when there is what others want of
// it, such as the value of an entry of a cache.
type latch struct {
	maker        int // thread
	site         int32
	closed       int64 // ns; 0: it never was
	found, waits int   // receives of it, when it was closed, and before
	other        bool  // something else is done with it, or by somebody else
}

// values returns the trace without channels that are closed once for who comes then and for all who come later: a thread that finds
// one closed goes on, and one that comes before waits for what the maker works out, as for something outside the
// model. Most find what they want, or most channels are closed while nobody wants it, as where calls for one key are
// joined: whoever waits came by chance while another one was at work. Where most wait, and for most channels somebody does,
// a channel says that something has happened, and that is for the simulation to find out.
func values(t *trace.Trace) *trace.Trace {
	latches := latchesOf(t)
	if len(latches) == 0 {
		return t
	}
	edits := map[int][]edit{}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			if rs[k].Op == trace.OpMake && latches[rs[k].Object] != nil {
				edits[i] = append(edits[i], edit{k, k + 1, nil})
				continue
			}
			channel, on := channelOf(rs, k)
			switch l := latches[channel]; {
			case !on || l == nil:
			case rs[k].Op == trace.OpClose || rs[k].Time >= l.closed:
				edits[i] = append(edits[i], edit{k, k + 2, nil})
			default:
				edits[i] = append(edits[i], edit{k, k + 2, []trace.Record{outside(rs[k]), outside(rs[k+1])}})
			}
		}
	}
	return edited(t, edits)
}

// outside makes the probe of a receive that of a call that leaves the program.
func outside(r trace.Record) trace.Record {
	r.Op, r.Object, r.Arg, r.Value = trace.OpExternal, 0, 0, 0
	return r
}

// latchesOf returns the latches of those places where several are made, most of which are found closed by who receives, or not
// received from.
func latchesOf(t *trace.Trace) map[uint64]*latch {
	all := map[uint64]*latch{}
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpMake && !r.End {
				all[r.Object] = &latch{maker: i, site: r.Site}
			}
		}
	}
	each(t, all, func(l *latch, thread int, r trace.Record) {
		switch {
		case r.Op == trace.OpClose && thread == l.maker && l.closed == 0:
			l.closed = r.Time
		case r.Op != trace.OpReceive && r.Op != trace.OpSelect:
			l.other = true
		}
	})
	each(t, all, func(l *latch, _ int, r trace.Record) {
		if r.Op == trace.OpReceive || r.Op == trace.OpSelect {
			if l.closed == 0 {
				l.other = true
			} else if r.Time >= l.closed {
				l.found++
			} else {
				l.waits++
			}
		}
	})
	type place struct {
		made, found, waits int
		joined             int // are received from at all
		other              bool
	}
	places := map[int32]place{}
	for _, l := range all {
		p := places[l.site]
		p.made, p.found, p.waits, p.other = p.made+1, p.found+l.found, p.waits+l.waits, p.other || l.other
		if l.found+l.waits > 0 {
			p.joined++
		}
		places[l.site] = p
	}
	for object, l := range all {
		if p := places[l.site]; p.made < 2 || p.other || p.found <= p.waits && p.joined > p.made-p.joined {
			delete(all, object)
		}
	}
	return all
}

// each calls f with what is done with channels.
func each(t *trace.Trace, channels map[uint64]*latch, f func(l *latch, thread int, r trace.Record)) {
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			object, on := channelOf(rs, k)
			if l := channels[object]; on && l != nil {
				f(l, i, rs[k])
			}
		}
	}
}
