package variate

import (
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Sampler draws from one distribution. It is immutable and may be shared; the
// zero value always draws 0.
type Sampler struct {
	law  law
	n    int32    // Erlang phases
	a, b float64  // parameters by law
	more *tables  // of laws that need them
	time des.Time // a constant, rounded, if rounding takes no randomness; else 0
}

// tables are what some laws need.
type tables struct {
	choose  Alias // discrete, hyperexponential, mixture
	values  []float64
	weights []float64 // discrete
	sketch  *quantiles
	mixture []Sampler
}

type law uint8

const (
	constant         law = iota // a
	exponential                 // mean a
	erlang                      // n phases of mean a
	hyperexponential            // means values, chosen by choose
	lognormal                   // exp(a + b·N)
	gamma                       // scale a, shape b
	weibull                     // scale a, exponent b
	pareto                      // minimum a, exponent b
	uniform                     // a + b·U
	empirical                   // sketch
	discrete                    // values, chosen by choose
	mixture                     // mixture, chosen by choose
)

// erlangBySum is the largest number of phases that is summed up; more are
// drawn as a gamma variate, whose cost does not grow.
const erlangBySum = 4

// Compile returns the sampler of d scaled by factor. The zero Distribution
// gives the zero Sampler. It panics if d is not valid (core.Model.Validate).
func Compile(d core.Distribution, factor float64) Sampler {
	s := compile(d, factor)
	if s.law == constant {
		s.time = des.Whole(1e9 * s.a)
	}
	return s
}

func compile(d core.Distribution, factor float64) Sampler {
	switch d.Kind {
	case "":
		return Sampler{}
	case core.Constant:
		return Sampler{a: d.Value * factor}
	case core.Exponential:
		return Sampler{law: exponential, a: d.Mean * factor}
	case core.Erlang:
		if d.Phases <= erlangBySum {
			return Sampler{law: erlang, a: d.Mean * factor / float64(d.Phases), n: int32(d.Phases)}
		}
		return Sampler{law: gamma, a: d.Mean * factor / float64(d.Phases), b: float64(d.Phases)}
	case core.Hyperexponential:
		return Sampler{law: hyperexponential, more: &tables{choose: NewAlias(d.Weights), values: scaled(d.Means, factor)}}
	case core.Lognormal:
		if d.CV == 0 || d.Mean == 0 {
			return Sampler{a: d.Mean * factor}
		}
		variance := math.Log1p(d.CV * d.CV)
		return Sampler{law: lognormal, a: math.Log(d.Mean*factor) - variance/2, b: math.Sqrt(variance)}
	case core.Gamma:
		if d.CV == 0 {
			return Sampler{a: d.Mean * factor}
		}
		shape := 1 / (d.CV * d.CV)
		return Sampler{law: gamma, a: d.Mean * factor / shape, b: shape}
	case core.Weibull:
		return Sampler{law: weibull, a: d.Mean * factor / math.Gamma(1+1/d.Shape), b: 1 / d.Shape}
	case core.Pareto:
		return Sampler{law: pareto, a: d.Min * factor, b: 1 / d.Shape}
	case core.Uniform:
		return Sampler{law: uniform, a: d.Min * factor, b: (d.Max - d.Min) * factor}
	case core.Empirical:
		if len(d.Values) == 1 || d.Values[0] == d.Values[len(d.Values)-1] {
			return Sampler{a: d.Values[0] * factor}
		}
		return Sampler{law: empirical, more: &tables{sketch: newQuantiles(scaled(d.Values, factor), d.Probabilities)}}
	case core.Discrete:
		if len(d.Values) == 1 {
			return Sampler{a: d.Values[0] * factor}
		}
		return Sampler{law: discrete, more: &tables{choose: NewAlias(d.Weights), values: scaled(d.Values, factor), weights: d.Weights}}
	case core.Mixture:
		more := &tables{choose: NewAlias(d.Weights)}
		for _, c := range d.Components {
			more.mixture = append(more.mixture, Compile(c, factor))
		}
		return Sampler{law: mixture, more: more}
	default:
		panic("variate: unknown distribution " + string(d.Kind))
	}
}

func scaled(values []float64, factor float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * factor
	}
	return out
}

// Constant returns the value of a sampler that always draws the same.
func (s *Sampler) Constant() (float64, bool) { return s.a, s.law == constant }

// Draw returns a variate.
func (s *Sampler) Draw(r *des.Stream) float64 {
	switch s.law {
	case constant:
		return s.a
	case exponential:
		return s.a * r.Exponential()
	default:
		return s.drawOther(r)
	}
}

func (s *Sampler) drawOther(r *des.Stream) float64 {
	switch s.law {
	case erlang:
		sum := 0.0
		for range s.n {
			sum += r.Exponential()
		}
		return s.a * sum
	case hyperexponential:
		return s.more.values[s.more.choose.Draw(r)] * r.Exponential()
	case lognormal:
		return math.Exp(s.a + s.b*r.Normal())
	case gamma:
		return s.a * drawGamma(s.b, r)
	case weibull:
		return s.a * math.Pow(r.Exponential(), s.b)
	case pareto: // −ln U is exponential
		return s.a * math.Exp(s.b*r.Exponential())
	case uniform:
		return s.a + s.b*r.Float64()
	case empirical:
		return s.more.sketch.draw(r)
	case discrete:
		return s.more.values[s.more.choose.Draw(r)]
	case mixture:
		return s.more.mixture[s.more.choose.Draw(r)].Draw(r)
	default: // constant and exponential are drawn by the caller
		panic("variate: invalid sampler")
	}
}

// Time draws a variate in seconds and rounds it to the clock without bias.
func (s *Sampler) Time(r *des.Stream) des.Time {
	if s.law == exponential {
		return r.ExponentialTime(1e9 * s.a)
	}
	if s.time > 0 {
		return s.time
	}
	return r.Round(1e9 * s.Draw(r))
}

// Count draws a variate and rounds it to a whole number without bias: 2.25
// executions are 3 with probability 1/4.
func (s *Sampler) Count(r *des.Stream) int { return whole(s.Draw(r), r) }

func whole(x float64, r *des.Stream) int {
	n := math.Floor(x)
	if fraction := x - n; fraction > 0 && r.Float64() < fraction {
		n++
	}
	return int(max(n, 0))
}

// drawGamma returns a gamma variate of the given shape and scale 1 (Marsaglia &
// Tsang, A simple method for generating gamma variables, 2000).
func drawGamma(shape float64, r *des.Stream) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Exp(-r.Exponential() / shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.Normal()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if r.Exponential() > -(0.5*x*x + d - d*v + d*math.Log(v)) {
			return d * v * boost
		}
	}
}
