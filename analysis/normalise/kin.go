package normalise

import "tierscope/analysis/trace"

// kin tells who started whom, by index.
type kin struct {
	parent []int // −1: nobody of the trace
	depth  []int // how many started each other up to the thread
}

func kinOf(t *trace.Trace) kin {
	index := map[int64]int{}
	for i, th := range t.Threads {
		index[th.ID] = i
	}
	k := kin{make([]int, len(t.Threads)), make([]int, len(t.Threads))}
	for i, th := range t.Threads {
		k.parent[i] = -1
		if p, known := index[th.Parent]; known && (t.Threads[p].Born < th.Born || t.Threads[p].Born == th.Born && p < i) { // never in a circle
			k.parent[i] = p
		}
	}
	for i := range t.Threads {
		var above []int
		at := i
		for ; at >= 0 && k.depth[at] == 0; at = k.parent[at] {
			above = append(above, at)
		}
		depth := 0
		if at >= 0 {
			depth = k.depth[at]
		}
		for j := len(above) - 1; j >= 0; j-- {
			depth++
			k.depth[above[j]] = depth
		}
	}
	return k
}

// up is the thread at a smaller depth that started a thread, or who started it.
func (k kin) up(i, depth int) int {
	for i >= 0 && k.depth[i] > depth {
		i = k.parent[i]
	}
	return i
}

// common is the thread that started all of some, or who started them, and may be one of them; −1: nobody.
func (k kin) common(threads []int) int {
	a := threads[0]
	for _, b := range threads[1:] {
		for a != b && a >= 0 && b >= 0 {
			if k.depth[a] < k.depth[b] {
				b = k.parent[b]
			} else {
				a = k.parent[a]
			}
		}
		if a != b {
			return -1
		}
	}
	return a
}
