package accuracy

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/runtimes"
	"tierscope/core"
)

// Program is a program whose run times were predicted and measured over threads and cores.
type Program struct {
	Name, Grade string         // Grade is that of the recording alone, "" if it is not known
	Checks      []core.Checked // in the configurations that package judge runs after an analysis
	Others      []core.Checked
}

// Programs are those of a book that have both. What was predicted of fresh programs is corrected by their checks, and
// shows no error of a model alone.
func (b *Book) Programs() []Program {
	var all []Program
	for i := range b.Results {
		if b.Results[i].Area == Fresh {
			continue
		}
		if p := b.Results[i].program(); len(p.Checks) > 0 && len(p.Others) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// program divides the rows of a result: the checks are in the configuration that was recorded, and have half as many threads as that,
// or two in place of one, or what was measured next to that.
func (r *Result) program() Program {
	p := Program{Name: strings.TrimPrefix(r.Subject, "unseen-")}
	if r.Grade != nil {
		p.Grade = *r.Grade
	}
	recorded, ok := threads(r.Analysed)
	if !ok {
		return p
	}
	half := math.Floor(recorded / 2)
	if half < 1 {
		half = recorded + 1
	}
	rows := r.Times()
	nearest := math.Inf(1)
	for _, row := range rows {
		n, _ := threads(row.Configuration)
		if d, least := math.Abs(n-half), math.Abs(nearest-half); d < least || d == least && n < nearest {
			nearest = n
		}
	}
	for _, row := range rows {
		if n, _ := threads(row.Configuration); n == nearest || maps.Equal(settings(row.Configuration), settings(r.Analysed)) {
			p.Checks = append(p.Checks, r.Checked(row))
		} else {
			p.Others = append(p.Others, r.Checked(row))
		}
	}
	return p
}

// Times are the rows of run times over threads and cores.
func (r *Result) Times() []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool {
		_, ok := threads(row.Configuration)
		return row.Quantity != "T" || row.Error == nil || row.EqualCPU == nil || row.Of != 0 || !ok
	})
}

// Checked is a row as a check of the model.
func (r *Result) Checked(row Row) core.Checked {
	runs := 1
	if r.Repeats != nil {
		runs = *r.Repeats
	}
	return core.Checked{At: settings(row.Configuration), Off: -math.Log1p(*row.Error), Runs: runs}
}

// settings are those that a configuration names: "workers 2, cores 1".
func settings(configuration string) map[string]float64 {
	out := map[string]float64{}
	for part := range strings.SplitSeq(configuration, ", ") {
		name, value, _ := strings.Cut(part, " ")
		if isCores(name) {
			name = core.CoresPath
		}
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			out[name] = v
		}
	}
	return out
}

// isCores reports whether a setting is one of cores.
func isCores(name string) bool {
	return name == "cores" || runtimes.IsProcessors(strings.ToLower(name))
}

// threads returns the setting of a configuration that is not one of cores.
func threads(configuration string) (float64, bool) {
	for part := range strings.SplitSeq(configuration, ", ") {
		name, value, _ := strings.Cut(part, " ")
		if isCores(name) {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		return n, err == nil
	}
	return 0, false
}

// Learning finds the law of errors that has the largest likelihood on a grid, of all programs or of all but one.
type Learning struct {
	programs   []Program
	first      core.Errors
	axes       []axis
	likelihood map[core.Errors][]float64 // by program
}

// Learn looks at programs.
func Learn(programs []Program) *Learning {
	l := &Learning{programs, core.Errors{Day: core.ErrorsOfModels().Day}, axes, map[core.Errors][]float64{}}
	for _, a := range axes {
		*a.of(&l.first) = a.values[len(a.values)/2]
	}
	return l
}

// LearnSize looks at how large errors are, where all else is as a law says.
func LearnSize(programs []Program, law core.Errors) *Learning {
	return &Learning{programs, law, axes[:2], map[core.Errors][]float64{}}
}

// axis is one of the grid.
type axis struct {
	of     func(*core.Errors) *float64
	values []float64
}

var axes = []axis{
	{func(l *core.Errors) *float64 { return &l.Scale }, []float64{.03, .04, .05, .06, .07, .08, .1, .14, .2, .3}},
	{func(l *core.Errors) *float64 { return &l.Spread }, []float64{.4, .6, .8, 1, 1.2, 1.4}},
	{func(l *core.Errors) *float64 { return &l.Common }, []float64{.05, .1, .2, .4, .6}},
	{func(l *core.Errors) *float64 { return &l.Own }, []float64{.02, .05, .1, .2}},
	{func(l *core.Errors) *float64 { return &l.Reach }, []float64{1, 2, 4, 8}},
	{func(l *core.Errors) *float64 { return &l.Cores }, []float64{.5, 1, 2, 4}},
	{func(l *core.Errors) *float64 { return &l.Alone }, []float64{.4, .5, .6, .7, .8, 1}},
	{func(l *core.Errors) *float64 { return &l.Noise }, []float64{.1, .2, .4}},
}

// Law is the best of all programs but one, −1: of all: along one axis of the grid after the other, until none has a better one.
func (l *Learning) Law(without int) core.Errors {
	best := l.first
	most := l.of(best, without)
	for better := true; better; {
		better = false
		for _, a := range l.axes {
			for _, v := range a.values {
				next := best
				*a.of(&next) = v
				if likely := l.of(next, without); likely > most {
					best, most, better = next, likely, true
				}
			}
		}
	}
	return best
}

// of is the logarithm of the likelihood of a law, of all programs but one.
func (l *Learning) of(law core.Errors, without int) (sum float64) {
	all, ok := l.likelihood[law]
	if !ok {
		for _, p := range l.programs {
			all = append(all, law.Likelihood(slices.Concat(p.Checks, p.Others)))
		}
		l.likelihood[law] = all
	}
	for k, v := range all {
		if k != without {
			sum += v
		}
	}
	return sum
}

// Shifts are by how much more CPU time programs took when they were measured than when they were analysed, in the configuration of the
// analysis, as logarithms: the same source on the same machine, twice.
func (b *Book) Shifts() (all []float64) {
	for i := range b.Results {
		r := &b.Results[i]
		if r.Area == Fresh || r.Analysed == "" {
			continue
		}
		rows := r.rows("T", nil)
		at := slices.IndexFunc(rows, func(row Row) bool {
			return row.Error != nil && row.EqualCPU != nil && maps.Equal(settings(row.Configuration), settings(r.Analysed))
		})
		if at >= 0 { // ε is of the time as it was measured, the other of what the CPU time of the analysis would have made of it
			all = append(all, math.Log1p(*rows[at].EqualCPU)-math.Log1p(*rows[at].Error))
		}
	}
	return all
}

// Servers are the root mean squares of the errors of response times below saturation, in
// logarithms, of servers under several loads.
func (b *Book) Servers() (all []float64) {
	const loads = 5 // fewer do not show it
	for _, r := range b.Results {
		if r.Area == Fresh {
			continue
		}
		sum, n := 0.0, 0.0
		below := false
		for _, row := range r.rows("R", &below) {
			if row.Error != nil && row.Of == 0 && row.Measured != nil {
				sum += math.Pow(math.Log1p(*row.Error), 2)
				n++
			}
		}
		if n >= loads && len(r.rows("T", nil)) == 0 {
			all = append(all, math.Sqrt(sum/n))
		}
	}
	return all
}
