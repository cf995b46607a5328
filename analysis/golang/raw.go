package golang

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// event is a record as it lies in the probe file, with what belonged to it.
type event struct {
	ticks      int64
	goid       uint64
	site       uint32
	op         trace.Op
	flags      uint8
	cases      int32 // index into recording.cases of a select, −1: none
	object     uint64
	arg        int64
	cpu        int64
	seq        uint16
	sys, ready int64 // ticks so far; −1: as before
	assist     int64
	os         int32  // thread of the system that executed it, 0: not told
	read       int64  // bytes that it caused to be read from disks
	timer      uint64 // the function of the timer that executes a go statement, 0: a goroutine does
}

// recording is a probe file, parsed but not interpreted.
type recording struct {
	header
	events []event
	stacks map[uint32][]uint64 // offsets of return addresses, innermost first
	cases  [][]uint64          // channel | send
	cycles [][9]uint64
}

// probeSet tells the operations that a probe file may contain.
func probeSet() (set [256]bool) {
	for _, op := range probeOps {
		set[op] = true
	}
	return set
}

// parseProbeFile reads all chunks. A chunk ends with the first record that is
// not whole: the program may have been killed while it wrote it.
func parseProbeFile(b []byte) (*recording, error) {
	h, err := parseHeader(b)
	if err != nil {
		return nil, err
	}
	r := &recording{header: h, stacks: map[uint32][]uint64{}}
	known := probeSet()
	for c := uint64(probeChunk); c < h.next; c += probeChunk {
		if err := r.parseChunk(b[c:c+probeChunk], &known); err != nil {
			return nil, fmt.Errorf("probe file: chunk at %d: %w", c, err)
		}
	}
	slices.SortStableFunc(r.events, func(a, b event) int {
		switch {
		case a.ticks < b.ticks:
			return -1
		case a.ticks > b.ticks:
			return 1
		}
		return 0
	})
	r.mendOrder()
	return r, nil
}

// maxStep is how far time may run backwards between records of a chunk: the
// counters of two cores differ by less.
const maxStep = 1 << 20 // ticks, ≈ 400 µs

func (r *recording) parseChunk(b []byte, known *[256]bool) error {
	w := func(o int) uint64 { return binary.LittleEndian.Uint64(b[o:]) }
	var last int64
	for o := 0; o+32 <= len(b); {
		start := o
		var cases []uint64
		ext, disk := -1, -1
		for o+32 <= len(b) && w(o) != 0 && (w(o)&0xff == tagCase || w(o)&0xff == tagExt || w(o)&0xff == tagDisk) {
			switch w(o) & 0xff {
			case tagExt:
				ext = o
			case tagDisk:
				disk = o
			default:
				n := int(w(o) >> 16)
				if n < 1 || n > 3 || ext >= 0 {
					return fmt.Errorf("corrupt: offset %d: a select of %d cases", o, n)
				}
				for i := range n {
					cases = append(cases, w(o+8+8*i))
				}
			}
			o += 32
		}
		if o+32 > len(b) {
			return fmt.Errorf("corrupt: offset %d: a record without its end", start)
		}
		w0 := w(o)
		if w0 == 0 {
			return nil
		}
		switch tag := w0 & 0xff; tag {
		case tagStack:
			n := int(w0 >> 16)
			size := (16 + 8*n + 31) &^ 31
			if n < 1 || n > 64 || o+size > len(b) || w(o+8) == 0 || w(o+8) > math.MaxUint32 {
				return fmt.Errorf("corrupt: offset %d: a context of %d frames", o, n)
			}
			pcs := make([]uint64, n)
			for i := range pcs {
				pcs[i] = w(o+16+8*i) - r.text
			}
			r.stacks[uint32(w(o+8))] = pcs
			o += size
		case tagGC:
			if o+96 > len(b) || w(o+32)&0xff != tagGC || w(o+64)&0xff != tagGC {
				return fmt.Errorf("corrupt: offset %d: half a collection", o)
			}
			r.cycles = append(r.cycles, [9]uint64{w(o + 8), w(o + 16), w(o + 24), w(o + 40), w(o + 48), w(o + 56), w(o + 72), w(o + 80), w(o + 88)})
			o += 96
		default:
			if !known[tag] {
				return fmt.Errorf("corrupt: offset %d: no operation %d", o, tag)
			}
			e := event{
				ticks: int64(w0 >> 16), op: trace.Op(tag), flags: uint8(w0 >> 8), cases: -1,
				goid: w(o+8) >> 24, site: uint32(w(o+8) & (1<<24 - 1)),
				object: w(o+16) >> 16, arg: int64(int16(w(o + 16))),
				cpu: int64(w(o+24)) >> 16, seq: uint16(w(o + 24)),
				sys: -1, ready: -1, assist: -1,
			}
			if e.op == trace.OpSpawn && e.goid == 0 {
				e.timer, e.cpu = uint64(e.cpu), 0
			}
			if e.ticks < last-maxStep && e.op != trace.OpPark {
				return fmt.Errorf("corrupt: offset %d: time runs backwards by %d ticks", o, last-e.ticks)
			}
			last = max(last, e.ticks)
			if (e.flags&flagExt != 0) != (ext >= 0) {
				return fmt.Errorf("corrupt: offset %d: record and extension do not belong together", o)
			}
			if ext >= 0 {
				e.arg, e.sys, e.assist, e.ready = int64(w(ext+8)), int64(w(ext+16)), int64(w(ext+24)), int64(w(ext)>>16)
			}
			if disk >= 0 {
				if e.flags&flagEnd == 0 || w(disk+8) > math.MaxInt32 || w(disk+16) > 1<<40 {
					return fmt.Errorf("corrupt: offset %d: disk use of thread %d", disk, w(disk+8))
				}
				e.os, e.read = int32(w(disk+8)), int64(w(disk+16))*512
			}
			if e.op == trace.OpSelect && e.flags&flagEnd == 0 {
				e.cases = int32(len(r.cases))
				r.cases = append(r.cases, cases)
			} else if cases != nil {
				return fmt.Errorf("corrupt: offset %d: cases without a select", o)
			}
			r.events = append(r.events, e)
			o += 32
		}
	}
	return nil
}
