package diskio

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// blktraceMagic is the upper part of the first word of a record of blktrace(8);
// the lower byte is the version.
const (
	blktraceMagic   = 0x65617400
	blktraceVersion = 7
)

// blktraceRecord is struct blk_io_trace of linux/blktrace_api.h, followed by
// PDULength bytes.
type blktraceRecord struct {
	Magic, Sequence      uint32
	Time                 uint64 // ns, CLOCK_MONOTONIC of the recording kernel
	Sector               uint64
	Bytes, Action, PID   uint32
	Device, CPU          uint32
	Error, PayloadLength uint16
}

// Bits of Action: the event in the lower half, the categories in the upper.
const (
	traceQueue, traceRequeue, traceIssue, traceComplete, traceInsert = 1, 6, 7, 8, 12

	categoryWrite   = 1 << (1 + 16)
	categoryFlush   = 1 << (2 + 16)
	categorySync    = 1 << (3 + 16)
	categoryNotify  = 1 << (10 + 16)
	categoryAhead   = 1 << (11 + 16)
	categoryMeta    = 1 << (12 + 16)
	categoryDiscard = 1 << (13 + 16)
	categoryFUA     = 1 << (15 + 16)
)

// ReadBlktrace reads the binary files that blktrace(8) writes, one per CPU, of
// either byte order. Their clock is the kernel's CLOCK_MONOTONIC.
func ReadBlktrace(files ...io.Reader) (Log, error) {
	var events []event
	for i, r := range files {
		var err error
		if events, err = appendBlktrace(events, r); err != nil {
			return Log{}, fmt.Errorf("blktrace: file %d: %w", i+1, err)
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	a := newAssembler("blktrace", "monotonic")
	for _, e := range events {
		a.add(e)
	}
	log := a.finish()
	if len(log.Requests) == 0 {
		return log, fmt.Errorf("blktrace: %d events read: %w", len(events), ErrNoRequests)
	}
	return log, nil
}

func appendBlktrace(events []event, r io.Reader) ([]event, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		magic, err := b.Peek(4)
		if errors.Is(err, io.EOF) && len(magic) == 0 {
			return events, nil
		} else if err != nil {
			return nil, fmt.Errorf("record %d is cut short", n)
		}
		var order binary.ByteOrder = binary.LittleEndian
		if order.Uint32(magic)&^0xff != blktraceMagic {
			order = binary.BigEndian
		}
		word := order.Uint32(magic)
		if word&^0xff != blktraceMagic {
			return nil, fmt.Errorf("record %d does not begin with the magic number of blktrace", n)
		}
		if v := word & 0xff; v != blktraceVersion {
			return nil, fmt.Errorf("record %d has version %d; version %d can be read", n, v, blktraceVersion)
		}
		var x blktraceRecord
		if err := binary.Read(b, order, &x); err != nil {
			return nil, fmt.Errorf("record %d is cut short", n)
		}
		if _, err := b.Discard(int(x.PayloadLength)); err != nil {
			return nil, fmt.Errorf("record %d is cut short", n)
		}
		if e, ok := x.event(); ok {
			events = append(events, e)
		}
	}
}

// event translates a record.
func (x *blktraceRecord) event() (event, bool) {
	if x.Action&categoryNotify != 0 || x.Sector >= 1<<54 || x.Time > 1<<62 {
		return event{}, false
	}
	e := event{time: int64(x.Time), device: uint64(x.Device), sector: x.Sector, bytes: int64(x.Bytes), thread: int64(x.PID)}
	switch x.Action & 0xffff {
	case traceQueue:
		e.action = queued
	case traceInsert:
		e.action = inserted
	case traceIssue:
		e.action = issued
	case traceComplete:
		e.action = completed
	case traceRequeue:
		e.action = requeued
	default:
		return event{}, false
	}
	if x.Action&categoryFlush != 0 {
		e.rwbs = "F"
	}
	switch {
	case x.Action&categoryDiscard != 0:
		e.rwbs += "D"
	case x.Action&categoryWrite != 0:
		e.rwbs += "W"
	case x.Bytes > 0:
		e.rwbs += "R"
	default:
		e.rwbs += "N"
	}
	for _, flag := range []struct {
		bit  uint32
		text string
	}{{categoryFUA, "F"}, {categoryAhead, "A"}, {categorySync, "S"}, {categoryMeta, "M"}} {
		if x.Action&flag.bit != 0 {
			e.rwbs += flag.text
		}
	}
	return e, true
}
