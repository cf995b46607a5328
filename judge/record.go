package judge

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/measure/table"
)

// folder is where a project keeps the checks.
var folder = filepath.Join("analysis", "checks")

// Limits of what checks may cost.
const (
	repeats  = 3                // of each configuration, if patience allows. Theory: a median of three bears one outlier
	patience = 20 * time.Second // of one run, and of the repeats of one set. Convention: an analyst waits for the analysis
	mostSets = 2                // of thread counts that are tried. Convention
	longest  = 3.0              // s of load in one run of a server. Convention: twelve runs are less than a minute
	more     = 1.5              // of the recorded load, and half of it. Convention: the range that evidence supports is wider
)

// set is the checks of one parameter: its other value, on all cores and on one.
type set struct {
	name string
	axes []measure.Axis
}

// sets lists what is to be run: for each number of threads that the program can be given half of it,
// or one more where half is beyond the evidence, or, where it has none, of those that are let in at once; one core; and of a server another load.
func sets(m *core.Model) []set {
	load := loads(m)
	out := load
	cores := coresAxis(m)
	for _, p := range parallelism(m) {
		if len(out) == mostSets {
			break
		}
		least, most := evidence(p)
		other := float64(int(p.Default) / 2)
		if other < least {
			other = p.Default + 1
		}
		if other > most {
			continue
		}
		s := set{name: p.Name, axes: []measure.Axis{measure.AxisOf(m, p.Name, []float64{other})}}
		switch {
		case load != nil:
			s.axes[0].Base = nil // it is among those of the load
		case len(out) == 0:
			s.axes = append(s.axes, cores...)
		}
		out = append(out, s)
	}
	if len(out) == 0 && len(cores) > 0 {
		out = append(out, set{name: "cores", axes: cores})
	}
	return out
}

// evidence are the least and the largest value of a parameter of which a grade speaks.
func evidence(p core.Parameter) (least, most float64) {
	least, most = max(p.Min, p.SupportedMin, 1), p.Max
	if p.SupportedMax > 0 {
		most = min(most, p.SupportedMax)
	}
	return least, most
}

// parallelism are the parameters by which the program can be told how much to do at a time.
func parallelism(m *core.Model) (ps []core.Parameter) {
	for _, says := range []func(core.Parameter) bool{core.Parameter.SizesPools, core.Parameter.LimitsThreads} {
		for _, p := range m.Parameters {
			if says(p) && p.How != "" && p.Follows == nil {
				ps = append(ps, p)
			}
		}
		if len(ps) > 0 {
			break
		}
	}
	return ps
}

// loads lists other loads of a server.
func loads(m *core.Model) []set {
	for _, p := range m.Parameters {
		switch measure.HowOf(m, p.Name) {
		case measure.HowRate:
			return []set{{name: p.Name, axes: []measure.Axis{measure.AxisOf(m, p.Name, []float64{p.Default / 2, more * p.Default})}}}
		case measure.HowConnections:
			return []set{{name: p.Name, axes: []measure.Axis{measure.AxisOf(m, p.Name, []float64{max(float64(int(p.Default/2)), 1), float64(int(more*p.Default)) + 1})}}}
		}
	}
	return nil
}

// coresAxis is one core and as many as there were; none if there was one.
func coresAxis(m *core.Model) []measure.Axis {
	for _, p := range m.Parameters {
		for _, t := range p.Targets {
			if t.Path == "cpu/cores" && p.Default > 1 {
				return []measure.Axis{measure.AxisOf(m, p.Name, []float64{1, p.Default})}
			}
		}
	}
	return nil
}

// Record runs the program of an analysed project and keeps what it took, in place of what was kept.
// Only a program that ends by itself can be checked, and a server that Tierscope gives its load.
func Record(ctx context.Context, dir string, w trace.Workload, m *core.Model, report func(fact string)) error {
	if len(m.Sources) > 0 != (w.Load != nil) || w.Timeout > 0 {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil { // of another recording
		return err
	}
	atMost, first := patience, 1
	if w.Load != nil {
		if runtimes.OfProgram(w.Program).Warm {
			atMost += hotspot.Patience
		} else {
			first = repeats // each is short
		}
		shorter := *w.Load
		shorter.Duration = min(shorter.Duration, longest)
		w.Load = &shorter
		atMost += time.Duration((shorter.Warmup + shorter.Duration) * float64(time.Second))
	}
	for _, s := range sets(m) {
		c := measure.Campaign{Workload: w, Axes: s.axes, Timeout: atMost}
		if err := c.Check(); err != nil {
			return err
		}
		if err := rounds(ctx, c, first, patience, filepath.Join(dir, folder, s.name+".csv"), report); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rounds runs every configuration of a campaign first times, and up to repeats times if another round of them is within the time.
func rounds(ctx context.Context, c measure.Campaign, first int, within time.Duration, path string, report func(fact string)) error {
	began := time.Now()
	for c.Repeats = first; ; c.Repeats++ {
		if _, err := c.Record(ctx, path, "checks of the analysis", func(p measure.Progress) { report(p.Fact) }); err != nil {
			return err
		}
		took := time.Since(began)
		if c.Repeats >= repeats || ctx.Err() != nil || took+took/time.Duration(c.Repeats) > within {
			return nil
		}
	}
}

// recorded returns the checks that a project keeps.
func recorded(dir string) ([]*table.Table, error) {
	paths, err := filepath.Glob(filepath.Join(dir, folder, "*.csv"))
	if err != nil {
		return nil, err
	}
	var out []*table.Table
	for _, path := range paths {
		t, err := measure.Open(path)
		if err != nil {
			return nil, err
		}
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}
