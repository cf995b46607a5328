package experiment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
	"time"

	"tierscope/simulation"
)

// segment is one file of a ledger: frames, each a mark, the length and the checksum of what it holds. A frame holds
// a run, or what many runs have in common, which stands before the first of them:
//
//	context  a Run without what differs from run to run, as JSON
//	schema   the metrics of a result without their numbers, as JSON
//	run      the numbers of the context that they belong to and of the schema, then the numbers of a result
type segment struct {
	path     string
	file     *os.File
	contexts []runContext
	schemas  []schema
	foreign  bool           // only to be read
	places   map[string]int // of the texts of both
	size     int64          // up to which it was read
	damaged  int
	torn     bool // the last frame is not whole: it is being written, or never was
	mu       sync.RWMutex
}

// runContext is a decoded context with the hash of its model, schema a decoded schema.
type runContext struct {
	run  Run
	hash string
}

type schema struct{ metrics []simulation.Metric }

// SegmentFormat is the first line of a file of a ledger.
const SegmentFormat = "tierscope-runs 1\n"

// Kinds of frames.
const (
	contextFrame = 'C'
	schemaFrame  = 'S'
	runFrame     = 'R'
)

// mark begins a frame, so that the next whole one is found behind a damaged one.
var mark = []byte{0xf5, 'r'}

// frameHead is the length of the mark, the length and the checksum; mostFrame what a frame holds at most.
const (
	frameHead = 2 + 4 + 4
	mostFrame = 1 << 28
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openSegment opens a file to be read and, if it is our own, written: not that of another user, and not what a link
// leads to, which may be anything in a project from a stranger.
func openSegment(path string) (*segment, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	s := &segment{path: path, places: map[string]int{}, foreign: !info.Mode().IsRegular()}
	if !s.foreign {
		s.file, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0o666)
		s.foreign = errors.Is(err, os.ErrPermission)
	}
	if s.foreign {
		if info, err = os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a file of a ledger but a device, a pipe or a folder; remove it", path)
		}
		s.file, err = os.Open(path)
	}
	return s, err
}

// createSegment makes a new file, which is locked.
func createSegment(path string) (*segment, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	s := &segment{path: path, file: f, places: map[string]int{}}
	s.tryLock()
	if _, err := f.WriteString(SegmentFormat); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return s, nil
}

// header is what the index needs of a run.
type header struct {
	key         key
	context     int
	time        int64
	busy        time.Duration
	interrupted bool
}

// read passes on the runs that the file has beyond what was read before.
func (s *segment) read(run func(at int64, length int, h header)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	const most = 1 << 20 // of the buffer: a writer looks at each run that it adds
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, s.size, 1<<62), int(min(most, max(0, info.Size()-s.size))))
	s.torn = false
	if s.size == 0 {
		first := make([]byte, len(SegmentFormat))
		switch _, err := io.ReadFull(r, first); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			s.torn = len(first) > 0 && !errors.Is(err, io.EOF)
			return nil
		case err != nil:
			return err
		case string(first) != SegmentFormat:
			s.damaged++ // of a newer version, or of another program: nothing in it is ours
			s.size = 1 << 61
			return nil
		}
		s.size = int64(len(first))
	}
	var memory []byte
	skipping := false
	for {
		head, err := r.Peek(frameHead)
		if errors.Is(err, io.EOF) {
			s.torn = s.torn || len(head) > 0 || skipping
			return nil
		}
		if err != nil {
			return err
		}
		n := int(binary.LittleEndian.Uint32(head[2:]))
		whole := bytes.Equal(head[:2], mark) && n <= mostFrame
		var data []byte
		if whole {
			sum := binary.LittleEndian.Uint32(head[6:])
			data, err = s.peekFrame(r, n, &memory)
			if errors.Is(err, io.EOF) {
				s.torn = true // its rest may follow; or a frame that is damaged says it is longer than it is
				whole = false
				if !s.wholeBehind() {
					return nil
				}
			} else if err != nil {
				return err
			} else {
				whole = crc32.Checksum(data, castagnoli) == sum
			}
		}
		if !whole { // look for the next mark
			if !skipping {
				skipping = true
				s.damaged++
			}
			s.size++
			r.Reset(io.NewSectionReader(s.file, s.size, 1<<62))
			if err := s.skip(r); err != nil {
				return err
			}
			continue
		}
		skipping, s.torn = false, false
		s.take(data, run)
		s.size += int64(frameHead + n)
	}
}

