package golang

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// image builds a probe file as the probes would write it: the counter ticks in
// ns, every context i has one frame at offset 100·i.
type image struct{ b []byte }

func newImage() *image {
	m := &image{b: make([]byte, probeChunk)}
	for i, v := range map[int]uint64{0: probeMagic, 1: 1, 2: probeChunk, 7: 1 << 30, 9: 0x400000, 10: 1 << 32, 14: 2} {
		binary.LittleEndian.PutUint64(m.b[8*i:], v)
	}
	return m
}

func (m *image) words(w ...uint64) *image {
	for _, v := range w {
		m.b = binary.LittleEndian.AppendUint64(m.b, v)
	}
	return m
}

func (m *image) context(id uint64) *image {
	return m.words(1<<16|tagStack, id, 0x400000+100*id, 0)
}

// rec appends a record; seq 0 is none.
func (m *image) rec(ticks, goid, site uint64, op trace.Op, flags, object uint64, arg int16, cpu, seq uint64) *image {
	if seq != 0 {
		flags |= flagSeq
	}
	return m.words(ticks<<16|flags<<8|uint64(op), goid<<24|site, object<<16|uint64(uint16(arg)), cpu<<16|seq&0xffff)
}

func (m *image) bytes() []byte {
	for len(m.b)%probeChunk != 0 {
		m.b = append(m.b, 0)
	}
	binary.LittleEndian.PutUint64(m.b[16:], uint64(len(m.b)))
	return m.b
}

func framesAt100(offsets []uint64) (map[uint64][]trace.Frame, error) {
	out := map[uint64][]trace.Frame{}
	for _, o := range offsets {
		out[o] = []trace.Frame{{Function: "main.f", File: "f.go", Line: int(o / 100)}}
	}
	return out, nil
}

func decodeImage(t *testing.T, m *image) *trace.Trace {
	t.Helper()
	r, err := parseProbeFile(m.bytes())
	if err != nil {
		t.Fatal(err)
	}
	tr, err := r.decode(framesAt100)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The file has 16 bits of the number of a value: over 100 000 values, sender
// and receiver still agree, each on a number of its own.
func TestSenderAndReceiverKnowTheSameValueHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	m := newImage().context(1).context(2)
	const n = 100_000
	now := uint64(1)
	for i := uint64(1); i <= n; i++ {
		if (uint64(len(m.b))+256)%probeChunk < 256 {
			m.bytes() // a record never crosses chunks
		}
		m.rec(now, 1, 1, trace.OpSend, 0, 0xc000, 0, 0, 0)
		m.rec(now+1, 1, 0, trace.OpSend, flagEnd, 0xc000, 0, 0, i)
		m.rec(now+2, 2, 2, trace.OpReceive, 0, 0xc000, 0, 0, 0)
		m.rec(now+3, 2, 0, trace.OpReceive, flagEnd, 0xc000, 1, 0, i)
		now += 4
	}
	tr := decodeImage(t, m)
	values := map[uint64]bool{}
	for i, s := range tr.Threads[0].Records {
		if !s.End {
			continue
		}
		if r := tr.Threads[1].Records[i]; s.Value == 0 || s.Value != r.Value || values[s.Value] {
			t.Fatalf("value %d: sent as %#x, received as %#x, seen before: %v", i/2, s.Value, r.Value, values[s.Value])
		}
		values[s.Value] = true
	}
	if len(values) != n {
		t.Errorf("%d values, want %d", len(values), n)
	}
}

// Memory is used again: a channel made, or a file opened, at the address of an
// older one is another object.
func TestAnAddressUsedAgainIsAnotherObject(t *testing.T) {
	t.Parallel()
	m := newImage().context(1)
	for i := uint64(0); i < 2; i++ {
		at := 100*i + 1
		m.rec(at, 1, 1, trace.OpMake, 0, 0xc000, int16(3+i), 0, 8)
		m.rec(at+1, 1, 1, trace.OpSend, 0, 0xc000, 0, 0, 0)
		m.rec(at+2, 1, 0, trace.OpSend, flagEnd, 0xc000, 0, 0, 1)
		m.rec(at+3, 1, 1, trace.OpOpen, 0, 0, 0, 0, 0)
		m.rec(at+4, 1, 0, trace.OpOpen, flagEnd, 0xd000, 0, 0, 0)
		m.rec(at+5, 1, 1, trace.OpFileClose, 0, 0xd000, 0, 0, 0)
		m.rec(at+6, 1, 0, trace.OpFileClose, flagEnd, 0xd000, 0, 0, 0)
	}
	tr := decodeImage(t, m)
	if len(tr.Objects) != 4 || tr.Objects[0].Capacity != 3 || tr.Objects[2].Capacity != 4 || tr.Objects[0].Elem != 8 {
		t.Errorf("objects %+v, want two channels of capacity 3 and 4 and element size 8, and two files", tr.Objects)
	}
}

