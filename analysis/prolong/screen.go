package prolong

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/analysis/journal"
)

const (
	manyModules     = 24  // from which on each by itself takes too many runs
	groupSize       = 8   // modules that are delayed together then
	screenRuns      = 4   // of each group
	screenBaselines = 8   // runs without delay to compare with
	screenLeast     = 0.1 // s by which a module must become longer for each s that a member of the group is delayed
	screenChance    = 0.01
)

// screen delays groups of modules at once, and splits those that matter until single
// modules are left (sequential bifurcation, Bettonvil & Kleijnen 1997). A group matters
// if it makes any module longer, its own members included, by more than these were
// delayed themselves or in what they call: somebody else had to wait. What is
// returned are the modules that matter and those that become longer; nothing is known of
// dependencies between others, as they have none.
func (p *Plan) screen(ctx context.Context, program front, dir string, chosen []string, r *Result) ([]string, error) {
	s, launch, err := program.probe(ctx, func(name string) bool { return slices.Contains(chosen, name) })
	if err != nil {
		return nil, err
	}
	exe := subject{launch: launch, plan: *p, dir: dir, what: "screening", kept: p.kept}
	first, err := exe.run(ctx, order{watch: true, net: true, kind: p.Kind})
	if err != nil {
		return nil, err
	}
	sc := screening{plan: p, exe: exe, first: first, modules: len(s.names), kept: map[int]bool{}}
	if sc.usual, err = sc.times(ctx, order{net: true, kind: p.Kind}, screenBaselines); err != nil {
		return nil, err
	}
	all := make([]int, len(s.names))
	for i := range all {
		all[i] = i
	}
	for group := range slices.Chunk(all, p.Groups) {
		if err := sc.split(ctx, group); err != nil {
			return nil, err
		}
	}
	var kept []string
	for i, name := range s.names {
		if sc.kept[i] {
			kept = append(kept, name)
			continue
		}
		r.Skipped = append(r.Skipped, name+": screened out: delayed with others it makes nothing longer, and nothing that is delayed makes it longer")
	}
	if len(kept) < 2 {
		return nil, fmt.Errorf("prolong: no group of %d modules makes another longer: there is no dependency to look for", p.Groups)
	}
	return kept, nil
}

// screening is what is known while groups are split.
type screening struct {
	plan    *Plan
	exe     subject
	first   *observed
	modules int
	usual   [][]float64 // times of each module without delays
	kept    map[int]bool
}

// times returns the mean times of each module in several runs.
func (sc *screening) times(ctx context.Context, o order, runs int) ([][]float64, error) {
	out := make([][]float64, sc.modules)
	for k := range runs {
		fact := "screening: no delay"
		if len(o.delays) > 0 {
			fact = fmt.Sprintf("screening: %d modules at once", len(o.delays))
		}
		sc.plan.Report(journal.Progress{Done: k, Planned: runs, Fact: fact})
		seen, err := sc.exe.run(ctx, o)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = append(out[i], seen.time(i))
		}
	}
	return out, nil
}

// split delays a group, and its halves if it matters.
func (sc *screening) split(ctx context.Context, group []int) error {
	o := order{net: true, kind: sc.plan.Kind}
	mean := 0.0
	for _, i := range group {
		d := sc.plan.delayOf(sc.first, i, slices.Max(sc.plan.Levels))
		o.delays = append(o.delays, d)
		mean += d.seconds / float64(len(group))
	}
	times, err := sc.times(ctx, o, screenRuns)
	if err != nil {
		return err
	}
	longer := sc.longer(times, mean)
	switch {
	case len(longer) == 0:
		return nil
	case len(group) == 1:
		sc.kept[group[0]] = true
		for _, i := range longer {
			sc.kept[i] = true
		}
		return nil
	}
	for half := range slices.Chunk(group, (len(group)+1)/2) {
		if err := sc.split(ctx, half); err != nil {
			return err
		}
	}
	return nil
}

// longer returns the modules whose times are longer than without delays: by more than
// chance explains (Student's test, over all modules), and by what matters.
func (sc *screening) longer(times [][]float64, delay float64) (modules []int) {
	for i := range sc.modules {
		m0, v0 := stat.MeanVariance(sc.usual[i], nil)
		m1, v1 := stat.MeanVariance(times[i], nil)
		n0, n1 := float64(len(sc.usual[i])), float64(len(times[i]))
		if m1-m0 < screenLeast*delay || m1 <= m0 {
			continue
		}
		pooled := ((n0-1)*v0 + (n1-1)*v1) / (n0 + n1 - 2)
		t := (m1 - m0) / math.Sqrt(pooled*(1/n0+1/n1))
		if pooled == 0 || 2*(distuv.StudentsT{Sigma: 1, Nu: n0 + n1 - 2}).Survival(t) < screenChance/float64(sc.modules) {
			modules = append(modules, i)
		}
	}
	return modules
}
