package predictability

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tierscope/analysis/regress"
)

// Platform is a machine that jobs can run on. Frequency is what its clock says;
// Factor is how many times longer than this machine it takes for the same run
// (1: it is this machine); Options change the JVM (an older one is emulated by
// -XX:TieredStopAtLevel=1). Platforms with a factor are emulated.
type Platform struct {
	Name      string   `json:"name"`
	Frequency float64  `json:"frequency_ghz"`
	Factor    float64  `json:"factor"`
	Options   []string `json:"options,omitempty"`
}

// Balance is how well a set of jobs is balanced over platforms, by what is known
// of their times (Zhang et al., §6): the mean utilization Σ s_k/(m·s_max) over
// many random sets.
type Balance struct {
	Platforms []Platform `json:"platforms"`
	Jobs      int        `json:"jobs"`
	Sets      int        `json:"sets"`
	From      int        `json:"from"` // sizes of the jobs
	To        int        `json:"to"`
	Costs     []Cost     `json:"costs"`   // of each platform, own CPU time in s
	Fixed     []float64  `json:"fixed"`   // of each platform, CPU time in s of start-up and compilers
	Errors    []float64  `json:"errors"`  // of each platform, mean relative error of the predicted times
	Perfect   float64    `json:"perfect"` // with the true times
	Model     float64    `json:"model"`   // with times predicted from the calibrations
	Lower     float64    `json:"model_5_percent"`
	Upper     float64    `json:"model_95_percent"`
	Frequency float64    `json:"frequency"` // with times ∝ 1/frequency, the same for all sizes' orders
	InOrder   float64    `json:"in_order"`  // as Model, but jobs are assigned as they come: the order of the paper
	// Calibrations are figure 4 of the paper: what calibrating at other sizes gives.
	Calibrations []Calibrated `json:"calibrations,omitempty"`
	// Predicted says that no true times were measured: the utilizations are those of the
	// predicted times.
	Predicted bool    `json:"predicted_only,omitempty"`
	Error     float64 `json:"prediction_error"`
}

// Calibrated is a point of figure 4: costs fitted to five sizes from one on.
type Calibrated struct {
	From      int     `json:"from"` // the smallest of the sizes, on the first platform
	Predicted float64 `json:"predicted"`
	Actual    float64 `json:"actual"`
}

// BalancePlan says what to balance.
type BalancePlan struct {
	Plan      Plan // the program; heaps are not looked at
	Platforms []Platform
	// Studies are those of the platforms, measured where they are; none: the platforms
	// are emulated here.
	Studies  []*Study
	From, To int // sizes of the jobs, beyond the calibrations
	Jobs     int // 0: 30, as in the paper
	Sets     int // 0: 300
	Seed     uint64
}

const (
	defaultJobs = 30
	defaultSets = 300
	trueSizes   = 8 // at which the true times are measured; between them they are interpolated in logarithms
)

