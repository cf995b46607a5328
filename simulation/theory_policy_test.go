package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// oneCore is an M/G/1 station: so many threads that only the core is waited for.
func oneCore(policy core.CPUPolicy, rate float64, service core.Distribution) core.Model {
	m := station(rate, 400, core.Unbounded, service)
	m.CPU = core.CPU{Cores: 1, Policy: policy}
	return m
}

// integral of f from a to b, by Simpson's rule.
func integral(a, b float64, f func(float64) float64) float64 {
	const n = 2000
	h, sum := (b-a)/n, f(a)+f(b)
	for i := 1; i < n; i++ {
		sum += f(a+float64(i)*h) * float64(2+2*(i%2))
	}
	return sum * h / 3
}

// theoretical checks that the mean response time of a class is what theory says: the 99 % interval of 10 long
// replications covers it, or it is nearer than 1 %. A correct program would fail once in 100 fresh seeds at most.
func theoretical(t *testing.T, m core.Model, class string, want float64) {
	t.Helper()
	r := run(t, m, nil, Options{Seed: 3, Duration: 40_000, Warmup: 1000, Confidence: .99})
	e := find(t, r, "R class/"+class+" mean")
	if (want < e.Lo || want > e.Hi) && math.Abs(e.Mean/want-1) > .01 {
		t.Errorf("%s: R of %s is %.4f in [%.4f, %.4f], theory says %.4f", m.Name, class, e.Mean, e.Lo, e.Hi, want)
	}
}

// M/G/1 with the shortest burst first, without preemption (Phipps 1956):
// E W = λ·E S²/2 · ∫ dF(x)/(1−ρ(x))², where ρ(x) = λ·∫₀ˣ t dF(t).
func TestShortestProcessingTimeIsPhipps(t *testing.T) {
	t.Parallel()
	const lambda, mu = .8, 1.
	rho := func(x float64) float64 { return lambda * (1 - math.Exp(-mu*x)*(1+mu*x)) / mu }
	wait := lambda * 2 / (mu * mu) / 2 * integral(0, 40, func(x float64) float64 { return mu * math.Exp(-mu*x) / math.Pow(1-rho(x), 2) })
	theoretical(t, oneCore(core.ShortestFirst, lambda, exponential(1/mu)), core.DefaultClass, wait+1/mu)
}

// M/G/1 with the shortest remaining time first (Schrage & Miller 1966): a burst of length x takes
// E T(x) = λ·(∫₀ˣ t² dF + x²·(1−F(x)))/(2(1−ρ(x))²) + ∫₀ˣ dt/(1−ρ(t)).
func TestShortestRemainingTimeIsSchrageMiller(t *testing.T) {
	t.Parallel()
	const lambda = .8
	rho := func(x float64) float64 { return lambda * (1 - math.Exp(-x)*(1+x)) }
	// ∫₀ˣ t² e⁻ᵗ dt = 2 − e⁻ˣ(x²+2x+2); with x²·e⁻ˣ added: 2 − e⁻ˣ(2x+2)
	waiting := integral(0, 40, func(x float64) float64 {
		return math.Exp(-x) * lambda * (2 - math.Exp(-x)*(2*x+2)) / (2 * math.Pow(1-rho(x), 2))
	})
	// ∫ e⁻ˣ ∫₀ˣ dt/(1−ρ(t)) dx = ∫ e⁻ᵗ/(1−ρ(t)) dt
	residence := integral(0, 40, func(x float64) float64 { return math.Exp(-x) / (1 - rho(x)) })
	theoretical(t, oneCore(core.ShortestRemaining, lambda, exponential(1)), core.DefaultClass, waiting+residence)
}

// twoPools is an M/G/1 core with two classes, each with a pool of its own weight.
func twoPools(policy core.CPUPolicy, rates, services, weights [2]float64) core.Model {
	m := core.Model{Name: string(policy), CPU: core.CPU{Cores: 1, Policy: policy}, Sinks: []core.Sink{{ID: "done"}}}
	for i, id := range []string{"first", "second"} {
		m.Classes = append(m.Classes, core.Class{ID: id})
		m.Queues = append(m.Queues, core.Queue{ID: "q" + id, Capacity: core.Unbounded})
		m.Sources = append(m.Sources, core.Source{ID: id, Kind: core.Poisson, Class: id, To: "q" + id, Rate: rates[i]})
		g := server(id, core.Fragment{Class: core.CPUFragment, Demand: exponential(services[i])})
		g.Fragments[0].In = &core.In{Queue: "q" + id}
		m.Graphs = append(m.Graphs, g)
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 300, Weight: weights[i]})
	}
	return m
}

// Preemptive resume priorities (Kleinrock 1976, vol. II, §3.6):
// E Tₖ = E Sₖ/(1−σₖ₋₁) + Σ_{i≤k} λᵢ·E Sᵢ²/(2(1−σₖ₋₁)(1−σₖ)), σₖ the load of the classes up to k.
func TestPreemptivePrioritiesAreKleinrocks(t *testing.T) {
	t.Parallel()
	rates, services := [2]float64{.3, .4}, [2]float64{1, 1.2}
	m := twoPools(core.PreemptivePriority, rates, services, [2]float64{2, 1})
	s1 := rates[0] * services[0]
	s2 := s1 + rates[1]*services[1]
	residual := func(i int) float64 { return rates[i] * 2 * services[i] * services[i] / 2 }
	theoretical(t, m, "first", services[0]+residual(0)/(1-s1))
	theoretical(t, m, "second", services[1]/(1-s1)+(residual(0)+residual(1))/((1-s1)*(1-s2)))
}

// Discriminatory processor sharing of two classes of exponential bursts (Fayolle, Mitrani & Iasnogorodski
// 1980): E T₁ = (1 + μ₁ρ₂(g₂−g₁)/D)/(μ₁(1−ρ)), and so with the classes exchanged, where
// D = μ₁g₁(1−ρ₁) + μ₂g₂(1−ρ₂) and g are the weights.
func TestWeightedProcessorSharingIsFayolleMitraniIasnogorodski(t *testing.T) {
	t.Parallel()
	rates, services, g := [2]float64{.3, .3}, [2]float64{1, 1.4}, [2]float64{4, 1}
	m := twoPools(core.ProcessorSharing, rates, services, g)
	mu := [2]float64{1 / services[0], 1 / services[1]}
	rho := [2]float64{rates[0] / mu[0], rates[1] / mu[1]}
	d := mu[0]*g[0]*(1-rho[0]) + mu[1]*g[1]*(1-rho[1])
	for i, class := range []string{"first", "second"} {
		k := 1 - i
		theoretical(t, m, class, (1+mu[i]*rho[k]*(g[k]-g[i])/d)/(mu[i]*(1-rho[0]-rho[1])))
	}
}