// peekFrame reads a frame with its head and returns what it holds, until the next is read: where it lies in the buffer, or in
// the memory given if that is large enough.
func (s *segment) peekFrame(r *bufio.Reader, n int, memory *[]byte) ([]byte, error) {
	if frame, err := r.Peek(frameHead + n); err == nil {
		_, err = r.Discard(len(frame))
		return frame[frameHead:], err
	}
	if _, err := r.Discard(frameHead); err != nil {
		return nil, err
	}
	const slice = 1 << 20 // a length that is damaged must not cost its memory
	data := (*memory)[:0]
	defer func() { *memory = data }()
	for len(data) < n {
		from := len(data)
		data = append(data, make([]byte, min(slice, n-from))...)
		if _, err := io.ReadFull(r, data[from:]); err != nil {
			return data, io.EOF
		}
	}
	return data, nil
}

// wholeBehind reports whether a whole frame follows somewhere behind one that the file is too short for: then that
// one is damaged, not being written.
func (s *segment) wholeBehind() bool {
	rest, err := io.ReadAll(io.NewSectionReader(s.file, s.size+1, mostFrame))
	if err != nil {
		return false
	}
	for at := bytes.Index(rest, mark); at >= 0; {
		if head := rest[at:]; len(head) >= frameHead {
			n := int(binary.LittleEndian.Uint32(head[2:]))
			if n <= len(head)-frameHead && crc32.Checksum(head[frameHead:frameHead+n], castagnoli) == binary.LittleEndian.Uint32(head[6:]) {
				return true
			}
		}
		next := bytes.Index(rest[at+1:], mark)
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

// skip moves on to the next mark, or the end.
func (s *segment) skip(r *bufio.Reader) error {
	for {
		head, err := r.Peek(len(mark))
		if errors.Is(err, io.EOF) || err == nil && bytes.Equal(head, mark) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := r.Discard(1); err != nil {
			return err
		}
		s.size++
	}
}

// take notes what a whole frame holds.
func (s *segment) take(data []byte, run func(at int64, length int, h header)) {
	if len(data) == 0 {
		s.damaged++
		return
	}
	switch body := data[1:]; data[0] {
	case contextFrame:
		c := runContext{}
		s.places[string(body)] = len(s.contexts)
		if err := json.Unmarshal(body, &c.run); err != nil || c.run.Result == nil {
			s.damaged++
			c.run = Run{}
		} else {
			c.hash = c.run.Result.ModelHash
		}
		s.contexts = append(s.contexts, c)
	case schemaFrame:
		x := schema{}
		s.places[string(body)] = len(s.schemas)
		if err := json.Unmarshal(body, &x.metrics); err != nil {
			s.damaged++
		}
		s.schemas = append(s.schemas, x)
	case runFrame:
		h, _, ok := readHeader(body)
		if !ok || h.context >= len(s.contexts) || s.contexts[h.context].run.Result == nil {
			s.damaged++
			return
		}
		run(s.size, frameHead+len(data), h)
	default:
		s.damaged++
	}
}

// load reads a run.
func (s *segment) load(at int64, length int) (Run, error) {
	data := make([]byte, length)
	if _, err := s.file.ReadAt(data, at); err != nil {
		return Run{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.unpack(data[frameHead+1:])
}

// append writes a run, after what it has in common with others where that is new. If it cannot be
// written whole, the file stays as it was.
func (s *segment) append(run Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	common, metrics, err := split(run)
	if err != nil {
		return err
	}
	var frames []byte
	context, known := s.places[common]
	if !known {
		context = len(s.contexts)
		frames = appendFrame(frames, contextFrame, []byte(common))
	}
	names, known := s.places[metrics]
	if !known {
		names = len(s.schemas)
		frames = appendFrame(frames, schemaFrame, []byte(metrics))
	}
	frames = appendFrame(frames, runFrame, pack(run, context, names))
	end, err := s.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(frames); err != nil {
		return fmt.Errorf("the run is not kept: %w", errors.Join(err, s.file.Truncate(end)))
	}
	return nil
}

func appendFrame(to []byte, kind byte, body []byte) []byte {
	to = append(to, mark...)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(body)+1))
	sum := crc32.Update(crc32.Checksum([]byte{kind}, castagnoli), castagnoli, body)
	to = binary.LittleEndian.AppendUint32(to, sum)
	return append(append(to, kind), body...)
}
