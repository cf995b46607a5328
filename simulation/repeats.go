package simulation

import (
	"slices"
	"strings"

	"tierscope/core"
)

// A loop that goes round more often, or less, than in the recording repeats its rounds, or leaves some out. The first and the last
// round are done once, as in the recording, and those between them one after the other, again and again:
//
//	recorded: r0 r1 r2 r3      3 rounds: r0 r1 r3      8 rounds: r0 r1 r2 r0 r1 r2 r0 r3
//
// With a round goes what it leads to: the threads that it starts, and what others do with what it passes on, up to the next thing that
// they take. Each copy has numbers of its own for what is passed on in it, and objects of its own for those that no other round uses.

// repeats are the loops whose number of rounds a configuration changes: how many times as often they go round, by graph and
// fragment.
type repeats map[string]map[string]float64

func (r repeats) add(graph, fragment string, times float64) {
	if r[graph] == nil {
		r[graph] = map[string]float64{}
	}
	r[graph][fragment] = times
}

// mostMoves is how many moves walks may have whose rounds are repeated. Convention: half a gigabyte of them.
const mostMoves = 1 << 24

// mostAstray is the share of what is passed on that may have nobody on one of its sides: in the first and the last round something may be
// for the one before or after it. Convention: a fiftieth.
const mostAstray = 0.02

// deal returns walks whose loops go round as often as they are to in a configuration of m; nil: they cannot.
func (r repeats) deal(m, configured *core.Model, w *core.Walks) *core.Walks {
	x := &repeater{w: w, begun: startsOf(m, w), copies: [][]int{{0}}, known: map[[3]int]int{},
		of: make([]int, len(w.Threads)), pieces: make([][]piece, len(w.Threads)), entries: make([][]entry, len(w.Threads)),
		tokens: map[int64]int{}, fixed: map[int64]bool{}}
	x.readGraphs(m, r)
	x.stocks = fragmentsThat(m, w, func(f *core.Fragment) bool {
		if f.Sync == nil || f.Sync.Op != core.Send {
			return false
		}
		i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.ID == f.Sync.Lock })
		return i >= 0 && m.Locks[i].Capacity != configured.Locks[i].Capacity
	})
	for i := range w.Threads {
		if len(x.loops[w.Threads[i].Graph]) > 0 && !x.cutRounds(int32(i)) {
			return nil
		}
	}
	for i := range w.Threads {
		if x.entries[i] != nil {
			x.noteTokens(int32(i))
		}
	}
	for x.changed = true; x.changed; {
		x.changed = false
		for i := range w.Threads {
			if !x.follow(int32(i)) {
				return nil
			}
		}
	}
	return x.copyAll()
}

// repeater repeats rounds of walks.
type repeater struct {
	w       *core.Walks
	begun   [][]starts
	loops   []map[int32]loopAt // by graph: at the fragments that are their heads
	sends   []map[int32]bool   // by graph: fragments whose amount is a number of tasks
	stocks  [][]bool           // by graph: fragments that send to a channel of another capacity, which nothing goes with
	deeds   [][]string         // by graph: what fragments do with which object, the same for those that do the same
	copies  [][]int            // by origin, which is a recorded round, 0: none. Copy 0 is what was recorded
	known   map[[3]int]int     // origin of the first round, by entry, rounds that there were and that there are: of threads that go round together it is the same
	of      []int              // origin of each thread
	pieces  [][]piece          // of each thread, as they were recorded
	entries [][]entry          // of each thread, into such loops
	tokens  map[int64]int      // origins of what is passed on in rounds
	fixed   map[int64]bool     // what is passed on outside of them as well: it stays the same
	changed bool
}

type loopAt struct {
	body  int32
	times float64
}

// piece is a part of a walk that is done as a whole, again and again or not at all.
type piece struct {
	begin, end int // moves
	origin     int
}

// entry is one into a loop: its rounds are the pieces from the first one, of which there were so many, and are so many now.
type entry struct{ first, before, now int }

func (x *repeater) readGraphs(m *core.Model, r repeats) {
	for _, g := range x.w.Graphs {
		loops, sends := map[int32]loopAt{}, map[int32]bool{}
		at, deeds := map[string]int32{}, slices.Clone(g.Fragments)
		for i, id := range g.Fragments {
			at[id] = int32(i)
		}
		for i := range m.Graphs {
			if m.Graphs[i].ID != g.ID {
				continue
			}
			for j := range m.Graphs[i].Fragments {
				f := &m.Graphs[i].Fragments[j]
				head, there := at[f.ID]
				if !there {
					continue
				}
				sends[head] = f.Out != nil
				switch {
				case f.In != nil:
					deeds[head] = "take from " + f.In.Queue
				case f.Sync != nil:
					deeds[head] = string(f.Sync.Op) + " " + f.Sync.Lock
					var cases []string
					for _, k := range f.Sync.Cases {
						cases = append(cases, " "+string(k.Op)+" "+k.Lock)
					}
					slices.Sort(cases)
					deeds[head] += strings.Join(cases, "")
				}
				if times, ok := r[g.ID][f.ID]; ok {
					body, known := at[f.Loop.Body]
					if !known {
						body = -1 // no walk went round
					}
					loops[head] = loopAt{body, times}
				}
			}
		}
		x.loops, x.sends, x.deeds = append(x.loops, loops), append(x.sends, sends), append(x.deeds, deeds)
	}
}