// An operation that a panic cut short has no end. It is left out and counted.
func TestAnOperationWithoutAnEndIsLeftOutAndCounted(t *testing.T) {
	t.Parallel()
	m := newImage().context(1).
		rec(1, 1, 1, trace.OpSend, 0, 0xc000, 0, 10, 0).
		rec(2, 1, 1, trace.OpLock, 0, 0xe000, 0, 20, 0).
		rec(3, 1, 0, trace.OpLock, flagEnd, 0xe000, 0, 30, 0)
	tr := decodeImage(t, m)
	if n := len(tr.Threads[0].Records); n != 2 || tr.Unmatched != 1 {
		t.Errorf("%d records, %d unmatched, want the lock's 2 and 1", n, tr.Unmatched)
	}
}

// The first process that a program starts makes the run-time system start a goroutine that cleans up, in the
// middle of os.StartProcess: that is whole all the same, its start beside its end.
func TestAGoroutineThatBeginsInsideAnOperationLeavesItWhole(t *testing.T) {
	t.Parallel()
	tr := decodeImage(t, newImage().context(1).
		rec(10, 1, 1, trace.OpExternal, 0, 0, 0, 10, 0).
		rec(11, 1, 1, trace.OpSpawn, 0, 7, 0, 15, 0).
		rec(12, 1, 0, trace.OpExternal, flagEnd, 0, 0, 20, 0))
	var ops []string
	for i, r := range tr.Threads[0].Records {
		ops = append(ops, fmt.Sprint(r.Op, r.End))
		if i > 0 && (r.Time < tr.Threads[0].Records[i-1].Time || r.CPU < tr.Threads[0].Records[i-1].CPU) {
			t.Errorf("record %d is earlier than the one before", i)
		}
	}
	if got, want := strings.Join(ops, ", "), "spawn false, external false, external true"; got != want || tr.Unmatched != 0 {
		t.Errorf("records are %s, %d unmatched; want %s, none unmatched", got, tr.Unmatched, want)
	}
}

// The counters of two cores differ: what a goroutine did after it had moved may
// seem to have been before. An operation that ends before it begins, and one that
// begins inside another one, are put right.
func TestEventsOfAGoroutineThatMovesComeInTheOrderOfTheProgram(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]*image{
		"ends before it begins": newImage().context(1).
			rec(10, 1, 0, trace.OpStat, flagEnd, 1, 0, 20, 0).
			rec(12, 1, 1, trace.OpStat, 0, 1, 0, 10, 0).
			rec(20, 1, 1, trace.OpLock, 0, 0xe000, 0, 30, 0).
			rec(21, 1, 0, trace.OpLock, flagEnd, 0xe000, 0, 40, 0),
		"begins before the other ends": newImage().context(1).
			rec(10, 1, 1, trace.OpStat, 0, 1, 0, 10, 0).
			rec(11, 1, 1, trace.OpLock, 0, 0xe000, 0, 30, 0).
			rec(12, 1, 0, trace.OpStat, flagEnd, 1, 0, 20, 0).
			rec(21, 1, 0, trace.OpLock, flagEnd, 0xe000, 0, 40, 0),
	} {
		tr := decodeImage(t, m)
		rs := tr.Threads[0].Records
		if len(rs) != 4 || tr.Unmatched != 0 {
			t.Errorf("%s: %d records, %d unmatched, want the 4 of two operations", name, len(rs), tr.Unmatched)
			continue
		}
		for i, want := range []trace.Op{trace.OpStat, trace.OpStat, trace.OpLock, trace.OpLock} {
			if rs[i].Op != want || rs[i].End != (i%2 == 1) || i > 0 && rs[i].Time < rs[i-1].Time {
				t.Errorf("%s: record %d is %+v", name, i, rs[i])
			}
		}
	}
}

func TestImpossibleProbeFilesAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	patch := func(word int, v uint64) []byte {
		b := newImage().context(1).rec(1, 1, 1, trace.OpSend, 0, 1, 0, 0, 0).bytes()
		binary.LittleEndian.PutUint64(b[8*word:], v)
		return b
	}
	first := probeChunk/8 + 4 // the record, after its context
	for _, x := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "truncated", nil},
		{"half a header", "truncated", make([]byte, 100)},
		{"another file", "bad magic", make([]byte, probeChunk)},
		{"cut off", "truncated", patch(0, probeMagic)[:probeChunk+100]},
		{"never started", "did not start", patch(2, 0)},
		{"no operation", "no operation", patch(first, 1<<16|200)},
		{"chunks end in the middle", "corrupt", patch(2, probeChunk+1)},
		{"tick of nothing", "tick", patch(10, 0)},
		{"no processors", "GOMAXPROCS", patch(14, 0)},
		{"extension missing", "do not belong together", patch(first, 1<<16|flagExt<<8|uint64(trace.OpSend))},
		{"frames beyond the chunk", "frames", patch(probeChunk/8, 9999<<16|tagStack)},
		{"time runs backwards", "backwards", newImage().context(1).
			rec(1<<30, 1, 1, trace.OpSend, 0, 1, 0, 0, 0).rec(1, 1, 1, trace.OpLock, 0, 1, 0, 0, 0).bytes()},
		{"end without start", "has not begun", newImage().context(1).rec(1, 1, 0, trace.OpSend, flagEnd, 1, 0, 0, 0).bytes()},
		{"cases without a select", "without a select", newImage().context(1).
			words(1<<16|tagCase, 8, 0, 0).rec(1, 1, 1, trace.OpSend, 0, 1, 0, 0, 0).bytes()},
	} {
		r, err := parseProbeFile(x.file)
		if err == nil {
			_, err = r.decode(framesAt100)
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want one with %q", x.name, err, x.want)
		}
	}
}

// A program may be killed while it writes a record: what is whole is read.
func TestARecordThatIsNotWholeEndsItsChunk(t *testing.T) {
	t.Parallel()
	m := newImage().context(1).rec(1, 1, 1, trace.OpSend, 0, 1, 0, 0, 0)
	m.words(0, 1<<24|1, 0, 0) // the first word is written last
	if tr := decodeImage(t, m); len(tr.Threads) != 1 || len(tr.Threads[0].Records) != 1 {
		t.Errorf("%+v, want the one whole record", tr.Threads)
	}
}

func FuzzParseProbeFile(f *testing.F) {
	f.Add(newImage().context(1).rec(1, 1, 1, trace.OpSend, 0, 1, 0, 0, 0).rec(2, 1, 0, trace.OpSend, flagEnd, 1, 0, 0, 1).bytes()[probeChunk : probeChunk+256])
	f.Add(newImage().words(2<<16|tagCase, 8, 17, 0, 5<<16|tagExt, 1<<40, 7, 7).rec(1, 1, 1, trace.OpSelect, flagExt, 0, 0, 0, 0).bytes()[probeChunk : probeChunk+256])
	f.Add(newImage().words(tagGC, 1, 2, 3, tagGC, 4, 5, 6, tagGC, 7, 8, 9).bytes()[probeChunk : probeChunk+256])
	f.Fuzz(func(t *testing.T, chunk []byte) {
		if len(chunk) > probeChunk {
			chunk = chunk[:probeChunk]
		}
		m := newImage()
		m.b = append(m.b, chunk...)
		r, err := parseProbeFile(m.bytes())
		if err != nil {
			return
		}
		tr, err := r.decode(framesAt100)
		if err != nil {
			return
		}
		for _, th := range tr.Threads {
			open := trace.OpNone
			for i, rec := range th.Records {
				if i > 0 && (rec.CPU < th.Records[i-1].CPU || rec.Time < th.Records[i-1].Time) {
					t.Fatalf("goroutine %d, record %d: time or CPU time runs backwards", th.ID, i)
				}
				if rec.End && rec.Op != open {
					t.Fatalf("goroutine %d, record %d: %v ends, %v is open", th.ID, i, rec.Op, open)
				}
				if open = trace.OpNone; !rec.End {
					open = rec.Op
				}
			}
		}
		r.mutable(map[uint64][]trace.Frame{})
	})
}
