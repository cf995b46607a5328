package core

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// mostUnpacked is how many bytes walks may have that are not compressed, for the memory of who reads a file that
// somebody sent: MostMoves of 16 bytes. Convention, sensitivity none.
const mostUnpacked = 64 << 20

// UnpackWalks reads what Pack wrote. It needs memory in proportion to what it reads, whatever the bytes say; an error
// says what is wrong with them.
func UnpackWalks(packed []byte) (*Walks, error) {
	if len(packed) == 0 {
		return nil, errors.New("walks: there are none")
	}
	if packed[0] != walksVersion {
		return nil, fmt.Errorf("walks: version %d; this program reads version %d", packed[0], walksVersion)
	}
	z := flate.NewReader(bytes.NewReader(packed[1:]))
	data, err := io.ReadAll(io.LimitReader(z, mostUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("walks: %w", err)
	}
	if len(data) > mostUnpacked {
		return nil, fmt.Errorf("walks: more than %d bytes without compression", mostUnpacked)
	}
	r := columns{data: data, left: MostMoves}
	w := r.walks()
	if r.err == nil && len(r.data) > 0 {
		r.fail("%d bytes follow the last column", len(r.data))
	}
	if r.err != nil {
		return nil, fmt.Errorf("walks: byte %d of %d: %w", len(data)-len(r.data), len(data), r.err)
	}
	return w, nil
}

// columns reads columns; after the first error everything is 0.
type columns struct {
	data []byte
	left int // so many names, objects and threads may follow
	err  error
}

func (r *columns) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *columns) uint64() uint64 {
	if r.err != nil {
		return 0
	}
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.fail("a number is cut off or too long")
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *columns) long() int64 {
	n := r.uint64()
	return int64(n>>1) ^ -int64(n&1)
}

// below reads a number that is less than limit.
func (r *columns) below(limit int, what string) int {
	n := r.uint64()
	if n >= uint64(max(limit, 0)) {
		r.fail("%s is %d, of %d", what, n, limit)
		return 0
	}
	return int(n)
}

// room reads a number of things that follow, for which there is room.
func (r *columns) room(what string, most func() int) int {
	n := r.uint64()
	if there := most(); n > uint64(there) {
		r.fail("%d %s, of which there is room for %d", n, what, there)
		return 0
	}
	return int(n)
}

// count reads how many names, objects or threads follow, each of at least one byte.
func (r *columns) count(what string) int {
	n := r.room(what, func() int { return min(len(r.data), r.left) })
	r.left -= n
	return n
}

func (r *columns) text() string {
	n := r.room("bytes of a name", func() int { return len(r.data) })
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

func (r *columns) texts(what string) []string {
	out := make([]string, r.count(what))
	for i := range out {
		out[i] = r.text()
	}
	return out
}

func (r *columns) walks() *Walks {
	w := new(Walks)
	w.Graphs = make([]WalkGraph, r.count("graphs"))
	for i := range w.Graphs {
		w.Graphs[i] = WalkGraph{ID: r.text(), Fragments: r.texts("fragments")}
	}
	names := r.texts("locks and queues")
	w.Objects = make([]WalkObject, r.count("objects"))
	for i := range w.Objects {
		if n := r.below(len(names), "a lock or queue"); r.err == nil {
			w.Objects[i] = WalkObject{Of: names[n], Monitor: int32(r.below(len(w.Objects)+1, "a monitor")) - 1}
		}
	}
	w.Threads = make([]Walk, r.count("threads"))
	lengths := make([]int, len(w.Threads))
	total := 0
	for i := range w.Threads {
		t := &w.Threads[i]
		t.Pool = r.text()
		t.Graph = int32(r.below(len(w.Graphs), "a thread's graph"))
		t.Parent = int32(r.below(i+1, "a thread's parent")) - 1
		t.Ended = r.below(2, "whether a thread ended") == 1
		lengths[i] = r.below(MostMoves+1, "the number of moves")
		total += lengths[i]
	}
	if total > min(MostMoves, len(r.data)) {
		r.fail("%d moves, of which there is room for %d", total, min(MostMoves, len(r.data)))
	}
	if r.err != nil {
		return nil
	}
	ways := newWays(w.Graphs)
	for i := range w.Threads {
		t := &w.Threads[i]
		t.Moves = make([]Move, lengths[i])
		last := int32(-1)
		for j := range t.Moves {
			last = r.step(ways[t.Graph], last, len(w.Graphs[t.Graph].Fragments))
			t.Moves[j] = Move{Fragment: last, Object: -1}
		}
	}
	if r.err != nil {
		return nil // fragments are 0, of which there may be none
	}
	for _, of := range w.byFragment() {
		for _, moves := range of {
			r.moves(moves, len(w.Objects))
		}
	}
	return w
}

// step reads which fragment follows last, of so many.
func (r *columns) step(by ways, last int32, fragments int) int32 {
	known := by[last]
	k := r.below(len(known)+1, "a successor")
	if k < len(known) {
		return known[k]
	}
	next := int32(r.below(fragments, "a fragment"))
	by[last] = append(known, next)
	return next
}

// moves reads objects, tokens and amounts of the moves of a fragment.
func (r *columns) moves(ms []*Move, objects int) {
	has := r.below(2*rounded, "what moves have")
	if has&hasObjects != 0 {
		last := int64(-1)
		for _, m := range ms {
			if last += r.long(); last < -1 || last >= int64(objects) {
				r.fail("an object is %d, of %d", last, objects)
				return
			}
			m.Object = int32(last)
		}
	}
	if has&hasTokens != 0 {
		last := int64(0)
		for _, m := range ms {
			last += r.long()
			m.Token = last
		}
	}
	if has&hasAmounts == 0 {
		return
	}
	digits := 0
	if has&rounded != 0 {
		if digits = r.below(mostDigits+1, "the number of digits"); digits < 1 {
			r.fail("times have no digits")
			return
		}
	}
	for _, m := range ms {
		if digits == 0 {
			m.Amount = r.long()
			continue
		}
		level := r.below((65-digits)<<(digits-1), "a time")
		m.Amount = fromGrid(level, digits)
	}
}

// mostDigits of a time that is rounded.
const mostDigits = 16
