package simulation

import (
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// A run that comes to an end by itself does what its input tells it to do, and a
// prediction is about the same input. So a replication repeats what was observed:
// each of n transitions out of a fragment, and of n iterations, disk requests and
// demands, is drawn once in n draws: transitions and iterations in the order in which
// they were observed where one thread made them all, otherwise in another. Drawn anew,
// how much there is to do would differ from one replication to the next, by 40 % for a
// program that walks through 55 directories of very different sizes. A run without an
// end has no total, and is drawn with replacement.
//
// Drawn anew all the same is what decides how many threads or tasks of its own kind
// a thread begets: there the order matters, as a tree of threads ends at once when
// the first draws say "no more". And transitions whose probabilities are not those
// of their counts, because an analyst has changed them.

// chanceTolerance is by how much a probability may differ from its count over the
// sum of them, in a document written in decimals.
const chanceTolerance = 1e-6

// setParameter sets the law that a fragment draws from.
func (f *fragment) setParameter(d core.Distribution, factor float64) {
	f.parameter, f.samples = variate.Compile(d, factor), d.Samples
}

// setTaken notes how often each target was taken.
func (f *fragment) setTaken(edges []core.Edge) {
	last := slices.IndexFunc(edges, func(e core.Edge) bool { return e.Last })
	if last < 0 {
		return
	}
	sum, taken := int64(0), make([]int64, len(edges))
	for i, e := range edges {
		taken[i] = e.Count
		sum += e.Count
	}
	for i, e := range edges {
		if e.Count < 1 || math.Abs(e.Probability-float64(taken[i])/float64(sum)) > chanceTolerance {
			return
		}
	}
	f.taken, f.last = taken, int32(last)
}

// setOrder notes the order in which the targets were taken, if that gives how often each was.
// An index in the document is one into its transitions, of which those that are
// possible are the targets, in canonical order.
func (f *fragment) setOrder(src *core.Fragment, edges []core.Edge) {
	if f.taken == nil || len(src.Order) == 0 {
		return
	}
	seen := make([]int64, len(edges))
	order := make([]core.Streak, len(src.Order))
	for i, s := range src.Order {
		to := src.Next[s.Value].To
		k := slices.IndexFunc(edges, func(e core.Edge) bool { return e.To == to })
		if k < 0 {
			return
		}
		order[i] = core.Streak{Value: int64(k), Times: s.Times}
		seen[k] += s.Times
	}
	if slices.Equal(seen, f.taken) {
		f.order = order
	}
}

// begets finds the graphs whose threads lead to more threads or tasks of their own
// kind: they start such threads, also by way of others, or send new tasks to the
// queue that they take theirs from.
func (c *compiler) begets() {
	for i := range c.graphs {
		g := &c.graphs[i]
		seen := make([]bool, len(c.graphs))
		for todo := []int32{int32(i)}; len(todo) > 0 && !g.begets; todo = todo[1:] {
			for _, to := range c.started(todo[0]) {
				g.begets = g.begets || to == int32(i)
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
}

// started returns the graphs of the threads that those of graph g start, g itself
// if they serve their own tasks.
func (c *compiler) started(g int32) []int32 {
	var out []int32
	takes := func(queue int32) bool {
		return slices.ContainsFunc(c.fragments, func(f fragment) bool { return f.graph == g && f.op == opIn && f.object == queue })
	}
	for i := range c.fragments {
		f := &c.fragments[i]
		switch {
		case f.graph != g || f.object == none:
		case f.op == opSpawn:
			out = append(out, c.pools[f.object].graph)
		case f.op == opNew:
			if pool := c.objects[f.object].starts; pool != none {
				out = append(out, c.pools[pool].graph)
			} else if takes(f.object) {
				out = append(out, g)
			}
		}
	}
	return out
}

// cards are what a step draws without replacement. What is nil it draws anew.
type cards struct {
	next      *variate.Urn     // the successors
	order     *variate.Replay  // the successors in their order, in place of next
	parameter *variate.Dealt   // the parameter
	requests  []*variate.Dealt // numbers of disk requests, by type
}

func (c *cards) parameters() *variate.Dealt {
	if c == nil {
		return nil
	}
	return c.parameter
}

// deal returns the cards of a fragment, nil if it has none.
func (r *replica) deal(f *fragment) *cards {
	if !r.ending {
		return nil
	}
	var c cards
	begets := r.graphs[f.graph].begets
	switch {
	case f.taken == nil || begets:
	case f.order != nil:
		c.order = variate.NewReplay(f.order)
	default:
		c.next = variate.NewUrn(f.taken, f.last)
	}
	if f.op == opCPU || !begets {
		c.parameter = variate.Deal(&f.parameter, f.samples, f.rounds)
	}
	for i := range f.requests {
		c.requests = append(c.requests, variate.Deal(&f.requests[i].count, f.requests[i].samples, nil))
	}
	if c.next == nil && c.order == nil && c.parameter == nil && c.requests == nil {
		return nil
	}
	return &c
}

// number draws the parameter of a step as a whole number.
func (r *replica) number(s *step) int {
	stream := &r.random[s.def.stream]
	if d := s.cards.parameters(); d != nil {
		return d.Count(stream)
	}
	return s.def.parameter.Count(stream)
}

// duration draws the parameter of a step as a time.
func (r *replica) duration(s *step) des.Time {
	stream := &r.random[s.def.stream]
	if d := s.cards.parameters(); d != nil {
		return d.Time(stream)
	}
	return s.def.parameter.Time(stream)
}

// requests draws how many disk requests a step makes of type i of its list.
func (r *replica) requests(s *step, i int) int {
	stream := &r.random[s.def.stream]
	if c := s.cards; c != nil && c.requests[i] != nil {
		return c.requests[i].Count(stream)
	}
	return s.def.requests[i].count.Count(stream)
}
