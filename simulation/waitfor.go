package simulation

import (
	"fmt"

	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// waitsFor is the wait-for graph of a replication (Coffman, Elphick & Shoshani
// 1971): an edge leads from a thread to each of those that hold the lock that it waits
// for, and that must all leave it first. A thread with a timeout has no edge, nor
// one that waits for what anybody may give: a task, a permit, a notification.
type waitsFor map[int32][]int32

// waitForGraph draws the graph of the present moment.
func (r *replica) waitForGraph() waitsFor {
	g := waitsFor{}
	for t, th := range r.threads {
		if th.at == none || th.source != none || th.burden != none || th.waitsFor == none || th.timer != (des.Timer{}) {
			continue
		}
		r.copies[th.waitsFor].lock.Holders(func(h resource.Thread) bool {
			g[int32(t)] = append(g[int32(t)], int32(h))
			return true
		})
	}
	return g
}

// prune leaves the threads from which a cycle can be reached: whoever waits for one that is
// in a cycle waits for ever. What remains without a cycle is nothing.
func (g waitsFor) prune() {
	behind := map[int32][]int32{} // from a thread to those that wait for it
	ways := map[int32]int{}       // edges of a thread to threads that are left
	for t, holders := range g {
		for _, h := range holders {
			if _, waits := g[h]; waits {
				behind[h] = append(behind[h], t)
				ways[t]++
			}
		}
	}
	var free []int32
	for t := range g {
		if ways[t] == 0 {
			free = append(free, t)
		}
	}
	for ; len(free) > 0; free = free[1:] {
		delete(g, free[0])
		for _, t := range behind[free[0]] {
			if ways[t]--; ways[t] == 0 {
				free = append(free, t)
			}
		}
	}
}

// cycle returns the cycle that is reached from a thread of a pruned graph, by way of
// the lowest numbers.
func (g waitsFor) cycle(t int32) []int32 {
	seen := map[int32]int{}
	var path []int32
	for {
		if at, again := seen[t]; again {
			return path[at:]
		}
		seen[t] = len(path)
		path = append(path, t)
		next := none
		for _, h := range g[t] {
			if _, waits := g[h]; waits && (next == none || h < next) {
				next = h
			}
		}
		t = next
	}
}

// knot describes the threads that wait for each other in a cycle while others go on; "" if
// none do.
func (r *replica) knot() string {
	g := r.waitForGraph()
	if g.prune(); len(g) == 0 {
		return ""
	}
	first := int32(len(r.threads))
	for t := range g {
		first = min(first, t)
	}
	cycle := g.cycle(first)
	text := "deadlock: " + r.describe(cycle, " ← ")
	if others := len(g) - len(cycle); others > 0 {
		text += fmt.Sprintf("; threads that wait for them: %d", others)
	}
	return text
}

// checkMain ends a program whose main thread waits in, or for, a cycle of threads: it would never
// end by itself while others go round.
func (r *replica) checkMain() {
	if !r.hasMain || r.finished {
		return
	}
	g := r.waitForGraph()
	g.prune()
	for t := range g {
		if r.program.pools[r.threads[t].pool].main {
			r.warnings = append(r.warnings, r.knot())
			r.halted = true
			r.finish()
			return
		}
	}
}
