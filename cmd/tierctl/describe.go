package main

import (
	"fmt"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
)

// The functions of this file put one element of a model into a few words.

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func load(s *core.Source) string {
	switch s.Kind {
	case core.Closed:
		return fmt.Sprintf("%d users, think %s", s.Population, quantity.Format(s.Think.Expectation(), "s"))
	case core.Batch:
		return fmt.Sprintf("%d tasks", s.Count)
	default:
		return quantity.Format(s.MeanRate(), "1/s")
	}
}

func capacity(q core.Queue) string {
	if q.Capacity == core.Unbounded {
		return "unbounded"
	}
	return fmt.Sprintf("capacity %d, %s when full", q.Capacity, or(string(q.WhenFull), string(core.Block)))
}

func threads(p core.Pool) string {
	switch {
	case p.Kind == core.TaskPool:
		return "a thread for each task of " + p.From
	case p.Limit > 0:
		return fmt.Sprintf("%d threads, at most %d", p.Size, p.Limit)
	default:
		return fmt.Sprintf("%d threads", p.Size)
	}
}

// summary says what a fragment does.
func summary(f *core.Fragment) string {
	scale := ""
	if f.Scale != 0 && f.Scale != 1 {
		scale = fmt.Sprintf(" × %g", f.Scale)
	}
	switch {
	case f.Class == core.CPUFragment:
		return quantity.Format(f.Demand.Expectation(), "s") + " of CPU" + scale
	case f.Class == core.DelayFragment:
		return quantity.Format(f.Delay.Expectation(), "s") + scale
	case f.IO != nil:
		var parts []string
		for _, r := range f.IO.Requests {
			parts = append(parts, fmt.Sprintf("%.3g %s", r.Count.Expectation(), r.Type))
		}
		return strings.Join(parts, ", ") + " on " + f.IO.Disk + scale
	case f.Sync != nil && f.Sync.Op == core.Select:
		return fmt.Sprintf("select of %d", len(f.Sync.Cases))
	case f.Sync != nil:
		return string(f.Sync.Op) + " " + f.Sync.Lock
	case f.In != nil:
		return "from " + f.In.Queue
	case f.Out != nil:
		return "to " + f.Out.To
	case f.Loop != nil:
		most := ""
		if f.Loop.Limited {
			most = "at most "
		}
		return fmt.Sprintf("%s%.4g × %s", most, f.Loop.Count.Expectation(), f.Loop.Body)
	case f.Spawn != nil:
		return "start " + f.Spawn.Pool
	case f.Join != nil:
		return "wait for " + f.Join.Pool
	}
	return ""
}

// next lists the successors of a fragment with their probabilities.
func next(g *core.Graph, f *core.Fragment) string {
	var parts []string
	for _, s := range g.Successors(f) {
		if f.Loop != nil && s.To == f.Loop.Body {
			continue
		}
		p := s.Probability
		if f.Loop != nil {
			p *= f.Loop.Count.Expectation() + 1
		}
		if p > 1-1e-9 {
			parts = append(parts, s.To)
		} else {
			parts = append(parts, fmt.Sprintf("%s %.3g", s.To, p))
		}
	}
	if len(parts) == 0 {
		return "→ end"
	}
	return "→ " + strings.Join(parts, " | ")
}
