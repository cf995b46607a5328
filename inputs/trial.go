package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/pcg"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/project"
)

// How much work a program has, one run does not show: -size is 400, and so much was computed. Two more runs do. One with
// half of it shows which numbers of the model follow it, and how:
//
//	-size 400: 800 µs a row, 400 rows      -size 200: 200 µs a row, 200 rows      a row ~ size², rows ~ size
//
// Where the graphs of a program do not show how often it goes round, what each pool has to do in all follows it. A run with a
// quarter decides whether that is true: what the model says of it must be what it took.

// Trial is what further runs showed of a setting.
type Trial struct {
	Parameter core.Parameter     `json:"parameter"`         // without targets
	Other     float64            `json:"other"`             // the value of the run that is fitted
	Check     float64            `json:"check"`             // and of the one that is predicted
	Factors   map[string]float64 `json:"factors,omitempty"` // of numbers of the model
	Pools     map[string]float64 `json:"pools,omitempty"`   // of the CPU time of pools
	Base      calibrate.Cost     `json:"base"`              // of a run as recorded
	OtherCost calibrate.Cost     `json:"other_cost"`
	CheckCost calibrate.Cost     `json:"check_cost"`
	Failed    string             `json:"failed,omitempty"` // why it shows nothing
}

// trials is trials.json.
type trials struct {
	Trials []Trial `json:"trials"`
}

// TrialsFormat is the format of the trials of a project.
var TrialsFormat = core.Format{Name: "tierscope-trials", Version: 1}

func trialsFile(dir string) string { return filepath.Join(dir, "analysis", "trials.json") }

// What trials may cost.
const (
	trialTime  = 25 * time.Second // for all of them. Convention: an analyst waits for the analysis
	trialEach  = 15 * time.Second // for one run. Convention
	mostTrials = 6                // settings. Convention: more flags that are numbers few programs have
)

