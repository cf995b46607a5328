package trail

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Trail is what is known of a program while its model is built: what its threads did, and what passes have
// found out about it.
type Trail struct {
	Input        Input
	Options      Options
	Trace        *trace.Trace
	Nodes        *NodeTable
	Pools        []*Pool // all
	Modelled     []*Pool
	Resources    []*Resource
	Calls        map[uint64]*Resource // objects that calls make for themselves
	Flows        map[*Pool]TaskFlow
	Graphs       map[*Pool]*PCG
	Forests      map[*Pool][]*Loop
	PhaseCPU     int64        // ns of CPU of all threads of the program in the phase that is modelled
	HiddenWaits  int64        // ns at locks whose operations were not recorded
	Halves       int          // operations on locks without their other half
	Delays       int64        // ns that the model takes as given
	Company      float64      // mean share of the other cores that were busy while its threads computed
	Slowdown     float64      // of a computation while all other cores are busy; 0: none
	Turns        float64      // CPU time on one core, at which threads take turns, over that on all; 0: not known to be more
	Interfered   int64        // ns of CPU taken off because of it
	Cold         *core.Cold   // what computing costs more after a pause; nil: nothing
	Warmth       float64      // part of the recorded CPU time that it costs without pauses; 0: all
	Stages       []core.Stage // of the compilers' work, in times of the recorded run; none: nothing is known of it
	Warms        bool         // the run shows how its code became fast
	Uncompiled   float64      // ns of CPU taken off because code was not compiled yet
	Others       float64      // cores that computed for the program beside one while it was not
	Pace         float64      // by which CPU times were multiplied; see anchor.go
	SystemPace   float64      // and those of the run-time system's own threads
	Reports      []PoolReport
	Unmatched    Unmatched
	Server       bool
	Source       bool       // requests enter through a source
	Disk         *DiskTrace // nil: the program caused no requests
	NoDisk       error      // why a disk is not modelled
	DiskWarnings []string
	Timed        bool // a clock or another thread ends the program's work: runs do it for a time, not an amount of it
	Assumed      []string
	Silent       []core.Parameter // settings of which the run does not show what they change, without targets
	Likely       []core.Parameter // settings that are taken to set how many threads there are for the same number alone, without targets
	Guessed      map[string]int   // of how many numbers of threads a setting may decide one, as nothing but the same number tells
	Contradicted []string         // what runs show and the recording cannot explain
	Err          error            // why no model can be made
}

// QueueRequests is the queue through which requests from outside enter.
const QueueRequests = "requests"

// New returns the state before the first pass.
func New(in Input, opt Options, assumed []string) *Trail {
	return &Trail{Input: in, Options: opt, Trace: in.Trace, Assumed: slices.Clone(assumed), Server: in.Trace.WorkEnd > in.Trace.WorkStart,
		Flows: map[*Pool]TaskFlow{}, Graphs: map[*Pool]*PCG{}, Forests: map[*Pool][]*Loop{}}
}

// CollectUses finds the uses of all resources again after sequences were
// rewritten: the runner of passes calls it after each that rewrites them, and a pass that goes on with them itself.
func (tr *Trail) CollectUses() {
	for _, r := range tr.Resources {
		r.Uses = make([]Use, 0, len(r.Uses))
	}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if r := q.Steps[i].Lock; r != nil {
					r.Uses = append(r.Uses, Use{g, q, i})
				}
			}
		}
	}
}

// HasConnections reports whether connections have threads of their own.
func (tr *Trail) HasConnections() bool {
	for _, g := range tr.Pools {
		if g.Kind == PoolPerConnection && len(g.Sequences) > 0 {
			return true
		}
	}
	return false
}

// Assume notes something that one run cannot show.
func (tr *Trail) Assume(what string) {
	if !slices.Contains(tr.Assumed, what) {
		tr.Assumed = append(tr.Assumed, what)
	}
}

// Contradict notes what the runs of the program show and the recording cannot explain.
func (tr *Trail) Contradict(what string) { tr.Contradicted = append(tr.Contradicted, what) }

// AllSequences returns the sequences of all pools.
func (tr *Trail) AllSequences() (qs []*Sequence) {
	for _, g := range tr.Pools {
		qs = append(qs, g.Sequences...)
	}
	return qs
}

// ThreadsOf maps thread ids to their pools.
func ThreadsOf(gs []*Pool) map[int64]*Pool {
	m := map[int64]*Pool{}
	for _, g := range gs {
		for _, th := range g.Threads {
			m[th.ID] = g
		}
	}
	return m
}

// ReportOf returns the report of a pool. It panics if there is none.
func (tr *Trail) ReportOf(g *Pool) *PoolReport {
	for i := range tr.Reports {
		if tr.Reports[i].Name == g.Name {
			return &tr.Reports[i]
		}
	}
	panic("analysis: group " + g.Name + " has no report")
}

// IsModelled reports whether a pool gets a graph.
func (tr *Trail) IsModelled(g *Pool) bool {
	for _, m := range tr.Modelled {
		if m == g {
			return true
		}
	}
	return false
}

// IsSpawned reports whether a pool's threads come into being by spawn
// fragments.
func (tr *Trail) IsSpawned(g *Pool) bool {
	if !tr.IsModelled(g) || g.Kind == PoolPerConnection || g.Parent == nil || !tr.IsModelled(g.Parent) || g.Lazy && tr.starters(g) > 1 {
		return false
	}
	if !tr.Server {
		return true
	}
	for _, th := range g.Threads {
		if th.Born >= tr.Trace.WorkStart {
			return true
		}
	}
	return false
}

// starters is how many threads have started some of pool g.
func (tr *Trail) starters(g *Pool) int {
	by := map[int64]bool{}
	for _, th := range g.Threads {
		by[th.Parent] = true
	}
	return len(by)
}
