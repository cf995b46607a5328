package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// leastShare is the share of the work below which a resource is not tried: 30 %
// of it less would not be seen.
const leastShare = 0.005

// candidates lists what could be faster: the cores, every disk, pool and used
// lock, bounded queues that lose tasks or make senders wait, and the pieces of
// code that take most time.
func candidates(m *core.Model, base *simulation.Result, o Options) []Candidate {
	all := []Candidate{{Kind: CPU, Of: "cpu", Label: fmt.Sprintf("CPU (%d cores)", m.CPU.Cores), path: "cpu/speed"}}
	if k, ok := setting(m, o.Settings, "cpu/cores"); ok {
		all[0].Label = plural(int(k), "CPU (%d core)", "CPU (%d cores)")
	}
	for _, d := range m.Disks {
		all = append(all, Candidate{Kind: Disk, Of: "disk/" + d.ID, Label: Label("disk/" + d.ID), path: "disks/" + d.ID + "/speed"})
	}
	for _, l := range m.Locks {
		path := "locks/" + l.ID + "/speed_up"
		if _, err := m.Lookup(path); err == nil {
			all = append(all, Candidate{Kind: Lock, Of: "lock/" + l.ID, Label: Label("lock/" + l.ID), path: path})
		}
	}
	for _, p := range m.Pools {
		field := "/size"
		if p.Kind == core.TaskPool || p.Kind == core.SpawnPool && p.Limit > 0 {
			field = "/limit"
		}
		if (p.Kind != core.TaskPool && p.Kind != core.SpawnPool || p.Limit > 0) && turns(m, "pools/"+p.ID+"/") {
			all = append(all, Candidate{Kind: Pool, Of: "pool/" + p.ID, Label: Label("pool/" + p.ID), path: "pools/" + p.ID + field})
		}
	}
	for _, q := range m.Queues {
		if q.Capacity > 0 {
			all = append(all, Candidate{Kind: Queue, Of: "queue/" + q.ID, Label: Label("queue/" + q.ID), path: "queues/" + q.ID + "/capacity"})
		}
	}
	all = slices.DeleteFunc(all, func(c Candidate) bool { return c.Of != "cpu" && !used(base, c) })
	all = append(all, code(m, base, o.Candidates)...)
	for i := range all {
		all[i].describe(base)
	}
	return all
}

// turns reports whether a parameter turns something beneath a path: what the
// program fixes, such as that it has one main thread, cannot be made larger. A model
// without parameters says nothing of that.
func turns(m *core.Model, under string) bool {
	return len(m.Parameters) == 0 || slices.ContainsFunc(m.Parameters, func(p core.Parameter) bool {
		return slices.ContainsFunc(p.Targets, func(t core.Target) bool { return strings.HasPrefix(t.Path, under) })
	})
}

// setting returns the value of a path in a configuration.
func setting(m *core.Model, settings map[string]float64, path string) (float64, bool) {
	configured, err := m.With(settings)
	if err != nil {
		return 0, false
	}
	k, err := configured.Lookup(path)
	return k.Value, err == nil
}

// used reports whether a faster resource could make a difference: it is busy,
// or somebody waits for it.
func used(base *simulation.Result, c Candidate) bool {
	for _, name := range []string{"U", "Q", "D"} {
		m, ok := base.Find(name + " " + c.Of + " mean")
		if !ok || !(m.Estimate.Mean > 0) {
			continue
		}
		if c.Kind == Queue && name == "Q" {
			continue // it fills because of what takes from it; only its bound matters
		}
		if m.Estimate.Mean >= leastShare {
			return true
		}
	}
	return c.Kind == Queue && base.Unstable
}

