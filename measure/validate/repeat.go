package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tierscope/analysis"
	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation"
)

// How a model is asked whether it repeats the run that it was made from.
const (
	repeats      = 5
	repeatBudget = 20 * time.Second

	// tolerance is by which factor a batch program may use less CPU time in the model than in
	// the run, and by which it may take longer: branches are drawn, and cores slower side by
	// side. It may use any more: compilers and collectors do. Others on the machine make the
	// recorded run longer, never shorter.
	tolerance = 2
)

// Repeat simulates a model as it was recorded and says in sentences what of that is not as
// in the run: threads that wait for ever, work that is not done, time that is not needed.
// It is what one run can tell of the model's structure without any other configuration.
func Repeat(ctx context.Context, m core.Model) (doubts []string) {
	r, err := simulation.Run(ctx, m, nil, simulation.Options{Replications: repeats, Budget: repeatBudget})
	if err != nil {
		return []string{fmt.Sprintf("the model cannot be simulated: %v", err)}
	}
	if i := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "deadlock:") || strings.HasPrefix(w, "endless:") }); i >= 0 {
		doubts = append(doubts, "simulated as it was recorded, the model stands still: "+short(r.Warnings[i]))
	} else if r.Halted != "" {
		doubts = append(doubts, "simulated as it was recorded, the model breaks off: "+short(r.Halted))
	}
	if len(doubts) > 0 || r.Interrupted || !r.Terminating {
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
		doubts = append(doubts, fmt.Sprintf("simulated as it was recorded, the program uses %s of CPU time; the run used %s", units.Format(cpu, "s"), units.Format(used, "s")))
	}
	if took > 0 && t > tolerance*took {
		doubts = append(doubts, fmt.Sprintf("simulated as it was recorded, the program takes %s; the run took %s", units.Format(t, "s"), units.Format(took, "s")))
	}
	return doubts
}

// Response simulates a model as it was recorded and returns the response time of the tasks of
// its first source; zero if none was answered.
func Response(ctx context.Context, m core.Model) (answered analysis.ResponseTime) {
	r, err := simulation.Run(ctx, m, nil, simulation.Options{Replications: repeats, Budget: repeatBudget})
	if err != nil || r.Interrupted || len(m.Sources) == 0 {
		return answered
	}
	of := "class/" + m.Sources[0].Class
	for _, x := range r.Metrics {
		switch {
		case x.Name != "R" || x.Of != of:
		case x.Stat == "p50":
			answered.Median = x.Estimate.Mean
		case x.Stat == "mean":
			answered.Mean = x.Estimate.Mean
		}
	}
	return answered
}

// ProgramCPU simulates a model as it was recorded and returns the CPU time of the program's
// threads, without background work, in s.
func ProgramCPU(m core.Model) (float64, error) {
	r, err := simulation.Run(context.Background(), m, nil, simulation.Options{Replications: repeats, Budget: repeatBudget})
	if err != nil {
		return 0, err
	}
	took, cores := 0.0, 0.0
	for _, x := range r.Metrics {
		switch mean := x.Estimate.Mean; {
		case x.Stat != "mean":
		case x.Name == "T":
			took = mean
		case x.Name == "U" && x.Of == "cpu":
			cores += mean * float64(m.CPU.Cores)
		case x.Name == "N" && strings.HasPrefix(x.Of, "background/"):
			cores -= mean
		}
	}
	if r.Interrupted || !(took > 0) {
		return 0, fmt.Errorf("it did not come to its end %d times within %v", repeats, repeatBudget)
	}
	return took * cores, nil
}

// named is how many threads that wait for ever are named.
const named = 3

// short leaves out all but the first threads of those that wait.
func short(warning string) string {
	threads := strings.Split(warning, "; ")
	if len(threads) > named {
		threads = append(threads[:named], "and others")
	}
	return strings.Join(threads, "; ")
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
