package diskio

import (
	"encoding/binary"
	"fmt"
)

// ringPage is how the kernel lays out a page of trace_pipe_raw, as its file
// events/header_page tells: a time stamp, the number of bytes that follow, and
// records (linux/ring_buffer.h).
type ringPage struct {
	size, data int // bytes of a page; offset of its records
}

// Types of a record's header: the lower 5 bits; anything between is the length
// of the record in words of 4 bytes. The other 27 bits are the time since the
// record before.
const (
	ringLong     = 0 // the length is in the next word
	ringPadding  = 29
	ringExtend   = 30 // a longer time: its upper bits are in the next word
	ringAbsolute = 31

	missedEvents = 1 << 31 // of the commit word: events were lost before this page
	commitMask   = 0xfffff
)

// records calls visit for every record of a page, with its time and payload,
// and reports whether events were lost before it. It returns an error for a
// page that no kernel writes.
func (p ringPage) records(page []byte, visit func(time int64, payload []byte)) (missed bool, err error) {
	if len(page) < p.data {
		return false, fmt.Errorf("a page of %d bytes", len(page))
	}
	word := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(page[at:])) }
	now := binary.LittleEndian.Uint64(page)
	commit := word(8)
	end := p.data + int(commit&commitMask)
	if end > len(page) {
		return false, fmt.Errorf("a page of %d bytes with %d bytes of records", len(page), end-p.data)
	}
	missed = commit&missedEvents != 0
	for at := p.data; at+4 <= end; {
		header := word(at)
		kind, delta := header&31, header>>5
		at += 4
		if (kind == ringLong || kind >= ringPadding) && at+4 > end {
			if kind == ringPadding && delta == 0 {
				return missed, nil
			}
			return missed, fmt.Errorf("a record cut off at byte %d", at)
		}
		var length int
		switch kind {
		case ringPadding:
			if delta == 0 {
				return missed, nil // the rest of the page
			}
			now += delta
			at += int(word(at))
			continue
		case ringExtend:
			now += delta + word(at)<<27
			at += 4
			continue
		case ringAbsolute:
			now = now&^(1<<59-1) | (delta + word(at)<<27)
			at += 4
			continue
		case ringLong:
			length = int(word(at)) - 4
			at += 4
		default:
			length = int(kind) * 4
		}
		now += delta
		if length < 0 || at+length > end {
			return missed, fmt.Errorf("a record of %d bytes at byte %d of %d", length, at, end)
		}
		visit(int64(now), page[at:at+length])
		at += length
	}
	return missed, nil
}
