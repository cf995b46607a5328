package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/stage"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/project"
)

// How much work a program has, one run does not show: -size is 400, and so much was computed. Two more runs do. One with
// half of it shows which numbers of the model follow it, and how:
//
//	-size 400: 800 µs a row, 400 rows      -size 200: 200 µs a row, 200 rows      a row ~ size², rows ~ size
//
// Where the graphs of a program do not show how often it goes round, what each pool has to do in all follows it. A run with a
// quarter decides whether there is such a law: what the model says of both must be what they took.

// Trial is what further runs showed of a setting.
type Trial struct {
	Parameter core.Parameter  `json:"parameter"`       // without targets
	Steep     bool            `json:"steep,omitempty"` // the values are near, as with half there was next to nothing to do
	Base      calibrate.Cost  `json:"base"`            // of a run as recorded
	Again     *calibrate.Cost `json:"again,omitempty"` // of one more, where the others hardly differ from it
	Runs      [2]Run          `json:"runs"`
	Failed    string          `json:"failed,omitempty"` // why it shows nothing
	// Sizes: the setting is a parameter that sets sizes of pools; factors are beside what it makes of the model.
	Sizes bool `json:"sizes,omitempty"`
}

// Run is one with another value of a setting, beside one as recorded.
type Run struct {
	At      float64            `json:"at"` // the value
	Cost    calibrate.Cost     `json:"cost"`
	Factors map[string]float64 `json:"factors,omitempty"` // of numbers of the model
	Pools   map[string]float64 `json:"pools,omitempty"`   // of the CPU time of pools
	Threads map[string]int     `json:"threads,omitempty"` // that a pool has at a time
}

// trials is trials.json.
type trials struct {
	Trials []Trial `json:"trials"`
}

// TrialsFormat is the format of the trials of a project.
var TrialsFormat = core.Format{Name: "tierscope-trials", Version: 5, Migrations: []func(map[string]any) error{
	again, // a second run was not looked into
	again, // loops were known by where they begin
	func(map[string]any) error { return nil }, // there were none of sizes of pools
	func(map[string]any) error { return nil }, // how many threads pools had was not kept
}}

// again forgets trials, which are to be made anew.
func again(document map[string]any) error {
	document["trials"] = nil
	return nil
}

func trialsFile(dir string) string { return filepath.Join(dir, "analysis", "trials.json") }

// What trials may cost.
const (
	trialTime  = 25 * time.Second // for all of them. Convention: an analyst waits for the analysis
	trialEach  = 15 * time.Second // for one run. Convention
	mostTrials = 8                // settings. Convention: more flags that are numbers few programs have
)

// Try runs the program of a study with other values of settings of which the recorded run does not show what they change,
// and keeps what that showed, in place of what was kept; and of those that are likely to set a number of threads, if a run shows that they do
// not. A program that does not end by itself is not run.
func Try(ctx context.Context, s *stage.Study, likely, asked []core.Parameter, report func(fact string)) error {
	file := trialsFile(s.Dir)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(likely)+len(asked) == 0 || s.Workload.Load != nil || s.Workload.Timeout > 0 {
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
	asked = append(l.unlikely(ctx, likely, report), likeliest(asked, l.base.model)...)
	for _, p := range asked[:min(len(asked), mostTrials)] {
		if time.Since(began) > trialTime || ctx.Err() != nil {
			break
		}
		t := Trial{Parameter: p}
		t.Parameter.Targets = nil
		t.Runs[0].At, t.Runs[1].At = others(p.Default, p.Integer)
		report(fmt.Sprintf("runs with %s %.4g and %.4g in place of %.4g", p.Description, t.Runs[0].At, t.Runs[1].At, p.Default))
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

// likeliest puts first the settings that are how many threads, permits or places a model has: there is not always time for all, and these
// matter most. Several may be the same number, which one run does not tell apart.
func likeliest(asked []core.Parameter, m *core.Model) []core.Parameter {
	built := map[float64]bool{}
	shared := copyOf(*m)
	for _, n := range numbers(&shared) {
		if n.whole && !n.counted && n.path != "" && !strings.HasPrefix(n.path, "graphs/") {
			built[n.value] = true
		}
	}
	asked = slices.Clone(asked)
	slices.SortStableFunc(asked, func(p, q core.Parameter) int {
		switch one, two := built[p.Default], built[q.Default]; {
		case one == two:
			return 0
		case one:
			return -1
		default:
			return 1
		}
	})
	return asked
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

// beside are the values that are tried in place of v where with half of it there is next to nothing left to do, or the program
// refuses it: the depth of a tree, the edge of a board.
func beside(v float64, whole bool) (other, check float64) {
	step := v / nearStep
	if whole {
		step = max(1, math.Round(step))
	}
	return v - step, v - 2*step
}

const (
	nearStep = 16       // of a number, that it is changed by. Convention
	steep    = 1.0 / 16 // of the work of a pool, that is next to nothing: with half, more than its fourth power. Convention
)

// try makes the runs of a trial.
func (l *look) try(ctx context.Context, t *Trial) error {
	t.Base = l.base.cost
	err := l.run(ctx, t, 0)
	for _, f := range t.Runs[0].Pools {
		t.Steep = t.Steep || f < steep
	}
	if v := t.Parameter.Default; (err != nil || t.Steep) && v > leastNear && ctx.Err() == nil {
		t.Steep = true
		t.Runs[0].At, t.Runs[1].At = beside(v, t.Parameter.Integer)
		err = l.run(ctx, t, 0)
	}
	if err == nil {
		err = l.run(ctx, t, 1)
	}
	if err != nil || !t.slight() {
		return err
	}
	again, err := l.record(ctx, l.study.Workload)
	if err != nil {
		return err
	}
	c := cost(again)
	t.Again = &c
	return nil
}

// leastNear is the least number that has two smaller ones beside it that are not tried as half and quarter of it.
const leastNear = 4

// run makes one run of a trial.
func (l *look) run(ctx context.Context, t *Trial, i int) error {
	r := &t.Runs[i]
	other, err := l.with(ctx, t.Parameter, r.At)
	if err != nil {
		return err
	}
	pools := named(l.base.pools, other.pools)
	r.Cost, r.Pools, r.Threads, r.Factors = other.cost, worked(l.base.pools, pools), staff(pools), nil
	if alike(parts(l.base.model), parts(other.model)).same() {
		r.Factors = factors(l.base.model, other.model)
	}
	return nil
}
