package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
)

// A trace file is a line that names format and version, and a gzip stream
// (whose checksum finds damage) of
//
//	length of the header, header: the trace without its records as JSON
//	(since version 3 with its Runtime)
//	for every thread: number of records, records (since version 2, flag 2: with
//	the thread of the system and the bytes that it read)
//
// Numbers are variable-length integers; times and CPU times are differences
// to the record before.
const (
	TraceMagic   = "tierscope-trace "
	traceVersion = 3
	headerLimit  = 1 << 30 // bytes

	runtimeVersion = 3 // the first that has Trace.Runtime
)

// ErrNotTrace says that a file is not a trace.
var ErrNotTrace = errors.New("not a trace file of tierscope")

// traceHeader is the JSON part. NaN has no JSON, so that overheads are
// pointers.
type traceHeader struct {
	*Trace
	Overhead, OverheadOff *float64
}

func optional(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// WriteTrace writes t.
func WriteTrace(w io.Writer, t *Trace) error {
	if _, err := fmt.Fprintf(w, "%s%d\n", TraceMagic, traceVersion); err != nil {
		return err
	}
	z := gzip.NewWriter(w)
	out := bufio.NewWriterSize(z, 1<<16)
	plain := *t
	plain.Threads = make([]Thread, len(t.Threads))
	for i, th := range t.Threads {
		th.Records = nil
		plain.Threads[i] = th
	}
	header, err := json.Marshal(traceHeader{&plain, optional(t.Overhead), optional(t.OverheadOff)})
	if err != nil {
		return err
	}
	var buf []byte
	buf = binary.AppendUvarint(buf, uint64(len(header)))
	buf = append(buf, header...)
	if _, err := out.Write(buf); err != nil {
		return err
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		buf = binary.AppendUvarint(buf[:0], uint64(len(rs)))
		last := Record{}
		for _, r := range rs {
			buf = appendRecord(buf, &last, &r)
			last = r
			if len(buf) > 1<<15 {
				if _, err := out.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return z.Close()
}

func appendRecord(b []byte, last, r *Record) []byte {
	flags := byte(0)
	if r.End {
		flags = 1
	}
	if r.OS != 0 {
		flags |= 2
	}
	b = append(b, byte(r.Op), flags)
	for _, v := range [...]int64{r.Time - last.Time, r.CPU - last.CPU, r.Sys - last.Sys, r.Assist - last.Assist, r.Ready - last.Ready, int64(r.Site), r.Arg} {
		b = binary.AppendVarint(b, v)
	}
	b = binary.AppendUvarint(b, r.Object)
	b = binary.AppendUvarint(b, r.Value)
	if r.OS != 0 {
		b = binary.AppendVarint(binary.AppendVarint(b, int64(r.OS)), r.Read)
	}
	return b
}

// ReadTrace reads a trace and refuses one that is damaged, cut off, of a
// later version, or impossible. older gives the run-time system of a language for
// versions that do not say it.
func ReadTrace(r io.Reader, older func(language string) Runtime) (*Trace, error) {
	in := bufio.NewReader(r)
	line, err := in.ReadSlice('\n')
	var version int
	if err != nil || !bytes.HasPrefix(line, []byte(TraceMagic)) {
		return nil, ErrNotTrace
	}
	if _, err := fmt.Sscanf(string(line[len(TraceMagic):]), "%d\n", &version); err != nil || version < 1 {
		return nil, ErrNotTrace
	}
	if version > traceVersion {
		return nil, fmt.Errorf("trace version %d is newer than version %d, the newest that this program reads; update the program", version, traceVersion)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", damaged(err))
	}
	t, err := readTraceBody(bufio.NewReaderSize(z, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", damaged(err))
	}
	if version < runtimeVersion {
		t.Runtime = older(t.Language)
	}
	if err := t.validate(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return t, nil
}

func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off (%w); record the trace again", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the file is damaged (%w); record the trace again", err)
}

func readTraceBody(in *bufio.Reader) (*Trace, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	if n > headerLimit {
		return nil, fmt.Errorf("a header of %d bytes", n)
	}
	var header bytes.Buffer // grows with what is there, not with what is claimed
	if m, err := io.CopyN(&header, in, int64(n)); err != nil || m != int64(n) {
		return nil, io.ErrUnexpectedEOF
	}
	h := traceHeader{Trace: &Trace{}}
	if err := json.Unmarshal(header.Bytes(), &h); err != nil {
		return nil, err
	}
	t := h.Trace
	t.Overhead, t.OverheadOff = orNaN(h.Overhead), orNaN(h.OverheadOff)
	for i := range t.Threads {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return nil, err
		}
		var last Record
		for range n {
			if err := readRecord(in, &last); err != nil {
				return nil, err
			}
			t.Threads[i].Records = append(t.Threads[i].Records, last)
		}
	}
	// The checksum is at the end of the stream.
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("data after the last record")
		}
		return nil, err
	}
	return t, nil
}

// readRecord turns the record before into the next one.
func readRecord(in *bufio.Reader, r *Record) error {
	op, err := in.ReadByte()
	if err != nil {
		return err
	}
	flags, err := in.ReadByte()
	if err != nil {
		return err
	}
	r.Op, r.End = Op(op), flags&1 != 0
	var vs [7]int64
	for i := range vs {
		if vs[i], err = binary.ReadVarint(in); err != nil {
			return err
		}
	}
	r.Time += vs[0]
	r.CPU += vs[1]
	r.Sys += vs[2]
	r.Assist += vs[3]
	r.Ready += vs[4]
	r.Site, r.Arg = int32(vs[5]), vs[6]
	if r.Object, err = binary.ReadUvarint(in); err != nil {
		return err
	}
	if r.Value, err = binary.ReadUvarint(in); err != nil {
		return err
	}
	r.OS, r.Read = 0, 0
	if flags&2 == 0 {
		return nil
	}
	thread, err := binary.ReadVarint(in)
	if err != nil {
		return err
	}
	r.OS = int32(thread)
	r.Read, err = binary.ReadVarint(in)
	return err
}

// validate reports the first thing that cannot have happened.
func (t *Trace) validate() error {
	if t.Cores < 1 {
		return fmt.Errorf("%d cores: a program needs one", t.Cores)
	}
	if err := t.validateThreads(); err != nil {
		return err
	}
	sites := int32(len(t.Sites))
	for i := range t.Threads {
		th := &t.Threads[i]
		var last Record
		for j, r := range th.Records {
			where := func(format string, args ...any) error {
				return fmt.Errorf("thread %d, record %d: %s", th.ID, j, fmt.Sprintf(format, args...))
			}
			switch {
			case r.Op == OpNone || ops[r.Op].name == "":
				return where("operation %d is not known", uint8(r.Op))
			case r.Site < -1 || r.Site >= sites:
				return where("site %d does not exist", r.Site)
			case j > 0 && r.Time < last.Time:
				return where("time goes back by %d ns", last.Time-r.Time)
			case j > 0 && r.CPU < last.CPU:
				return where("CPU time goes back by %d ns", last.CPU-r.CPU)
			}
			last = r
		}
	}
	for _, o := range t.Objects {
		if o.Site < -1 || o.Site >= sites {
			return fmt.Errorf("object %d: site %d does not exist", o.ID, o.Site)
		}
	}
	return nil
}

// validateThreads reports threads that cannot have been born as the trace has it.
func (t *Trace) validateThreads() error {
	by := make(map[int64]*Thread, len(t.Threads))
	for i := range t.Threads {
		th := &t.Threads[i]
		if by[th.ID] != nil {
			return fmt.Errorf("thread %d is there twice", th.ID)
		}
		by[th.ID] = th
		if th.Creator < -1 || th.Creator >= int32(len(t.Sites)) {
			return fmt.Errorf("thread %d: site %d does not exist", th.ID, th.Creator)
		}
	}
	descends := map[int64]bool{} // from a thread without a parent
	for id := range by {
		line := map[int64]bool{}
		for th := by[id]; th != nil && !descends[th.ID]; th = by[th.Parent] {
			if line[th.ID] {
				return fmt.Errorf("thread %d is its own ancestor", id)
			}
			line[th.ID] = true
		}
		maps.Copy(descends, line)
	}
	return nil
}
