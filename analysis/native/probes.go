package native

import (
	"slices"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// What a programmer marks, as tierscope.h numbers it.
const (
	markTaskReceive = recorder.Probe + iota
	markTaskSend
	markQueue
	markWaitPut
	markWaitGet
	markPut
	markGet
	markClose
	markFragmentBegin
	markFragmentEnd
	markParameter
)

// mark turns a probe by hand into records: a queue that no lock shows is one that a language has.
func (d *decoder) mark(t *thread, h *hit) {
	as := func(op trace.Op, end, both bool, arg int64) {
		e := *h
		e.op, e.end, e.both, e.arg = op, end, both, arg
		d.operation(t, &e)
	}
	waited := func(op trace.Op) bool { return t.open >= 0 && t.Records[t.open].Op == op }
	switch h.op {
	case markTaskReceive, markTaskSend:
		op := trace.OpTaskBegin
		if h.op == markTaskSend {
			op = trace.OpTaskEnd
		}
		r := d.record(t, h, op)
		r.Arg, r.Value, r.End = 0, uint64(h.arg), false
		t.Records = append(t.Records, r)
	case markQueue:
		d.objects.add(objectKey{h.object, "queue"}, "queue", h.arg, d.site(h), h.time)
	case markWaitPut:
		as(trace.OpSend, false, false, 0)
	case markWaitGet:
		as(trace.OpReceive, false, false, 0)
	case markPut:
		as(trace.OpSend, waited(trace.OpSend), !waited(trace.OpSend), 1)
		t.Records[len(t.Records)-1].Value = d.moved.put(t.Records[len(t.Records)-1].Object, h.arg)
	case markGet:
		got := int64(0)
		if h.arg != 0 {
			got = 1
		}
		as(trace.OpReceive, waited(trace.OpReceive), !waited(trace.OpReceive), got)
		if got == 1 {
			t.Records[len(t.Records)-1].Value = d.moved.get(t.Records[len(t.Records)-1].Object, h.arg)
		}
	case markClose:
		as(trace.OpClose, false, true, 0)
	case markFragmentBegin:
		t.within = append(t.within, h.object)
		d.boundary(t, h, trace.OpFragmentBegin)
	case markFragmentEnd:
		i := slices.Index(t.within, h.object)
		if i < 0 {
			d.trace.Unmatched++
			return
		}
		t.within = t.within[:i+1]
		d.boundary(t, h, trace.OpFragmentEnd)
		t.within = t.within[:i]
	case markParameter:
		d.parameter(h)
	}
}

// moves numbers what goes through queues: an item is an address, say, that is used again.
type moves struct {
	last uint64
	in   map[[2]uint64][]uint64 // queue and item → numbers that were put and not yet got
}

func (m *moves) put(queue uint64, item int64) uint64 {
	m.last++
	key := [2]uint64{queue, uint64(item)}
	m.in[key] = append(m.in[key], m.last)
	return queue<<valueBits | m.last
}

// get is the number of an item; 0: it was never put.
func (m *moves) get(queue uint64, item int64) uint64 {
	key := [2]uint64{queue, uint64(item)}
	ns := m.in[key]
	if len(ns) == 0 {
		return 0
	}
	m.in[key] = ns[1:]
	return queue<<valueBits | ns[0]
}