// code lists the pieces of code that take most time per task: groups of
// fragments where the model has them (a function, say), single fragments
// otherwise.
func code(m *core.Model, base *simulation.Result, most int) []Candidate {
	times := map[string]float64{}
	paths := map[string]string{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class != core.CPUFragment && f.Class != core.DelayFragment {
				continue
			}
			of, path := "fragment/"+g.ID+"/"+f.ID, "graphs/"+g.ID+"/fragments/"+f.ID+"/scale"
			e, ok := base.Find("E " + of + " mean")
			x, okX := base.Find("X " + of + " mean")
			if f.Group != "" {
				of, path = "group/"+g.ID+"/"+f.Group, "graphs/"+g.ID+"/groups/"+f.Group+"/scale"
			}
			if ok && okX && e.Estimate.Mean > 0 {
				times[of] += e.Estimate.Mean * x.Estimate.Mean
				paths[of] = path
			}
		}
	}
	total := 0.0
	var list []Candidate
	for of, t := range times {
		total += t
		label := Label(of)
		if len(m.Graphs) > 1 {
			graph, _, _ := strings.Cut(strings.SplitN(of, "/", 2)[1], "/")
			label += " in " + graph
		}
		list = append(list, Candidate{Kind: Code, Of: of, Label: label, path: paths[of]})
	}
	slices.SortFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(times[b.Of], times[a.Of]), cmp.Compare(a.Of, b.Of))
	})
	list = slices.DeleteFunc(list, func(c Candidate) bool { return times[c.Of] < leastShare*total })
	list = list[:min(len(list), most)]
	if x := throughput(base); x > 0 {
		for i := range list {
			perTask := times[list[i].Of] / x
			list[i].TimePerTask = &perTask
		}
	}
	return list
}

// throughput is the number of tasks of all classes that complete per second.
func throughput(r *simulation.Result) float64 {
	sum := 0.0
	for _, m := range r.Metrics {
		if m.Name == "X" && strings.HasPrefix(m.Of, "class/") && m.Estimate.Mean > 0 {
			sum += m.Estimate.Mean
		}
	}
	return sum
}

// describe copies what the baseline shows of the resource.
func (c *Candidate) describe(base *simulation.Result) {
	get := func(name string) *output.Estimate {
		if m, ok := base.Find(name + " " + c.Of + " mean"); ok {
			e := m.Estimate
			return &e
		}
		return nil
	}
	c.Utilization, c.Queue = get("U"), get("Q")
	if x := throughput(base); x > 0 && c.Queue != nil {
		wait := c.Queue.Mean / x // Little's law, per task of any class
		c.WaitPerTask = &wait
	}
}

// effect returns the speed-up of the candidate by the share x, not yet
// simulated.
func (c *Candidate) effect(m *core.Model, settings map[string]float64, x float64) (Effect, error) {
	var now, then float64
	changed, now, err := with(m, settings, c.path, func(now float64) float64 {
		switch c.Kind {
		case Code:
			then = now * (1 - x)
		case Pool, Queue:
			then = math.Max(math.Round(now/(1-x)), now+1)
		default:
			then = now / (1 - x)
		}
		return then
	})
	if err != nil {
		return Effect{}, err
	}
	return Effect{Faster: x, Change: c.change(now, then), Settings: changed}, nil
}

// change says what the speed-up does.
func (c *Candidate) change(now, then float64) string {
	switch c.Kind {
	case Pool:
		return fmt.Sprintf("%g → %g threads", now, then)
	case Queue:
		return fmt.Sprintf("%g → %g places", now, then)
	case Code:
		return "time × " + units.Digits(then/now, 2)
	default:
		return "speed × " + units.Digits(then/now, 3)
	}
}

// Label names the Of of a metric as a person would: "disk sda", "pool worker".
func Label(of string) string {
	kind, id, _ := strings.Cut(of, "/")
	switch kind {
	case "cpu":
		return "CPU"
	case "fragment", "group":
		_, name, found := strings.Cut(id, "/")
		if !found {
			return id
		}
		return name
	case "class", "program":
		return strings.TrimPrefix(id, "/")
	default:
		return kind + " " + id
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(many, n)
}
