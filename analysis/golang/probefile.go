package golang

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"tierscope/analysis/execution"
)

// The probe file, as probe/record.go writes it.
const (
	probeMagic = 0x31454f5250535400
	probeChunk = 64 << 10

	flagEnd   = 1
	flagExt   = 2
	flagSeq   = 4
	flagTimer = 8

	tagExt   = 255
	tagStack = 254
	tagDisk  = 251
	tagCase  = 253
	tagGC    = 252
)

// header is the first page of a probe file.
type header struct {
	next        uint64 // end of the chunks in use
	ticks, nano int64  // time stamp counter and CLOCK_MONOTONIC at the start
	ticksNow    int64  // and when the last chunk was begun
	nanoNow     int64
	size        uint64
	dropped     int64
	text        uint64
	mult        uint64 // ns a tick, 32.32
	plain       bool   // no restartable sequences: the CPU clock was a system call each time
	sitesLost   int64
	muted       int64
	procs       int
}

// createProbeFile makes an empty probe file with room for size bytes, or
// however much the file system has, but for minProbeFile at least.
func createProbeFile(name string, size int64) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("probe file: %w", err)
	}
	defer f.Close()
	size = max(size, minProbeFile) / probeChunk * probeChunk
	for {
		err = execution.Reserve(f, size)
		if !errors.Is(err, syscall.ENOSPC) || size/2 < minProbeFile {
			break
		}
		size = size / 2 / probeChunk * probeChunk
	}
	if err != nil {
		os.Remove(name)
		if errors.Is(err, syscall.ENOSPC) {
			return fmt.Errorf("no room for the recording: %s needs %d MB free: %w", name, minProbeFile>>20, err)
		}
		return fmt.Errorf("probe file %s: %w", name, err)
	}
	page := make([]byte, 512)
	binary.LittleEndian.PutUint64(page, probeMagic)
	binary.LittleEndian.PutUint64(page[7*8:], uint64(size))
	if _, err := f.WriteAt(page, 0); err != nil {
		os.Remove(name)
		return fmt.Errorf("probe file: %w", err)
	}
	return nil
}

const minProbeFile = 16 << 20

// errNotStarted says that the program never came to the point where it
// begins to record.
var errNotStarted = errors.New("the program did not start to record")

func parseHeader(b []byte) (header, error) {
	if len(b) < probeChunk {
		return header{}, fmt.Errorf("probe file: truncated: %d bytes, want %d at least", len(b), probeChunk)
	}
	w := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	if w(0) != probeMagic {
		return header{}, fmt.Errorf("probe file: bad magic %#x, want %#x", w(0), uint64(probeMagic))
	}
	h := header{
		next: w(2), ticks: int64(w(3)), nano: int64(w(4)), ticksNow: int64(w(5)), nanoNow: int64(w(6)),
		size: w(7), dropped: int64(w(8)), text: w(9), mult: w(10), plain: w(11) != 0,
		sitesLost: int64(w(12)), muted: int64(w(13)), procs: int(w(14)),
	}
	if h.next == 0 {
		return h, errNotStarted
	}
	switch {
	case h.next%probeChunk != 0 || h.next < probeChunk:
		return h, fmt.Errorf("probe file: corrupt: the chunks end at %d", h.next)
	case min(h.next, h.size) > uint64(len(b)):
		return h, fmt.Errorf("probe file: truncated: %d bytes, want %d", len(b), min(h.next, h.size))
	case h.mult == 0 || h.mult > 1<<40:
		return h, fmt.Errorf("probe file: corrupt: a tick of %d/2^32 ns", h.mult)
	case h.ticksNow < h.ticks || h.nanoNow < h.nano:
		return h, errors.New("probe file: corrupt: time runs backwards in the header")
	case h.procs < 1 || h.procs > 1<<16:
		return h, fmt.Errorf("probe file: corrupt: GOMAXPROCS %d", h.procs)
	}
	h.next = min(h.next, h.size)
	return h, nil
}

// tick is the length of a tick in ns. Over a second or more the header's pair
// of stamps is more exact than the 2 ms at the start of the program.
func (h header) tick() float64 {
	if n, t := h.nanoNow-h.nano, h.ticksNow-h.ticks; n > 1e9 && t > 0 {
		if r := float64(n) / float64(t); r > 0 && r < 256 {
			return r
		}
	}
	return float64(h.mult) / (1 << 32)
}
