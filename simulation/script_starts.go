package simulation

import "tierscope/core"

// A thread that is started takes up the walk of one that the same move started in the recording: what the
// threads of a level, a phase or a call do is done in that level, phase or call, however many of them there are.

// starts are the walks that the moves of one walk have started.
type starts struct {
	move  int     // index of the move
	pool  string  // of the threads
	walks []int32 // in the order of their births
}

// startsOf returns what the moves of each walk of a model have started.
func startsOf(m *core.Model, w *core.Walks) [][]starts {
	pools := spawnedPools(m, w)
	children := make([]map[string][]int32, len(w.Threads))
	for i, t := range w.Threads {
		if t.Parent < 0 {
			continue
		}
		if children[t.Parent] == nil {
			children[t.Parent] = map[string][]int32{}
		}
		children[t.Parent][t.Pool] = append(children[t.Parent][t.Pool], int32(i))
	}
	all := make([][]starts, len(w.Threads))
	for i, t := range w.Threads {
		if children[i] != nil {
			all[i] = share(t.Moves, pools[t.Graph], children[i])
		}
	}
	return all
}

// share gives the moves of a walk the threads that it started, in their order. Threads that did nothing have no walk.
func share(moves []core.Move, pools []string, children map[string][]int32) (all []starts) {
	number := func(m core.Move) int64 { return max(m.Amount, 1) }
	total, done := map[string]int64{}, map[string]int64{}
	for _, m := range moves {
		if pool := pools[m.Fragment]; pool != "" {
			total[pool] += number(m)
		}
	}
	for k, m := range moves {
		pool := pools[m.Fragment]
		if pool == "" {
			continue
		}
		n := int64(len(children[pool]))
		first := done[pool] * n / total[pool]
		done[pool] += number(m)
		all = append(all, starts{k, pool, children[pool][first : done[pool]*n/total[pool]]})
	}
	return all
}

// spawnedPools returns the pools of which the fragments of each graph of walks start threads; "": none.
func spawnedPools(m *core.Model, w *core.Walks) [][]string {
	of := map[string]map[string]string{}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		of[g.ID] = map[string]string{}
		for j := range g.Fragments {
			if f := &g.Fragments[j]; f.Spawn != nil {
				of[g.ID][f.ID] = f.Spawn.Pool
			}
		}
	}
	all := make([][]string, len(w.Graphs))
	for i, g := range w.Graphs {
		for _, id := range g.Fragments {
			all[i] = append(all[i], of[g.ID][id])
		}
	}
	return all
}
