package core

import (
	"fmt"
	"math"
)

// Warnings returns what is odd about a valid model without making it wrong:
// fragments that no thread can reach, elements that nothing uses, parameters
// whose default is not what the model says.
func (m *Model) Warnings() []string {
	var warnings []string
	add := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }

	walked, used := map[string]bool{}, map[string]bool{}
	fetched, fed := map[string]bool{}, map[string]bool{}
	for _, s := range m.Sources {
		fed[s.To] = true
	}
	for _, p := range m.Pools {
		walked[p.Graph] = true
		fetched[p.From] = true
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		if !walked[g.ID] {
			add("graph %q: no pool walks it", g.ID)
		}
		reached := g.reachable()
		for j := range g.Fragments {
			f := &g.Fragments[j]
			if !reached[f.ID] {
				add("graph %q: fragment %q: cannot be reached from the entry %q", g.ID, f.ID, g.Entry)
			}
			switch {
			case f.In != nil:
				fetched[f.In.Queue] = true
			case f.Out != nil:
				fed[f.Out.To] = true
			case f.IO != nil:
				used["disk "+f.IO.Disk] = true
			case f.Sync != nil:
				used["lock "+f.Sync.Lock], used["lock "+f.Sync.Monitor] = true, true
				for _, c := range f.Sync.Cases {
					used["lock "+c.Lock] = true
					fed[c.Lock] = fed[c.Lock] || c.Op == Send
					fetched[c.Lock] = fetched[c.Lock] || c.Op == Receive
				}
			}
		}
	}
	for _, q := range m.Queues {
		switch {
		case !fetched[q.ID] && !fed[q.ID]:
			add("queue %q: nothing uses it", q.ID)
		case !fetched[q.ID]:
			add("queue %q: nothing fetches from it, so that its tasks never leave", q.ID)
		case !fed[q.ID]:
			add("queue %q: nothing sends to it, so that whoever fetches from it waits for ever", q.ID)
		}
	}
	for _, s := range m.Sinks {
		if !fed[s.ID] {
			add("sink %q: nothing sends to it", s.ID)
		}
	}
	for _, d := range m.Disks {
		if !used["disk "+d.ID] {
			add("disk %q: nothing uses it", d.ID)
		}
	}
	for _, l := range m.Locks {
		if !used["lock "+l.ID] {
			add("lock %q: nothing uses it", l.ID)
		}
	}
	for _, p := range m.Parameters {
		if p.Follows != nil {
			if leader, ok := m.Parameter(p.Follows.Parameter); ok && differ(p.follower(leader.Default), p.Default) {
				add("parameter %q: the default is %g but it follows %s, which makes it %g", p.Name, p.Default, p.Follows, p.follower(leader.Default))
			}
		}
		for _, t := range p.Targets {
			k, err := m.Lookup(t.Path)
			at := t.Apply(p.Default)
			if k.Integer {
				at = math.Round(at)
			}
			if err == nil && !t.Multiplies && differ(at, k.Value) {
				add("parameter %q: the default %g makes %s %g but the model says %g", p.Name, p.Default, t.Path, at, k.Value)
			}
		}
	}
	return warnings
}

// differ reports whether two numbers are not the same but for rounding.
func differ(a, b float64) bool { return math.Abs(a-b) > 1e-6*math.Max(math.Abs(a), math.Abs(b)) }

// reachable returns the fragments that a thread may execute.
func (g *Graph) reachable() map[string]bool {
	index := make(map[string]*Fragment, len(g.Fragments))
	for i := range g.Fragments {
		index[g.Fragments[i].ID] = &g.Fragments[i]
	}
	seen := map[string]bool{g.Entry: true}
	for queue := []string{g.Entry}; len(queue) > 0; queue = queue[1:] {
		for _, s := range g.Successors(index[queue[0]]) {
			if !seen[s.To] {
				seen[s.To] = true
				queue = append(queue, s.To)
			}
		}
	}
	return seen
}
