package validate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Accuracy is the error of one metric over many configurations. Only means are
// counted, as the papers do; percentiles are shown beside them.
type Accuracy struct {
	Metric    string  `json:"metric"`
	N         int     `json:"n"`
	Missing   int     `json:"missing,omitempty"` // configurations without a prediction, besides
	MeanAbs   float64 `json:"mean_abs_err"`      // mean |ε|
	HalfWidth float64 `json:"half_width"`        // of its interval
	Bias      float64 `json:"bias"`              // mean ε
	MaxAbs    float64 `json:"max_abs_err"`
	EqualCPU  Part    `json:"at_equal_cpu"`  // |ε| at equal CPU time, see Comparison; N may be 0
	BaseSpeed Part    `json:"at_base_speed"` // |ε| at the speed of the base configuration, see Comparison; N may be 0
	Saturated Part    `json:"saturated"`     // where the system did not keep up
	Outside   int     `json:"outside"`       // configurations whose intervals have no point in common
}

// Part is the error over some of the configurations.
type Part struct {
	N         int     `json:"n"`
	MeanAbs   float64 `json:"mean_abs_err"`
	HalfWidth float64 `json:"half_width"`
}

// accuracies summarises by metric, in the order R, X, T, U, others.
func accuracies(all []Comparison) []Accuracy {
	order := []string{"R", "X", "T", "U"}
	for _, c := range all {
		if !slices.Contains(order, c.Metric) {
			order = append(order, c.Metric)
		}
	}
	var out []Accuracy
	for _, metric := range order {
		var some, saturated []Comparison
		missing := 0
		for _, c := range all {
			if c.Metric != metric || c.Stat != "mean" {
				continue
			}
			if !c.known() {
				missing++
				continue
			}
			some = append(some, c)
			if c.Saturated {
				saturated = append(saturated, c)
			}
		}
		if len(some)+missing == 0 {
			continue
		}
		a := Accuracy{Metric: metric, N: len(some), Missing: missing, Saturated: part(saturated)}
		p := part(some)
		a.MeanAbs, a.HalfWidth = p.MeanAbs, p.HalfWidth
		if a.N == 0 {
			a.MeanAbs, a.Bias, a.MaxAbs = math.NaN(), math.NaN(), math.NaN()
		}
		for _, c := range some {
			a.Bias += c.Error / float64(len(some))
			a.MaxAbs = max(a.MaxAbs, math.Abs(c.Error))
			if c.Outside {
				a.Outside++
			}
			a.EqualCPU.add(c.EqualCPU)
			a.BaseSpeed.add(c.BaseSpeed)
		}
		out = append(out, a)
	}
	return out
}

// Within is what 95 % of the errors |ε| of the metrics that a verdict counts do not exceed, utilizations left
// out; +Inf where more are not known, NaN if nothing was compared.
func (r *Report) Within() float64 {
	var all []float64
	for _, c := range r.Comparisons {
		switch {
		case c.Stat != "mean" || c.Metric == "U" || !r.judged(c.Metric):
		case c.known():
			all = append(all, math.Abs(c.Error))
		default:
			all = append(all, math.Inf(1))
		}
	}
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return stat.Quantile(0.95, stat.Empirical, all, nil)
}

// add takes another error into the mean, if there is one.
func (p *Part) add(e *float64) {
	if e != nil {
		n := float64(p.N)
		p.MeanAbs = (p.MeanAbs*n + math.Abs(*e)) / (n + 1)
		p.N++
	}
}

// part averages |ε|. The half-widths of independent errors add as squares.
func part(some []Comparison) Part {
	p := Part{N: len(some)}
	squares := 0.0
	for _, c := range some {
		p.MeanAbs += math.Abs(c.Error) / float64(len(some))
		squares += c.HalfWidth * c.HalfWidth
	}
	if len(some) > 0 {
		p.HalfWidth = math.Sqrt(squares) / float64(len(some))
	}
	return p
}
