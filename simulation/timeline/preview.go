package timeline

import (
	"sort"

	"tierscope/simulation/des"
)

// fan is the number of blocks of one level of the pyramid that the next level
// sums up.
const fan = 8

// block is the sum of consecutive spans.
type block struct {
	start, end des.Time
	spent      [States]des.Time
	spans      int32
	first      int32 // index of the first span
}

// Block is what Preview shows as one thing.
type Block struct {
	Start, End des.Time
	Spent      [States]des.Time // time in each state; the rest is idle
	Spans      int              // number of spans that it stands for
	First      int              // index of the first of them
}

// Main returns the state in which most of the block's time is spent, and its
// share of the block's length.
func (b *Block) Main() (State, float64) {
	best := State(0)
	for s := range States {
		if b.Spent[s] > b.Spent[best] {
			best = s
		}
	}
	if b.End == b.Start {
		return best, 0
	}
	return best, float64(b.Spent[best]) / float64(b.End-b.Start)
}

// build makes the pyramid.
func (l *Lane) build() {
	n := len(l.Spans)
	level := make([]block, 0, (n+fan-1)/fan)
	for i := 0; i < n; i += fan {
		b := block{start: l.Spans[i].Start, first: int32(i)}
		for k := i; k < min(i+fan, n); k++ {
			b.add(l.Spans[k])
		}
		level = append(level, b)
	}
	for len(level) > 1 {
		l.levels = append(l.levels, level)
		next := make([]block, 0, (len(level)+fan-1)/fan)
		for i := 0; i < len(level); i += fan {
			b := block{start: level[i].start, first: level[i].first}
			for k := i; k < min(i+fan, len(level)); k++ {
				b.merge(&level[k])
			}
			next = append(next, b)
		}
		level = next
	}
}

func (b *block) add(s Span) {
	b.end = s.End
	b.spans++
	b.spent[s.State] += s.End - s.Start
}

func (b *block) merge(o *block) {
	b.end = o.end
	b.spans += o.spans
	for s, t := range o.spent {
		b.spent[s] += t
	}
}

// Preview appends to blocks what a lane shows from a time to another on so many
// pixels. Consecutive spans that together are narrower than a pixel, and the
// gaps between them, are one block; every other span is a block of its own. So
// there are at most two blocks a pixel, they do not overlap, and all that a
// block stands for, and nothing else, is in its sums. Blocks may reach beyond
// both ends. The recording must be finished.
func (l *Lane) Preview(blocks []Block, from, to des.Time, pixels int) []Block {
	if len(l.Spans) == 0 || from >= to || pixels <= 0 {
		return blocks
	}
	p := painter{lane: l, blocks: blocks, from: from, to: to, pixel: (to - from) / des.Time(pixels)}
	top := len(l.levels)
	if top == 0 {
		p.spans(0, len(l.Spans))
	} else {
		p.level(top-1, 0, len(l.levels[top-1]))
	}
	return p.flush()
}

// painter descends from the top of the pyramid, from left to right, into blocks
// that are wider than a pixel only.
type painter struct {
	lane     *Lane
	blocks   []Block
	from, to des.Time
	pixel    des.Time
	pending  Block // narrow things so far
}

// level paints blocks [lo, hi) of a level.
func (p *painter) level(level, lo, hi int) {
	all := p.lane.levels[level]
	lo += sort.Search(hi-lo, func(i int) bool { return all[lo+i].end > p.from })
	for i := lo; i < hi && all[i].start < p.to; i++ {
		b := &all[i]
		switch {
		case b.end-b.start < p.pixel:
			p.join(b.start, b.end, int(b.spans), int(b.first))
			for s, t := range b.spent {
				p.pending.Spent[s] += t
			}
		case level > 0:
			p.level(level-1, i*fan, min(i*fan+fan, len(p.lane.levels[level-1])))
		default:
			p.spans(int(b.first), int(b.first)+int(b.spans))
		}
	}
}

// spans paints spans [lo, hi).
func (p *painter) spans(lo, hi int) {
	all := p.lane.Spans
	lo += sort.Search(hi-lo, func(i int) bool { return all[lo+i].End > p.from })
	for i := lo; i < hi && all[i].Start < p.to; i++ {
		s := &all[i]
		p.join(s.Start, s.End, 1, i)
		p.pending.Spent[s.State] += s.End - s.Start
	}
}

// join adds the extent of something to the pending block if both lie within
// one pixel, and begins a new block with it otherwise.
func (p *painter) join(start, end des.Time, spans, first int) {
	if p.pending.Spans == 0 || end-p.pending.Start >= p.pixel {
		p.flush()
		p.pending = Block{Start: start, First: first}
	}
	p.pending.End = end
	p.pending.Spans += spans
}

func (p *painter) flush() []Block {
	if p.pending.Spans > 0 {
		p.blocks = append(p.blocks, p.pending)
		p.pending.Spans = 0
	}
	return p.blocks
}

// At returns the span of a lane at a time.
func (l *Lane) At(at des.Time) (Span, bool) {
	i, ok := l.index(at)
	if !ok {
		return Span{}, false
	}
	return l.Spans[i], true
}

// index is the place of the span at a time.
func (l *Lane) index(at des.Time) (int, bool) {
	i := sort.Search(len(l.Spans), func(i int) bool { return l.Spans[i].End > at })
	return i, i < len(l.Spans) && l.Spans[i].Start <= at
}

// Range is the least and greatest value of a counter during one pixel.
type Range struct{ Min, Max int64 }

// Preview appends to ranges what a counter shows from a time to another, one
// range a pixel.
func (c *Counter) Preview(ranges []Range, from, to des.Time, pixels int) []Range {
	next := sort.Search(len(c.Steps), func(i int) bool { return c.Steps[i].At > from })
	value := int64(0)
	if next > 0 {
		value = c.Steps[next-1].Value
	}
	for i := range pixels {
		end := from + des.Time(float64(to-from)*float64(i+1)/float64(pixels))
		r := Range{value, value}
		for next < len(c.Steps) && c.Steps[next].At < end {
			value = c.Steps[next].Value
			r.Min, r.Max = min(r.Min, value), max(r.Max, value)
			next++
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// At is the value of a counter at a time.
func (c *Counter) At(at des.Time) int64 {
	i := sort.Search(len(c.Steps), func(i int) bool { return c.Steps[i].At > at })
	if i == 0 {
		return 0
	}
	return c.Steps[i-1].Value
}
