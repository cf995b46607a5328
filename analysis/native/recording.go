package native

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// The format of a recording is that of recorder/source/recorder.h.
const (
	chunkSize    = 1 << 14
	chunkHead    = 40
	recordSize   = 40
	chunkRecords = (chunkSize - chunkHead) / recordSize
	depth        = 10
	contextSize  = 8 * (1 + depth)
	maxContexts  = 1 << 15
	headPage     = 4096
	headSize     = headPage + maxContexts*contextSize

	flagEnd  = 0x100
	flagBoth = 0x200
)

// recording is what the recorder wrote.
type recording struct {
	full, rseq              bool
	main                    int64
	unwound, checked, wrong uint64 // contexts
	children, lostSites     uint64
	execs                   uint64
	cost                    float64 // ns of a record
	startCPU                int64   // ns of the process before it was recorded
	nano                    int64   // ns of CLOCK_MONOTONIC at time 0
	contexts                [][]uint64
	threads                 map[int64]*recorded
	looking                 int64 // CPU ns of threads that looked whether their teams may go on; known once it is decoded
}

// recorded is what a thread did.
type recorded struct {
	os   int32 // the system's number
	hits []hit
}

// hit is one record.
type hit struct {
	time, cpu int64 // ns
	object    uint64
	arg       int64
	context   uint32
	op        trace.Op
	end, both bool
}

var errNothingRecorded = errors.New("nothing was recorded: the program that was started is a shell or wrapper of another one, which has to be named instead, " +
	"or the loader did not load the recorder (it ignores LD_PRELOAD where a program gets more rights than its user has)")

// parseRecording reads a recording.
func parseRecording(b []byte) (*recording, error) {
	le := binary.LittleEndian
	if len(b) < headSize || string(b[:8]) != "TIERREC\x00" {
		return nil, errNothingRecorded
	}
	if v := le.Uint32(b[8:]); v != recorder.Version {
		return nil, fmt.Errorf("recording: version %d where %d was expected: the recorder beside the program is another one's", v, recorder.Version)
	}
	field := func(i int) uint64 { return le.Uint64(b[16+8*i:]) }
	if field(13) != 0 {
		return nil, errNothingRecorded
	}
	r := &recording{main: int64(field(3)), full: field(4) != 0, rseq: field(5) != 0, unwound: field(6), checked: field(7), wrong: field(8),
		children: field(9), lostSites: field(10), execs: field(11), startCPU: int64(field(12)), cost: math.Float64frombits(field(15)), threads: map[int64]*recorded{}}
	for i := range min(field(2)+1, maxContexts) {
		c := b[headPage+i*contextSize:]
		ips := make([]uint64, min(le.Uint64(c), depth))
		for k := range ips {
			ips[k] = le.Uint64(c[8+8*k:])
		}
		r.contexts = append(r.contexts, ips)
	}
	return r, r.readChunks(b[headSize:max(headSize, min(field(1), uint64(len(b))))], math.Float64frombits(field(14)))
}

// readChunks reads the records of all threads. Two readings of both clocks, as far from
// each other as there are, tell how long a tick is.
func (r *recording) readChunks(b []byte, perTick float64) error {
	le := binary.LittleEndian
	type reading struct{ ticks, mono uint64 }
	var first, last reading
	chunks := slices.Collect(slices.Chunk(b, chunkSize))
	of := map[int64]int{} // chunks, by thread
	for _, c := range chunks {
		if len(c) < chunkSize || le.Uint64(c[8:]) == 0 { // taken, not begun, when the process was killed
			continue
		}
		at := reading{le.Uint64(c[8:]), le.Uint64(c[16:])}
		if first.ticks == 0 || at.ticks < first.ticks {
			first = at
		}
		if at.ticks > last.ticks {
			last = at
		}
		of[int64(le.Uint32(c))]++
	}
	const exact = 1e8 // ns after which the clocks' own errors no longer matter
	if last.mono-first.mono > exact {
		perTick = float64(last.mono-first.mono) / float64(last.ticks-first.ticks)
	}
	r.nano = int64(first.mono)
	for _, c := range chunks {
		if len(c) < chunkSize || le.Uint64(c[8:]) == 0 {
			continue
		}
		id := int64(le.Uint32(c))
		t := r.threads[id]
		if t == nil {
			t = &recorded{os: int32(le.Uint32(c[4:])), hits: make([]hit, 0, of[id]*chunkRecords)}
			r.threads[id] = t
		}
		for o := chunkHead; o+recordSize <= chunkSize; o += recordSize {
			h := c[o:]
			op := le.Uint16(h[36:])
			if op == 0 {
				break
			}
			t.hits = append(t.hits, hit{time: int64(float64(int64(le.Uint64(h)-first.ticks)) * perTick), cpu: int64(le.Uint64(h[8:])), object: le.Uint64(h[16:]),
				arg: int64(le.Uint64(h[24:])), context: le.Uint32(h[32:]), op: trace.Op(op), end: op&flagEnd != 0, both: op&flagBoth != 0})
		}
	}
	if len(r.threads) == 0 {
		return errNothingRecorded
	}
	return nil
}

// records is the number of records.
func (r *recording) records() (n int) {
	for _, t := range r.threads {
		n += len(t.hits)
	}
	return n
}

// threadTime is the CPU time that the threads used, in s.
func (r *recording) threadTime() float64 {
	sum := int64(0)
	for _, t := range r.threads {
		sum += t.hits[len(t.hits)-1].cpu - t.hits[0].cpu
	}
	return float64(sum) * 1e-9
}

// doubts are the reasons for which a trace may be less than it should.
func (r *recording) doubts() []string {
	var ws []string
	warn := func(format string, args ...any) { ws = append(ws, fmt.Sprintf(format, args...)) }
	if r.full {
		warn("the recording was full: what happened later is missing; record a shorter run or allow more")
	}
	if !r.rseq {
		warn("each reading of the CPU clock was a system call: the kernel or C library has no rseq(2) that the recorder can use; the overhead is larger")
	}
	if r.children > 0 {
		warn("the program made %d processes of its own, which are not recorded: what they do is a wait to the model; if it has an option to do all in one process, give it", r.children)
	}
	if r.execs > 0 {
		warn("the program put itself in its own place %d times (exec): what it did before is not recorded", r.execs)
	}
	if r.lostSites > 0 {
		warn("%d operations have no calling context: more than %d different ones", r.lostSites, maxContexts)
	}
	return ws
}

// mapping is a part of the address space in which code lies.
type mapping struct {
	from, to, offset uint64
	file             string
}

// parseMaps reads copies of /proc/PID/maps, one after the other: of what lay at an address the last is taken.
func parseMaps(text string) []mapping {
	var ms []mapping
	for line := range strings.Lines(text) {
		var m mapping
		var rights, device string
		var inode uint64
		if n, _ := fmt.Sscanf(line, "%x-%x %s %x %s %d", &m.from, &m.to, &rights, &m.offset, &device, &inode); n < 6 || !strings.Contains(rights, "x") {
			continue
		}
		if i := strings.IndexByte(line, '/'); i > 0 {
			m.file = strings.TrimSuffix(line[i:], "\n")
			ms = append(ms, m)
		}
	}
	slices.Reverse(ms)
	return ms
}
