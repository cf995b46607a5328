package analysis

import (
	"slices"

	"tierscope/core"
)

// build is the state of one Build.
type build struct {
	in           Input
	opt          Options
	t            *Trace
	nodes        *nodeTable
	groups       []*group // all
	modelled     []*group
	resources    []*resource
	calls        map[uint64]*resource // objects that calls make for themselves
	flows        map[*group]taskFlow
	graphs       map[*group]*pcg
	forests      map[*group][]*loop
	phaseCPU     int64        // ns of CPU of all threads of the program in the phase that is modelled
	hiddenWaits  int64        // ns at locks whose operations were not recorded
	halves       int          // operations on locks without their other half
	delays       int64        // ns that the model takes as given
	slowdown     float64      // of a computation while all other cores are busy; 0: none
	interfered   int64        // ns of CPU taken off because of it
	cold         *core.Cold   // what computing costs more after a pause; nil: nothing
	warmth       float64      // part of the recorded CPU time that it costs without pauses; 0: all
	stages       []core.Stage // of the compilers' work, in times of the recorded run; none: nothing is known of it
	uncompiled   float64      // ns of CPU taken off because code was not compiled yet
	others       float64      // cores that computed for the program beside one while it was not
	pace         float64      // by which CPU times were multiplied; see anchor.go
	systemPace   float64      // and those of the run-time system's own threads
	reports      []GroupReport
	unmatched    unmatched
	server       bool
	source       bool       // requests enter through a source
	disk         *diskTrace // nil: the program caused no requests
	noDisk       error      // why a disk is not modelled
	diskWarnings []string
	assumed      []string
	err          error // why no model can be made
}

// queueRequests is the queue through which requests from outside enter.
const queueRequests = "requests"

// newBuild returns the state before the first pass.
func newBuild(in Input, opt Options, assumed []string) *build {
	return &build{in: in, opt: opt, t: in.Trace, assumed: slices.Clone(assumed), server: in.Trace.WorkEnd > in.Trace.WorkStart,
		flows: map[*group]taskFlow{}, graphs: map[*group]*pcg{}, forests: map[*group][]*loop{}}
}

// collectUses finds the uses of all resources again after sequences were
// rewritten.
func (b *build) collectUses() {
	for _, r := range b.resources {
		r.uses = nil
	}
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				if r := q.steps[i].lock; r != nil {
					r.uses = append(r.uses, use{g, q, i})
				}
			}
		}
	}
}

// countGroup lays the sequences of a group's threads over each other.
func countGroup(g *group) *pcg {
	p := newPCG()
	for _, q := range g.seqs {
		if len(q.steps) > 0 {
			p.add(q.steps)
		}
	}
	return p
}
