package diagram

import (
	"fmt"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
)

// The functions of this file put an element of a model into a title and a
// line of detail.

func sourceDetail(s *core.Source) string {
	switch s.Kind {
	case core.Closed:
		return fmt.Sprintf("%d users, think %s", s.Population, quantity.Format(s.Think.Expectation(), "s"))
	case core.Batch:
		return quantity.Count(int64(s.Count)) + " tasks"
	case core.Poisson, core.Deterministic, core.Renewal, core.Replay:
	}
	return quantity.Format(s.MeanRate(), "1/s") + ", " + string(s.Kind)
}

func queueDetail(q *core.Queue) string {
	words := []string{}
	switch {
	case q.Capacity == core.Unbounded:
		words = append(words, "unbounded")
	case q.Capacity == 0:
		words = append(words, "hand-off")
	default:
		words = append(words, fmt.Sprintf("room for %d", q.Capacity))
	}
	if q.Discipline != "" && q.Discipline != core.FIFO {
		words = append(words, string(q.Discipline))
	}
	if q.WhenFull != "" && q.WhenFull != core.Block {
		words = append(words, string(q.WhenFull)+" when full")
	}
	return strings.Join(words, ", ")
}

func poolDetail(p *core.Pool) string {
	switch {
	case p.Kind == core.TaskPool:
		return "a thread per task"
	case p.Kind == core.SpawnPool:
		return "started by the program"
	}
	return quantity.Plural(p.Size, "thread")
}

func lockDetail(l *core.Lock) string {
	words := []string{string(l.Kind)}
	switch {
	case l.Parties > 0:
		words = append(words, fmt.Sprintf("%d parties", l.Parties))
	case l.Permits > 0:
		words = append(words, quantity.Plural(l.Permits, "permit"))
	}
	if l.Instances > 1 {
		words = append(words, quantity.Plural(l.Instances, "stripe"))
	}
	return strings.Join(words, ", ")
}

func cpuDetail(c *core.CPU) string {
	policy := string(c.Policy)
	if policy == "" {
		policy = string(core.EEVDF)
	}
	return quantity.Plural(c.Cores, "core") + ", " + policy
}

func diskDetail(d *core.Disk) string {
	order := string(d.Order)
	if order == "" {
		order = string(core.DiskFIFO)
	}
	return fmt.Sprintf("%s, depth %d", order, max(d.Depth, 1))
}

// operation is the word for a synchronization in a title.
func operation(op core.SyncOp) string { return strings.ReplaceAll(string(op), "_", " ") }

// FragmentTitle names a fragment: what it does to what, or the function in
// which it was found.
func FragmentTitle(f *core.Fragment) string {
	switch {
	case f.Sync != nil && f.Sync.Op == core.Select:
		return "select"
	case f.Sync != nil && f.Sync.Lock != "":
		return operation(f.Sync.Op) + " " + f.Sync.Lock
	case f.Sync != nil:
		return operation(f.Sync.Op)
	case f.In != nil:
		return "from " + f.In.Queue
	case f.Out != nil:
		return "to " + f.Out.To
	case f.Spawn != nil:
		return "start " + f.Spawn.Pool
	case f.Join != nil:
		return "join " + f.Join.Pool
	case f.IO != nil:
		return name(f) + " on " + f.IO.Disk
	}
	return name(f)
}

// name is the place in the text, where the fragment is called after it ("cpu main:66→68"), the short
// name of the function, or the fragment's own.
func name(f *core.Fragment) string {
	if place, ok := strings.CutPrefix(f.ID, string(core.CPUFragment)+" "); ok {
		return place
	}
	if f.Origin.Function == "" || strings.HasPrefix(f.ID, string(f.Class)+" ") {
		return f.ID
	}
	s := f.Origin.Function
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return s
}

// FragmentDetail says what one execution of a fragment costs.
func FragmentDetail(f *core.Fragment) string {
	scale := ""
	if f.Scale != 0 && f.Scale != 1 {
		scale = " × " + quantity.Digits(f.Scale, 3)
	}
	switch {
	case f.Class == core.CPUFragment:
		return quantity.Format(f.Demand.Expectation(), "s") + " CPU" + scale
	case f.Class == core.DelayFragment:
		return quantity.Format(f.Delay.Expectation(), "s") + " delay" + scale
	case f.IO != nil:
		var words []string
		for _, r := range f.IO.Requests {
			words = append(words, quantity.Digits(r.Count.Expectation(), 3)+" "+r.Type)
		}
		return strings.Join(words, " + ") + scale
	case f.Loop != nil && f.Loop.Gathered:
		return "once for each task taken"
	case f.Loop != nil && f.Loop.Limited:
		return "n ≤ " + quantity.Digits(f.Loop.Count.Expectation(), 3)
	case f.Loop != nil:
		return "n = " + quantity.Digits(f.Loop.Count.Expectation(), 3)
	case f.Sync != nil && f.Sync.Op == core.Select:
		return fmt.Sprintf("%d cases", len(f.Sync.Cases))
	case f.Sync != nil && f.Sync.Timeout.Kind == core.Constant && f.Sync.Timeout.Value == 0:
		return "only if free at once"
	case f.Sync != nil && !f.Sync.Timeout.IsZero():
		return "waits " + quantity.Format(f.Sync.Timeout.Expectation(), "s")
	case f.In != nil && !f.In.Timeout.IsZero() && f.In.Timeout.Expectation() > 0:
		return "waits " + quantity.Format(f.In.Timeout.Expectation(), "s")
	}
	return ""
}

func probability(p float64) string {
	if p >= 0.9995 {
		return ""
	}
	return quantity.Digits(p, 2)
}
