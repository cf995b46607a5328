package whatif

import (
	"context"
	"maps"
	"math"

	"tierscope/core"
)

// Outline is what operational analysis says of one value of a knob.
type Outline struct {
	At       float64
	Estimate core.Estimate
	Bounds   core.Bounds
}

// Sketch returns what is known without simulation of n values of a parameter,
// ascending over the range that Range gives, or of the first of them if ctx ends. Configurations that the model does
// not allow are left out.
func Sketch(ctx context.Context, m core.Model, settings map[string]float64, p core.Parameter, n int) []Outline {
	at := p.Default
	if v, ok := settings[p.Name]; ok {
		at = v
	}
	lo, hi := Range(p, at)
	var out []Outline
	last := math.NaN()
	for i := range n {
		f := float64(i) / float64(n-1)
		v := lo + (hi-lo)*f
		if lo > 0 {
			v = min(max(lo*math.Pow(hi/lo, f), lo), hi)
		}
		if p.Integer {
			v = math.Round(v)
		}
		if v == last {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		last = v
		if o, err := outline(m, settings, p.Name, v); err == nil {
			out = append(out, o)
		}
	}
	return out
}

func outline(m core.Model, settings map[string]float64, knob string, v float64) (Outline, error) {
	changed := maps.Clone(settings)
	if changed == nil {
		changed = map[string]float64{}
	}
	changed[knob] = v
	configured, err := m.With(changed)
	if err != nil {
		return Outline{}, err
	}
	d := configured.Demands()
	return Outline{v, d.Estimate(), d.Bounds()}, nil
}

// Forecast returns the analytic forecast of a metric at any value of a knob,
// NaN where there is none.
func Forecast(m core.Model, settings map[string]float64, knob, metric string) func(float64) float64 {
	return func(v float64) float64 {
		o, err := outline(m, settings, knob, v)
		if err != nil {
			return math.NaN()
		}
		return o.Value(metric)
	}
}

// Through is the factor that takes a forecast of times through the first of some simulated points; 1 where either is not
// known. What the forecast leaves out, such as cold cores and wake-ups, is much the same beside that point.
func Through(anchors []Anchor, forecast func(float64) float64) float64 {
	if len(anchors) == 0 {
		return 1
	}
	if f := anchors[0].Mean / forecast(anchors[0].At); f > 0 && !math.IsInf(f, 0) {
		return f
	}
	return 1
}

// Value is the estimate of a metric by its name: R or T, and X; NaN for others.
func (o Outline) Value(metric string) float64 {
	switch metric {
	case "R", "T":
		return o.Estimate.Response
	case "X":
		return o.Estimate.Throughput
	}
	return math.NaN()
}

// Bound is what the metric cannot be better than; NaN for others than R, T
// and X.
func (o Outline) Bound(metric string) float64 {
	switch metric {
	case "R", "T":
		return o.Bounds.Response
	case "X":
		return o.Bounds.Throughput
	}
	return math.NaN()
}

// Knee is a value of a knob at which something else becomes the bottleneck, or
// from which on arrivals exceed what it can serve.
type Knee struct {
	At       float64 // between two values of a sketch
	From, To string  // bottlenecks, such as "pool/worker"; To is "" where the queue grows for ever
}

// Knees returns where the bottleneck changes over a sketch.
func Knees(sketch []Outline) []Knee {
	var out []Knee
	for i := 1; i < len(sketch); i++ {
		a, b := sketch[i-1], sketch[i]
		k := Knee{At: (a.At + b.At) / 2, From: a.Bounds.Bottleneck.Of, To: b.Bounds.Bottleneck.Of}
		switch {
		case a.Bounds.Stable && !b.Bounds.Stable:
			k.To = ""
		case !a.Bounds.Stable && b.Bounds.Stable: // more of the knob makes it stable
			k.From, k.To = "", a.Bounds.Bottleneck.Of
		case k.From == k.To:
			continue
		}
		out = append(out, k)
	}
	return out
}
