package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/simulation"
)

// tolerance is by which factor a batch program may use less CPU time in the model than in
// the run, and by which it may take longer: branches are drawn, and cores slower side by
// side. It may use any more: compilers and collectors do. Others on the machine make the
// recorded run longer, never shorter. Convention, sensitivity slight.
const tolerance = 2

// Doubted returns the model with what of the recorded run it does not repeat among the warnings
// that travel with its results, and these doubts: threads that wait for ever, work that is
// not done, time that is not needed. It is what one run can tell of the model's
// structure without any other configuration.
func Doubted(ctx context.Context, m core.Model) (core.Model, []string) {
	doubts := doubtsOf(ctx, m)
	fresh := slices.DeleteFunc(slices.Clone(doubts), func(d string) bool { return slices.Contains(m.Provenance.Warnings, d) })
	if len(fresh) > 0 {
		m.Provenance.Warnings = slices.Concat(fresh, m.Provenance.Warnings)
	}
	return m, doubts
}

// doubtsOf simulates a model as it was recorded and says in sentences what of that is not as
// in the run.
func doubtsOf(ctx context.Context, m core.Model) (doubts []string) {
	r, err := simulate(ctx, m, nil)
	if err != nil {
		return []string{fmt.Sprintf("the model cannot be simulated: %v", err)}
	}
	if why := halts(r); why != "" {
		return []string{"simulated as it was recorded, the model " + why}
	}
	doubts = append(doubts, stuck(ctx, m)...)
	if r.Interrupted || !r.Terminating {
		return doubts
	}
	mean := func(name, of string) float64 {
		i := slices.IndexFunc(r.Metrics, func(x simulation.Metric) bool { return x.Name == name && x.Of == of && x.Stat == "mean" })
		if i < 0 {
			return 0
		}
		return r.Metrics[i].Estimate.Mean
	}
	took, used := recorded(&m)
	t := mean("T", "program")
	if cpu := mean("U", "cpu") * t * float64(m.CPU.Cores); cpu*tolerance < used {
		doubts = append(doubts, fmt.Sprintf("simulated as it was recorded, the program uses %s of CPU time; the run used %s", quantity.Format(cpu, "s"), quantity.Format(used, "s")))
	}
	if took > 0 && t > tolerance*took {
		doubts = append(doubts, fmt.Sprintf("simulated as it was recorded, the program takes %s; the run took %s", quantity.Format(t, "s"), quantity.Format(took, "s")))
	}
	return doubts
}

// halts says why a simulated program did not come to its end; "" if it did.
func halts(r *simulation.Result) string {
	i := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "deadlock:") || strings.HasPrefix(w, "endless:") })
	switch {
	case i >= 0:
		return "stands still: " + short(r.Warnings[i])
	case r.Halted != "":
		return "breaks off: " + short(r.Halted)
	}
	return ""
}

// stuck says of which pools the model has no answer for any other number of threads: with half as many and with twice as many, as
// far as the run supports that, it does not come to its end. A program that did so would not be told how many.
func stuck(ctx context.Context, m core.Model) (doubts []string) {
	for _, p := range m.Parameters {
		if !p.SizesPools() || p.Follows != nil {
			continue
		}
		why := ""
		for _, n := range []float64{math.Floor(p.Default / 2), 2 * p.Default} {
			if n = min(max(n, p.SupportedMin, p.Min), p.SupportedMax, p.Max); n == p.Default || n < 1 {
				continue
			}
			r, err := simulation.Run(ctx, m, map[string]float64{p.Name: n}, simulation.Options{Replications: 1, Budget: repeatBudget, Only: []string{"T"}})
			if err != nil || ctx.Err() != nil {
				return doubts
			}
			if why = halts(r); why == "" {
				break
			}
			why = fmt.Sprintf("simulated with %s %g, the model %s", p.Name, n, why)
		}
		if why != "" {
			doubts = append(doubts, why)
		}
	}
	return doubts
}

// recorded returns how long the main thread was seen, and the CPU time of all threads, s.
func recorded(m *core.Model) (took, used float64) {
	for _, g := range m.Graphs {
		main := slices.ContainsFunc(m.Pools, func(p core.Pool) bool { return p.Main && p.Graph == g.ID })
		for _, f := range g.Fragments {
			n := float64(f.Observed.Count)
			if main {
				took += n * f.Observed.MeanWall
			}
			if f.Class == core.CPUFragment {
				used += n * f.Observed.MeanCPU
			}
		}
	}
	return took, used
}

// named is how many threads that wait for ever are named. Convention, sensitivity slight.
const named = 3

// short leaves out all but the first threads of those that wait.
func short(warning string) string {
	threads := strings.Split(warning, "; ")
	if len(threads) > named {
		threads = append(threads[:named], "and others")
	}
	return strings.Join(threads, "; ")
}
