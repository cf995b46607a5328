//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"

	"tierscope/core"
)

// differences says in which ways a model is not that of the program.
func (p *program) differences(m *core.Model) (out []string) {
	if sizes := p.poolSizes(m); !slices.Equal(sizes, p.Pools) {
		out = append(out, fmt.Sprintf("pools of %v threads, not %v", sizes, p.Pools))
	}
	if p.Queues >= 0 && len(m.Queues) != p.Queues {
		out = append(out, fmt.Sprintf("%d queues, not %d", len(m.Queues), p.Queues))
	}
	for _, kind := range p.Locks {
		if !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return string(l.Kind) == kind }) {
			out = append(out, "no "+kind)
		}
	}
	if absent := p.absent(m); len(absent) > 0 {
		out = append(out, "no knob "+strings.Join(absent, ", "))
	}
	return out
}

// poolSizes are the sizes of the pools of several threads, ascending, without those that may be of a thread for each piece of work.
func (p *program) poolSizes(m *core.Model) (sizes []int) {
	missing, each := slices.Clone(p.Pools), p.Each
	var others []core.Pool
	for _, g := range m.Pools {
		if i := slices.Index(missing, g.Size); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			sizes = append(sizes, g.Size)
		} else if g.Size > 1 {
			others = append(others, g)
		}
	}
	for _, g := range others {
		if each == 0 || g.Kind != core.SpawnPool {
			sizes = append(sizes, g.Size)
			continue
		}
		each--
	}
	slices.Sort(sizes)
	return sizes
}

// absent are the knobs that the model should have and has not.
func (p *program) absent(m *core.Model) []string {
	return slices.DeleteFunc(slices.Clone(p.Knobs), func(k string) bool { return knob(m, k) })
}

// found counts the knobs of the program that the model has.
func (p *program) found(m *core.Model) (n int) {
	for _, k := range slices.Concat(p.Knobs, p.Other) {
		if knob(m, k) {
			n++
		}
	}
	return n
}

// knob reports whether a model has a parameter of that name.
func knob(m *core.Model, name string) bool {
	_, has := m.Parameter(name)
	return has
}