// FindBalance calibrates every platform at small sizes, measures the true times
// of larger ones, and balances random sets of jobs.
func FindBalance(ctx context.Context, p BalancePlan) (*Balance, error) {
	switch {
	case len(p.Platforms) < 2:
		return nil, errors.New("predictability: at least two platforms are needed")
	case len(p.Studies) > 0 && len(p.Studies) != len(p.Platforms):
		return nil, fmt.Errorf("predictability: %d studies for %d platforms", len(p.Studies), len(p.Platforms))
	case len(p.Studies) == 0 && p.Plan.Runtime != Java:
		return nil, errors.New("predictability: platforms are emulated for Java programs only")
	}
	set(&p.Jobs, defaultJobs)
	set(&p.Sets, defaultSets)
	b := &Balance{Platforms: p.Platforms, Jobs: p.Jobs, Sets: p.Sets, From: p.From, To: p.To}
	curves, err := b.studied(p), error(nil)
	if len(curves) == 0 {
		curves, err = b.measure(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	b.Errors = make([]float64, len(curves))
	b.balance(p, curves)
	b.calibrations(p, curves)
	return b, nil
}

// studied are the curves of studies that were measured elsewhere. Where one has no two
// sizes that were checked, what it predicts is all that is known.
func (b *Balance) studied(p BalancePlan) []curve {
	var out []curve
	for _, s := range p.Studies {
		c := curve{study: s}
		for _, pt := range s.Points {
			if pt.Role == Check {
				c.n, c.s = append(c.n, float64(pt.Size)), append(c.s, pt.CPU)
			}
		}
		b.Predicted = b.Predicted || len(c.n) < 2
		b.Costs, b.Fixed = append(b.Costs, s.Cost), append(b.Fixed, s.Fixed)
		out = append(out, c)
	}
	return out
}

// curve is the true time of a platform over the size.
type curve struct {
	study *Study
	n, s  []float64
}

// at interpolates the true time in logarithms.
func (c curve) at(n float64) float64 {
	if len(c.n) < 2 {
		return c.study.At(n)
	}
	i := min(max(1, slices.IndexFunc(c.n, func(x float64) bool { return x >= n })), len(c.n)-1)
	f := math.Log(n/c.n[i-1]) / math.Log(c.n[i]/c.n[i-1])
	return c.s[i-1] * math.Pow(c.s[i]/c.s[i-1], f)
}

// measure studies each platform with its options and measures the true times.
// Platforms with the same options are the same program.
func (b *Balance) measure(ctx context.Context, p BalancePlan) ([]curve, error) {
	known := map[string]curve{}
	var out []curve
	for _, platform := range p.Platforms {
		key := strings.Join(platform.Options, " ")
		c, ok := known[key]
		if !ok {
			plan := p.Plan
			plan.Command = slices.Concat(plan.Command[:1], platform.Options, plan.Command[1:])
			plan.Heaps, plan.Check = nil, false
			for k := range trueSizes {
				plan.Also = append(plan.Also, int(math.Round(float64(p.From)*math.Pow(float64(p.To)/float64(p.From), float64(k)/(trueSizes-1)))))
			}
			s, err := Find(ctx, plan)
			if err != nil {
				return nil, fmt.Errorf("platform %s: %w", platform.Name, err)
			}
			c = curve{study: s}
			for _, pt := range s.Points {
				if pt.Role == Check {
					c.n, c.s = append(c.n, float64(pt.Size)), append(c.s, pt.CPU)
				}
			}
			known[key] = c
		}
		out = append(out, c)
		b.Costs, b.Fixed = append(b.Costs, c.study.Cost), append(b.Fixed, c.study.Fixed)
	}
	return out, nil
}

// balance assigns random sets of jobs.
func (b *Balance) balance(p BalancePlan, curves []curve) {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	var byModel []float64
	for range b.Sets {
		var truth, model, clock [][]float64
		for range b.Jobs {
			n := float64(p.From) + random.Float64()*float64(p.To-p.From)
			var t, m, c []float64
			for k, platform := range p.Platforms {
				t = append(t, platform.Factor*curves[k].at(n))
				m = append(m, platform.Factor*curves[k].study.At(n))
				// Who knows only clocks gives every job the time of the first
				// platform, scaled by the clocks.
				c = append(c, curves[0].study.Cost.Order.At(n)*p.Platforms[0].Frequency/platform.Frequency)
				e := math.Abs(m[k]/t[k]-1) / float64(b.Sets*b.Jobs)
				b.Errors[k] += e
				b.Error += e / float64(len(curves))
			}
			truth, model, clock = append(truth, t), append(model, m), append(clock, c)
		}
		b.Perfect += regress.Utilization(truth, regress.Schedule(truth)) / float64(b.Sets)
		u := regress.Utilization(truth, regress.Schedule(model))
		b.Model += u / float64(b.Sets)
		b.InOrder += regress.Utilization(truth, regress.ScheduleInOrder(model)) / float64(b.Sets)
		byModel = append(byModel, u)
		b.Frequency += regress.Utilization(truth, regress.Schedule(clock)) / float64(b.Sets)
	}
	slices.Sort(byModel)
	b.Lower, b.Upper = byModel[len(byModel)/20], byModel[len(byModel)*19/20]
}

// calibrations draws figure 4: every five neighbouring sizes that all platforms were
// seen at, in an ample heap, are taken for the calibration, and the jobs balanced in the
// order of the paper.
func (b *Balance) calibrations(p BalancePlan, curves []curve) {
	var seen [][]Point
	for _, c := range curves {
		var of []Point
		for _, pt := range c.study.Points {
			if pt.Role != TightHeap && !slices.ContainsFunc(of, func(q Point) bool { return q.Size == pt.Size }) {
				of = append(of, pt)
			}
		}
		slices.SortFunc(of, func(x, y Point) int { return x.Size - y.Size })
		seen = append(seen, of)
	}
	for k := 0; ; k++ {
		costs := make([]Cost, len(curves))
		for i, of := range seen {
			if k+calibrations > len(of) {
				return
			}
			var n, s []float64
			for _, pt := range of[k : k+calibrations] {
				n, s = append(n, float64(pt.Size)), append(s, pt.CPU)
			}
			var ok bool
			if costs[i], ok = fitCost(curves[i].study.Cost.Order, n, s); !ok {
				costs[i] = Cost{Order: curves[i].study.Cost.Order, Constant: s[len(s)-1]} // nothing grows: a constant is all that is seen
			}
		}
		point := Calibrated{From: seen[0][k].Size}
		random := rand.New(rand.NewPCG(p.Seed, 1))
		for range b.Sets {
			var truth, model [][]float64
			for range b.Jobs {
				n := float64(p.From) + random.Float64()*float64(p.To-p.From)
				var t, m []float64
				for i, platform := range p.Platforms {
					t, m = append(t, platform.Factor*curves[i].at(n)), append(m, platform.Factor*costs[i].At(n))
				}
				truth, model = append(truth, t), append(model, m)
			}
			assigned := regress.ScheduleInOrder(model)
			point.Predicted += regress.Utilization(model, assigned) / float64(b.Sets)
			point.Actual += regress.Utilization(truth, assigned) / float64(b.Sets)
		}
		b.Calibrations = append(b.Calibrations, point)
	}
}
