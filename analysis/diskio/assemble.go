package diskio

import (
	"fmt"
	"slices"
)

// action is what an event of a block trace says.
type action uint8

const (
	queued    action = iota // a bio was asked for by a thread (Q)
	inserted                // a request entered the scheduler's queue (I)
	issued                  // a request went to the device (D)
	completed               // all or a part of a request is done (C)
	requeued                // the device refused a request for now (R)
)

// event is one line or record of a block trace.
type event struct {
	action action
	time   int64
	device uint64
	sector uint64
	bytes  int64
	rwbs   string
	thread int64
}

func (e *event) end() uint64 { return e.sector + uint64(e.bytes+511)/512 }

// assembler makes requests of events, in order of time. The kernel merges bios
// into requests and requests into each other, so they are joined by their
// sectors: a request that is issued consists of the bios and the insertions
// that lie inside it. The thread is that of its first bio, because issues and
// completions happen in whatever thread is current.
type assembler struct {
	log      Log
	bios     map[uint64][]event   // by device: queued, not issued yet
	inserts  map[uint64][]event   // by device: inserted, not issued yet
	flight   map[uint64][]*flying // by device: issued, not complete yet
	orphans  int                  // completions of what was not issued in the recording
	endless  int                  // requests whose completion is missing although the same sectors were asked for again
	unissued int
}

// flying is a request in the device.
type flying struct {
	Request
	left  int64 // bytes
	again bool  // the same was issued again meanwhile: by another thread, or its completion is missing
}

func newAssembler(source, clock string) *assembler {
	return &assembler{log: Log{Source: source, Clock: clock},
		bios: map[uint64][]event{}, inserts: map[uint64][]event{}, flight: map[uint64][]*flying{}}
}

// most events of a kind are kept; a trace whose requests are never issued must
// not fill the memory.
const most = 1 << 16

func (a *assembler) add(e event) {
	switch e.action {
	case queued:
		a.bios[e.device] = a.keep(a.bios[e.device], e)
	case inserted:
		a.inserts[e.device] = a.keep(a.inserts[e.device], e)
	case issued:
		a.issue(e)
	case requeued:
		d := a.flight[e.device]
		if i := a.find(d, e); i >= 0 {
			r := d[i]
			a.flight[e.device] = slices.Delete(d, i, i+1)
			a.inserts[e.device] = a.keep(a.inserts[e.device], event{inserted, first(r.Inserted, r.Issued), e.device, r.Sector, r.Bytes, e.rwbs, r.Thread})
		}
	case completed:
		a.complete(e)
	}
}

func (a *assembler) keep(events []event, e event) []event {
	if len(events) >= most {
		a.unissued += len(events) / 2
		events = slices.Delete(events, 0, len(events)/2)
	}
	return append(events, e)
}

// take removes the events inside a request and returns the earliest of them.
func take(events []event, r *event) (rest []event, earliest event, ok bool) {
	rest = events[:0]
	for _, e := range events {
		inside := e.sector >= r.sector && e.end() <= r.end() && (e.bytes > 0 || r.bytes == 0)
		if !inside {
			rest = append(rest, e)
			continue
		}
		if !ok || e.time < earliest.time {
			earliest, ok = e, true
		}
	}
	return rest, earliest, ok
}

func (a *assembler) issue(e event) {
	r := Request{Thread: e.thread, Device: e.device, Sector: e.sector, Bytes: e.bytes, Type: TypeOf(e.rwbs, e.bytes), Issued: e.time}
	var bio, insert event
	var ok bool
	if a.bios[e.device], bio, ok = take(a.bios[e.device], &e); ok {
		r.Queued, r.Thread = bio.time, bio.thread
	}
	if a.inserts[e.device], insert, ok = take(a.inserts[e.device], &e); ok {
		r.Inserted = insert.time
		if r.Queued == 0 {
			r.Thread = insert.thread
		}
	}
	for _, f := range a.flight[e.device] {
		f.again = f.again || f.Sector == e.sector && f.Bytes == e.bytes && e.bytes > 0
	}
	if len(a.flight[e.device]) < most {
		a.flight[e.device] = append(a.flight[e.device], &flying{Request: r, left: e.bytes})
	}
}

// find returns the request in flight that an event is about; of several for the same
// sectors the last, for those before may be there only because their completion is
// missing. −1: none.
func (a *assembler) find(flight []*flying, e event) int {
	for i := len(flight) - 1; i >= 0; i-- {
		f := flight[i]
		if f.Bytes == 0 || e.bytes == 0 {
			if f.Bytes == 0 && e.bytes == 0 {
				return i
			}
			continue
		}
		if f.Sector <= e.sector && e.sector < f.Sector+uint64(f.Bytes+511)/512 {
			return i
		}
	}
	return -1
}

func (a *assembler) complete(e event) {
	d := a.flight[e.device]
	i := a.find(d, e)
	if i < 0 {
		a.orphans++
		return
	}
	r := d[i]
	if r.left -= e.bytes; r.left > 0 {
		return // a part
	}
	r.Completed = e.time
	if r.Completed >= r.Issued && r.Type != "" {
		a.log.Requests = append(a.log.Requests, r.Request)
	}
	a.flight[e.device] = slices.Delete(d, i, i+1)
}

// finish returns the log.
func (a *assembler) finish() Log {
	lost := 0
	for _, d := range a.flight {
		lost += len(d)
		for _, f := range d {
			if f.again {
				a.endless++
			}
		}
	}
	if lost > 0 {
		a.log.Warnings = append(a.log.Warnings, fmt.Sprintf("%d requests have no completion in the recording", lost))
	}
	if a.orphans > 0 {
		a.log.Warnings = append(a.log.Warnings, fmt.Sprintf("%d completions of requests whose issue is not in the recording", a.orphans))
	}
	if a.unissued > 0 {
		a.log.Warnings = append(a.log.Warnings, fmt.Sprintf("%d bios or insertions were never issued", a.unissued))
	}
	a.log.sort()
	return a.log
}

// first returns the first time that is known.
func first(times ...int64) int64 {
	for _, t := range times {
		if t != 0 {
			return t
		}
	}
	return 0
}
