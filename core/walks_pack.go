package core

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
)

// WalksBudget is the size in bytes up to which a model keeps walks: what a file that people mail to each other may have.
// Convention, sensitivity none.
const WalksBudget = 1 << 20

// MostMoves is how many moves walks can have, for the memory of who reads them: 24 bytes each.
// Convention, sensitivity none.
const MostMoves = 4 << 20

// walksVersion is the first byte of packed walks.
const walksVersion = 1

// grids are the significant binary digits with which times are kept until walks fit into a budget; 0: all. A time
// of n digits is at most 2⁻ⁿ from what it was: 1.6, 3.1 and 6.3 %.
var grids = []int{0, 6, 5, 4}

// leastRounded is how many moves a fragment must have for its times to be rounded: what the last of them
// loses is then no more than half a percent of all. Convention, sensitivity none.
const leastRounded = 16

// ErrWalksTooLarge says that walks do not fit into what a model may keep.
var ErrWalksTooLarge = errors.New("too much happened")

// Pack returns the walks as bytes, the same for the same walks: a version, and columns of variable-length integers,
// compressed (RFC 1951). All moves of a fragment are together: they are alike.
func (w *Walks) Pack() ([]byte, error) { return w.pack(0, nil) }

// PackWithin is Pack with at most budget bytes. If that is too little, it rounds the amounts of the fragments of
// which timed reports that they are times, carrying what is lost to the next move of the same fragment,
// so that sums stay; if it still is, ErrWalksTooLarge.
func (w *Walks) PackWithin(budget int, timed func(graph, fragment string) bool) ([]byte, error) {
	for _, digits := range grids {
		packed, err := w.pack(digits, timed)
		if err != nil || len(packed) <= budget {
			return packed, err
		}
	}
	return nil, fmt.Errorf("%w: %d moves of %d threads need more than %d bytes", ErrWalksTooLarge, w.Len(), len(w.Threads), budget)
}

// Len is the number of moves of all threads.
func (w *Walks) Len() int {
	n := 0
	for i := range w.Threads {
		n += len(w.Threads[i].Moves)
	}
	return n
}

// pack writes times with so many digits; 0: all.
func (w *Walks) pack(digits int, timed func(graph, fragment string) bool) ([]byte, error) {
	if n := w.Len(); n > MostMoves {
		return nil, fmt.Errorf("%w: %d moves, a model keeps up to %d", ErrWalksTooLarge, n, MostMoves)
	}
	var p column
	p.names(w)
	p.uint(len(w.Threads))
	for i := range w.Threads {
		t := &w.Threads[i]
		ended := 0
		if t.Ended {
			ended = 1
		}
		p.text(t.Pool)
		p.uint(int(t.Graph))
		p.uint(int(t.Parent) + 1)
		p.uint(ended)
		p.uint(len(t.Moves))
	}
	ways := newWays(w.Graphs)
	for i := range w.Threads {
		t := &w.Threads[i]
		last := int32(-1)
		for j := range t.Moves {
			last = p.step(ways[t.Graph], last, t.Moves[j].Fragment)
		}
	}
	for g, of := range w.byFragment() {
		for f, moves := range of {
			rounds := digits > 0 && len(moves) >= leastRounded && timed(w.Graphs[g].ID, w.Graphs[g].Fragments[f])
			p.moves(moves, digits, rounds)
		}
	}
	out := bytes.NewBuffer([]byte{walksVersion})
	z, err := flate.NewWriter(out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(p); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// byFragment returns the moves of every fragment of every graph, in the order of threads.
func (w *Walks) byFragment() [][][]*Move {
	out := make([][][]*Move, len(w.Graphs))
	for g := range out {
		out[g] = make([][]*Move, len(w.Graphs[g].Fragments))
	}
	for i := range w.Threads {
		t := &w.Threads[i]
		for j := range t.Moves {
			m := &t.Moves[j]
			out[t.Graph][m.Fragment] = append(out[t.Graph][m.Fragment], m)
		}
	}
	return out
}

// ways are the successors of each fragment in the order in which they were first seen, those of the
// entry at −1: a walk says how far down that list it goes.
type ways map[int32][]int32

func newWays(gs []WalkGraph) []ways {
	out := make([]ways, len(gs))
	for i := range out {
		out[i] = ways{}
	}
	return out
}

// column is what is written.
type column []byte

func (p *column) uint(n int)   { *p = binary.AppendUvarint(*p, uint64(n)) }
func (p *column) long(n int64) { *p = binary.AppendVarint(*p, n) }
func (p *column) text(s string) {
	p.uint(len(s))
	*p = append(*p, s...)
}

// names writes what moves refer to.
func (p *column) names(w *Walks) {
	p.uint(len(w.Graphs))
	for _, g := range w.Graphs {
		p.text(g.ID)
		p.uint(len(g.Fragments))
		for _, f := range g.Fragments {
			p.text(f)
		}
	}
	var names []string
	index := map[string]int{}
	for _, o := range w.Objects {
		if _, known := index[o.Of]; !known {
			index[o.Of] = len(names)
			names = append(names, o.Of)
		}
	}
	p.uint(len(names))
	for _, n := range names {
		p.text(n)
	}
	p.uint(len(w.Objects))
	for _, o := range w.Objects {
		p.uint(index[o.Of])
		p.uint(int(o.Monitor) + 1)
	}
}

// step writes which successor of last comes next, or one that none of its lists has yet.
func (p *column) step(by ways, last, next int32) int32 {
	known := by[last]
	for k, f := range known {
		if f == next {
			p.uint(k)
			return next
		}
	}
	p.uint(len(known))
	p.uint(int(next))
	by[last] = append(known, next)
	return next
}

// moves writes objects, tokens and amounts of the moves of a fragment, each as the difference from the move before or
// not at all if none has any; amounts of times with so many digits, if they are rounded.
func (p *column) moves(ms []*Move, digits int, rounds bool) {
	has := 0
	for _, m := range ms {
		if m.Object >= 0 {
			has |= hasObjects
		}
		if m.Token != 0 {
			has |= hasTokens
		}
		if m.Amount != 0 {
			has |= hasAmounts
		}
	}
	if rounds {
		has |= rounded
	}
	p.uint(has)
	if has&hasObjects != 0 {
		last := int32(-1)
		for _, m := range ms {
			p.long(int64(m.Object - last))
			last = m.Object
		}
	}
	if has&hasTokens != 0 {
		last := int64(0)
		for _, m := range ms {
			p.long(m.Token - last)
			last = m.Token
		}
	}
	if has&hasAmounts == 0 {
		return
	}
	if rounds {
		p.uint(digits)
	}
	lost := int64(0)
	for _, m := range ms {
		if !rounds {
			p.long(m.Amount)
			continue
		}
		level := toGrid(max(m.Amount+lost, 0), digits)
		lost += m.Amount - fromGrid(level, digits)
		p.uint(level)
	}
}

// What the moves of a fragment have.
const (
	hasObjects = 1 << iota
	hasTokens
	hasAmounts
	rounded
)
