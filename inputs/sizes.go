package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"tierscope/analysis/stage"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/project"
)

// How much each thread does, and each other that serves them, if there were more of them, one run does not show. An analysis
// assumes one rule for each pool, and the program may follow another one:
//
//	each mapper sends a part of what it has read to each reducer: with twice as many reducers, twice as many parts, half as large
//
// Two runs with other numbers of threads do. What a number of the model was in them, beside what the parameter makes of it, is what
// the parameter changes besides.

// TrySizes runs the program of a study with other values of parameters that set sizes of pools, and keeps what that showed.
func TrySizes(ctx context.Context, s *stage.Study, asked []core.Parameter, report func(fact string)) error {
	if len(asked) == 0 || s.Workload.Load != nil || s.Workload.Timeout > 0 {
		return nil
	}
	l, err := newLook(ctx, s)
	if errors.Is(err, stage.ErrNoWatch) {
		return nil
	}
	if err != nil {
		return err
	}
	kept, err := keptTrials(s.Dir)
	if err != nil {
		return err
	}
	began := time.Now()
	for _, p := range asked {
		if time.Since(began) > trialTime {
			break
		}
		t := Trial{Parameter: p, Sizes: true}
		t.Parameter.Targets = nil
		t.Runs[0].At, t.Runs[1].At = otherSizes(p.Default)
		report(fmt.Sprintf("runs with %s %.4g and %.4g in place of %.4g", p.Name, t.Runs[0].At, t.Runs[1].At, p.Default))
		if err := l.trySizes(ctx, &t); err != nil {
			t.Failed = err.Error()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		kept = append(kept, t)
	}
	return project.Save(trialsFile(s.Dir), TrialsFormat, trials{kept})
}

// otherSizes are the numbers of threads that are tried in place of n: half and twice as many, but not one, with which a loop over all of
// them goes round once, and is none.
func otherSizes(n float64) (one, other float64) {
	if half := max(2, math.Floor(n/2)); half < n {
		return half, 2 * n
	}
	return 2 * n, 4 * n
}

// keptTrials are those of a project, none if none were made.
func keptTrials(dir string) ([]Trial, error) {
	var kept trials
	if err := project.Load(trialsFile(dir), TrialsFormat, &kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return kept.Trials, nil
}

// trySizes makes the runs of a trial of a parameter that sets sizes of pools.
func (l *look) trySizes(ctx context.Context, t *Trial) error {
	t.Base = l.base.cost
	for i := range t.Runs {
		r := &t.Runs[i]
		set, err := l.base.model.With(map[string]float64{t.Parameter.Name: r.At})
		if err != nil {
			return err
		}
		other, err := l.with(ctx, t.Parameter, r.At)
		if err != nil {
			return err
		}
		r.Cost = other.cost
		if set = scaled(set); alike(parts(&set), parts(other.model)).same() {
			r.Factors = factors(&set, other.model)
		}
	}
	return nil
}

// scaled is the model with the scales of its fragments in their times.
func scaled(m core.Model) core.Model {
	m = copyOf(m)
	for i := range m.Graphs {
		for k := range m.Graphs[i].Fragments {
			f := &m.Graphs[i].Fragments[k]
			if f.Scale > 0 {
				f.Demand, f.Delay, f.Scale = f.Demand.Scaled(f.Scale), f.Delay.Scaled(f.Scale), 0
			}
		}
	}
	return m
}

// Sized is a model whose parameters that set sizes of pools change what trials show that they change besides, and a sentence
// about each that changed; what the trials contradict stays as it is.
func Sized(ctx context.Context, dir string, m core.Model) (core.Model, []string, error) {
	kept, err := keptTrials(dir)
	kept = slices.DeleteFunc(kept, func(t Trial) bool { return !t.Sizes || t.Failed != "" })
	if err != nil || len(kept) == 0 {
		return m, nil, err
	}
	before, err := predicted(ctx, m, nil)
	if err != nil {
		return m, nil, nil //nolint:nilerr // a model that comes to no end has other troubles, and its grade says so
	}
	var says []string
	for _, t := range kept {
		i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.How == t.Parameter.How })
		if i < 0 {
			continue
		}
		p := m.Parameters[i]
		besides := t.ofNumbers(&m, false) // there are as many more branches as there are threads
		if len(besides) == 0 {
			continue
		}
		with := m
		with.Parameters = slices.Clone(m.Parameters)
		with.Parameters[i].Targets = slices.Concat(p.Targets, besides)
		if t.better(ctx, with, m, p.Name, before) {
			m = with
			says = append(says, fmt.Sprintf("%s: runs with %.4g and %.4g in place of %.4g showed what it changes besides, %d numbers of the model", p.Name, t.Runs[0].At, t.Runs[1].At, p.Default, len(besides)))
		}
	}
	return m, says, nil
}

// better reports whether one model is nearer to the runs of the trial than another one.
func (t *Trial) better(ctx context.Context, one, other core.Model, name string, before calibrate.Cost) bool {
	off, _ := t.off(ctx, one, name, before)
	than, _ := t.off(ctx, other, name, before)
	return off < than
}
