package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// sharedTickers returns the trace with a thread for every ticker whose ticks
// several threads take, as
//
//	t := time.NewTicker(period)
//	for range workers { go func() { for job := range jobs { <-t.C; do(job) } }() }
//
// Who waits for a timer waits for the world outside the model. But a tick that
// one thread gets the others do not get: with more threads each waits longer. So
// the ticker becomes a thread that sleeps for the period and tries to put a
// tick into a channel with one place, again and again; a tick for which there is
// no room is lost (package time, NewTicker). The same holds for what is known to be a ticker and a case of a select:
// its ticks come when they do, not so long after the select began.
func sharedTickers(t *trace.Trace) *trace.Trace {
	out, received := t, receiptsOf(t)
	for i := range t.Objects {
		o := &t.Objects[i]
		if o.Kind != "chan" || o.Site < 0 || int(o.Site) >= len(t.Sites) {
			continue
		}
		rs, ok := received[o.ID].ofClock()
		if !ok {
			continue
		}
		if period := PeriodOf(rs); period > 0 {
			if out == t {
				c := *t
				c.Threads, c.Objects, c.Sites = slices.Clone(t.Threads), slices.Clone(t.Objects), slices.Clone(t.Sites)
				out = &c
			}
			out.Objects[i].Capacity, out.Objects[i].Elem = 1, 0
			addTicker(out, o, rs, period)
		}
	}
	return out
}

// Tick is the receipt of a tick.
type Tick struct {
	At     int64 // ns
	Waited bool
}

// receipts are what threads received from a channel to which no thread sends.
type receipts struct {
	ticks  []Tick
	thread int  // that received last
	times  int  // that it did
	again  int  // threads that did more than once
	cases  bool // it is a ticker, and a case of selects
	other  bool
}

// receiptsOf returns the receipts by channel.
func receiptsOf(t *trace.Trace) map[uint64]*receipts {
	by, tickers := map[uint64]*receipts{}, map[uint64]bool{}
	for i := range t.Objects {
		tickers[t.Objects[i].ID] = t.Objects[i].Ticks
	}
	slack := max(trace.Slack, t.Wake()/2)
	for i := range t.Threads {
		var start trace.Record
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpSelect && !r.End {
				start = r
			}
			if r.Object == 0 || r.Op == trace.OpMake {
				continue
			}
			x := by[r.Object]
			if x == nil {
				x = &receipts{thread: -1}
				by[r.Object] = x
			}
			switch {
			case r.Op == trace.OpSelect && tickers[r.Object]: // each is a tick that came when it was due, whether somebody waited or not
				x.cases = true
				x.ticks = append(x.ticks, Tick{r.Time - (r.Ready - start.Ready), true})
			case r.Op != trace.OpReceive:
				x.other, x.ticks = true, nil
			case x.other:
			case !r.End:
				start = r
			case r.Arg == 1:
				if x.thread != i {
					x.thread, x.times = i, 0
				}
				if x.times++; x.times == 2 {
					x.again++
				}
				came := r.Time - (r.Ready - start.Ready) // then it waited for a core
				x.ticks = append(x.ticks, Tick{came, came-start.Time > slack})
			}
		}
	}
	return by
}

// ofClock returns the ticks of a channel in order, if several threads take turns, or it is a ticker's and a case of selects.
func (x *receipts) ofClock() (ticks []Tick, ok bool) {
	if x == nil || x.other || x.again < 2 && !x.cases {
		return nil, false
	}
	slices.SortFunc(x.ticks, func(a, b Tick) int { return cmp.Compare(a.At, b.At) })
	return x.ticks, true
}

// PeriodOf returns the time between ticks in ns: the median of the times between
// receipts next to each other that both had to wait. A tick that finds all cores
// busy comes late, and the next one early. 0: there are too few to tell.
func PeriodOf(rs []Tick) int64 {
	// Theory: the median lies between the smallest and the largest of five independent values with
	// probability 1 − 2⁻⁴, 94 % (David & Nagaraja 2003, §7.1).
	const fewest = 5
	var between []int64
	for i := 1; i < len(rs); i++ {
		if rs[i-1].Waited && rs[i].Waited {
			between = append(between, rs[i].At-rs[i-1].At)
		}
	}
	if len(between) < fewest {
		return 0
	}
	slices.Sort(between)
	return between[len(between)/2]
}

// addTicker adds the thread of a ticker.
func addTicker(t *trace.Trace, o *trace.Object, rs []Tick, period int64) {
	taken := make([]int64, len(rs))
	for i, r := range rs {
		taken[i] = r.At
	}
	sendTicks(t, trace.TickerStart, o.ID, trace.UserFrame(t.Sites[o.Site].Frames), period, 1, 0, taken)
}

// AddLimiter adds a channel with room for burst tokens, which it is full of in the
// beginning, and a thread that sends limit of them per second; taken are the times
// at which threads had one, ns, in order. It returns the channel.
func AddLimiter(t *trace.Trace, place trace.Frame, limit float64, burst int, taken []int64) (object uint64) {
	for i := range t.Objects {
		object = max(object, t.Objects[i].ID)
	}
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			object = max(object, r.Object)
		}
	}
	object++
	t.Objects = append(t.Objects, trace.Object{ID: object, Kind: "chan", Capacity: int64(burst), Site: newSite(t, place)})
	sendTicks(t, trace.LimiterStart, object, place, int64(1e9/limit), burst, burst, taken)
	return object
}

// sendTicks adds a thread that sends to a channel with so much room, first some at
// once and then one every period. A tick that comes while there is no room is lost;
// it may be late by half a period.
func sendTicks(t *trace.Trace, start string, object uint64, place trace.Frame, period int64, room, first int, taken []int64) {
	creator, at := newSite(t, place), newSite(t, trace.Frame{Function: start, File: place.File, Line: place.Line})
	id := int64(0)
	for i := range t.Threads {
		id = max(id, t.Threads[i].ID+1)
	}
	th := trace.Thread{ID: id, Start: start, Creator: creator, Born: taken[0] - 2*period}
	send := func(op trace.Op, now, got int64) {
		th.Records = append(th.Records,
			trace.Record{Time: now, Site: at, Op: op, Object: object}, trace.Record{Time: now, Site: at, Op: op, End: true, Object: object, Arg: got})
	}
	for range first {
		send(trace.OpSend, taken[0]-period, 1)
	}
	sent, got := first, 0
	for now := taken[0]; now < taken[len(taken)-1]+period; now += period {
		for got < len(taken) && taken[got] <= now+period/2 {
			got++
		}
		th.Records = append(th.Records,
			trace.Record{Time: now - period, Site: at, Op: trace.OpSleep, Arg: period}, trace.Record{Time: now, Site: at, Op: trace.OpSleep, End: true})
		if sent-got >= room {
			send(trace.OpTrySend, now, 0)
			continue
		}
		send(trace.OpTrySend, now, 1)
		sent++
	}
	t.Threads = append(t.Threads, th)
}

// newSite adds a place to the trace.
func newSite(t *trace.Trace, f trace.Frame) int32 {
	t.Sites = append(t.Sites, trace.Site{Frames: []trace.Frame{f}})
	return int32(len(t.Sites) - 1)
}