// Try runs the program of a study with other values of settings of which the recorded run does not show what they change,
// and keeps what that showed, in place of what was kept. A program that does not end by itself is not run.
func Try(ctx context.Context, s *stage.Study, asked []core.Parameter, report func(fact string)) error {
	file := trialsFile(s.Dir)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(asked) == 0 || s.Workload.Load != nil || s.Workload.Timeout > 0 {
		return nil
	}
	l, err := newLook(ctx, s)
	if err != nil {
		if errors.Is(err, stage.ErrNoWatch) {
			return nil
		}
		return err
	}
	began := time.Now()
	var all []Trial
	for _, p := range asked[:min(len(asked), mostTrials)] {
		if time.Since(began) > trialTime || ctx.Err() != nil {
			break
		}
		t := Trial{Parameter: p}
		t.Parameter.Targets = nil
		t.Other, t.Check = others(p.Default, p.Integer)
		report(fmt.Sprintf("runs with %s %.4g and %.4g in place of %.4g", p.Description, t.Other, t.Check, p.Default))
		if err := l.try(ctx, &t); err != nil {
			t.Failed = err.Error()
		}
		all = append(all, t)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return project.Save(file, TrialsFormat, trials{all})
}

// Doubtful are the parameters of a model that say how often loops go round. The loops are those that went round as often as the
// parameter says: others that it decides too may not have, and some may have done so by chance.
func Doubtful(m *core.Model) (ps []core.Parameter) {
	for _, p := range m.Parameters {
		if p.Unit == core.Rounds && p.How != "" && p.Follows == nil {
			p.Unit, p.Description = "", p.Name
			ps = append(ps, p)
		}
	}
	return ps
}

// others are the values that are tried in place of v: half of it and a quarter, or, of a small whole number, its
// neighbours.
func others(v float64, whole bool) (other, check float64) {
	switch {
	case !whole:
		return v / 2, v / 4
	case v == 1:
		return 2, 4
	case v == 2:
		return 1, 4
	case v == 3:
		return 2, 1
	default:
		return math.Round(v / 2), math.Round(v / 4)
	}
}

// look records runs of a program and makes models of them.
type look struct {
	study       *stage.Study
	calibration trace.Calibration
	base        seen
}

// seen is what a recorded run shows.
type seen struct {
	model *core.Model
	pools []trail.PoolReport
	cost  calibrate.Cost
}

// newLook records the program as it was analysed: what disturbs it now disturbs the other runs too.
func newLook(ctx context.Context, s *stage.Study) (*look, error) {
	in, err := stage.Inputs(s.Dir)
	if err != nil {
		return nil, err
	}
	l := &look{study: s, calibration: in.Trace.Calibration}
	l.base, err = l.at(ctx, in.Workload)
	return l, err
}

// record records a run of a workload.
func (l *look) record(ctx context.Context, w trace.Workload) (*trace.Trace, error) {
	ctx, cancel := context.WithTimeout(ctx, trialEach)
	defer cancel()
	return l.study.Watch(ctx, w)
}

// at records a run of a workload and makes a model of it.
func (l *look) at(ctx context.Context, w trace.Workload) (seen, error) {
	t, err := l.record(ctx, w)
	if err != nil {
		return seen{}, err
	}
	in, err := stage.Inputs(l.study.Dir)
	if err != nil {
		return seen{}, err
	}
	t.Calibration = l.calibration
	in.Workload, in.Trace = w, t
	m, r, err := analysis.Build(in, l.study.Options)
	if err != nil {
		return seen{}, err
	}
	return seen{m, r.Groups, cost(t)}, nil
}

// cost is what a recorded run took, and the CPU time of its threads.
func cost(t *trace.Trace) calibrate.Cost {
	return calibrate.Cost{Time: float64(t.End) * 1e-9, CPU: t.ThreadTime()}
}

// try makes the runs of a trial.
func (l *look) try(ctx context.Context, t *Trial) error {
	axis := measure.Axis{Name: t.Parameter.Name, How: t.Parameter.How}
	w, err := axis.Apply(l.study.Workload, t.Other)
	if err != nil {
		return err
	}
	other, err := l.at(ctx, w)
	if err != nil {
		return err
	}
	t.Base, t.OtherCost, t.Pools = l.base.cost, other.cost, worked(l.base.pools, other.pools)
	if alike(parts(l.base.model), parts(other.model)).same() {
		t.Factors = factors(l.base.model, other.model)
	}
	if w, err = axis.Apply(l.study.Workload, t.Check); err != nil {
		return err
	}
	again, err := l.record(ctx, w)
	if err != nil {
		return err
	}
	t.CheckCost = cost(again)
	return nil
}

// worked are what became of the CPU times of the pools that are modelled in both, if they matter in one.
func worked(base, other []trail.PoolReport) map[string]float64 {
	all := func(ps []trail.PoolReport) (sum int64) {
		for _, p := range ps {
			sum += p.CPU
		}
		return sum
	}
	matters := func(p trail.PoolReport, of int64) bool { return float64(p.CPU) >= pcg.DefaultThreshold*float64(of) }
	out := map[string]float64{}
	for _, b := range base {
		for _, o := range other {
			if b.Modelled && o.Modelled && b.Name == o.Name && b.CPU > 0 && o.CPU > 0 && (matters(b, all(base)) || matters(o, all(other))) {
				out[b.Name] = float64(o.CPU) / float64(b.CPU)
			}
		}
	}
	return out
}

// Numbers that hardly differ are the same. Convention: CPU times of a fragment vary by a tenth from run to run, counts
// do not.
const (
	sameTime  = 0.15
	sameCount = 0.01
)

// factors are what became of the numbers of a model that changed; not of times that matter in neither.
func factors(base, other *core.Model) map[string]float64 {
	one, two := copyOf(*base), copyOf(*other)
	was, is := numbers(&one), numbers(&two)
	matter, matters := weights(was)*pcg.DefaultThreshold, weights(is)*pcg.DefaultThreshold
	out := map[string]float64{}
	for key, n := range was {
		o, ok := is[key]
		if !ok || n.path == "" || !(n.value > 0) || !(o.value > 0) || n.weight > 0 && n.weight < matter && o.weight < matters {
			continue
		}
		same := sameTime
		if n.whole {
			same = sameCount
		}
		if f := o.value / n.value; math.Abs(math.Log(f)) > math.Log1p(same) {
			out[key] = f
		}
	}
	return out
}

// weights is all the time that numbers stand for, in s.
func weights(all map[string]number) (sum float64) {
	for _, n := range all {
		sum += n.weight
	}
	return sum
}
