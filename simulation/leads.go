package simulation

import (
	"slices"

	"tierscope/core"
)

// Of threads that meet again and again, one may do something for all before they meet, or behind it: the action of a barrier, what
// its last or its serial thread does. With fewer threads than in the recording somebody still does it, and with more not twice:
//
//	recorded: t0 work │ work+swap │ work         2 threads: t0 work │ work+swap │ work+swap
//	          t1 work │ work      │ work                    t1 work │ work      │ work
//	          t2 work │ work      │ work+swap
//
// So the rounds in which threads that are not there did it are those of others, who leave theirs out, and a thread that follows
// another one's walk leaves out what that one does for all.

// rounded is what the threads of a team do from one meeting to the next.
type rounded [][][]core.Move // by thread, by round

// roundedOf cuts the walks of threads behind the barriers at which all of them meet, in one order; nil: there are none.
func roundedOf(m *core.Model, w *core.Walks, team []int32) rounded {
	meets := map[int32]bool{}
	for o, x := range w.Objects {
		k := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.ID == x.Of })
		meets[int32(o)] = k >= 0 && m.Locks[k].Kind == core.Barrier && awaitedByAll(w, team, int32(o))
	}
	var all rounded
	var order []int32
	for n, i := range team {
		var rounds [][]core.Move
		var met []int32
		begin := 0
		for k, x := range w.Threads[i].Moves {
			if x.Object >= 0 && meets[x.Object] {
				rounds, met, begin = append(rounds, w.Threads[i].Moves[begin:k+1]), append(met, x.Object), k+1
			}
		}
		if n == 0 {
			order = met
		}
		if len(met) == 0 || !slices.Equal(met, order) {
			return nil
		}
		all = append(all, append(rounds, w.Threads[i].Moves[begin:]))
	}
	return all
}

// awaitedByAll reports whether all threads of a team come to an object equally often.
func awaitedByAll(w *core.Walks, team []int32, object int32) bool {
	times := -1
	for _, i := range team {
		n := 0
		for _, x := range w.Threads[i].Moves {
			if x.Object == object {
				n++
			}
		}
		if n == 0 || times >= 0 && n != times {
			return false
		}
		times = n
	}
	return true
}

// leads returns, by round, which thread alone does something that no two threads do in one round, less than 0: none does, or several do.
func (r rounded) leads() []int {
	const nobody, different = -1, -2
	by := make([]map[int32]int, len(r[0])) // by round and fragment: the thread that visits it
	several := map[int32]bool{}            // fragments that more than one thread visits in a round
	for k := range by {
		by[k] = map[int32]int{}
		for i := range r {
			for _, x := range r[i][k] {
				if was, visited := by[k][x.Fragment]; visited && was != i {
					several[x.Fragment] = true
				}
				by[k][x.Fragment] = i
			}
		}
	}
	leads := make([]int, len(by))
	for k := range by {
		leads[k] = nobody
		for f, i := range by[k] {
			switch {
			case several[f]:
			case leads[k] == nobody || leads[k] == i:
				leads[k] = i
			default:
				leads[k] = different
			}
		}
	}
	return leads
}

// led reports whether one thread of some team of a pool does something for all.
func led(m *core.Model, w *core.Walks, pool string) bool {
	for _, team := range teamsOf(w, pool, startsOf(m, w)) {
		if r := roundedOf(m, w, team); r != nil && len(team) > 1 && slices.ContainsFunc(r.leads(), func(i int) bool { return i >= 0 }) {
			return true
		}
	}
	return false
}

// keepLeads returns walks in which the first n threads of a team do what one of it does for all.
func keepLeads(m *core.Model, w *core.Walks, pool string, recorded, threads int) *core.Walks {
	if threads >= recorded {
		return w
	}
	out := &core.Walks{Graphs: w.Graphs, Objects: w.Objects, Threads: slices.Clone(w.Threads)}
	for _, team := range teamsOf(w, pool, startsOf(m, w)) {
		r := roundedOf(m, w, team)
		if r == nil || slices.ContainsFunc(w.Threads, func(t core.Walk) bool { return slices.Contains(team, t.Parent) }) {
			continue
		}
		n := inPlaceOf(len(team), recorded, threads)
		for k, i := range r.leads() {
			if i >= n {
				r[i%n][k], r[i][k] = r[i][k], r[i%n][k]
			}
		}
		for at, i := range team {
			out.Threads[i].Moves = slices.Concat(r[at]...)
		}
	}
	return out
}

// withoutLeads returns what each thread of a team does, but in rounds in which it does something for all what the next one does.
func withoutLeads(m *core.Model, w *core.Walks, team []int32) [][]core.Move {
	all := make([][]core.Move, len(team))
	r := roundedOf(m, w, team)
	if r == nil || len(team) < 2 {
		for at, i := range team {
			all[at] = w.Threads[i].Moves
		}
		return all
	}
	for k, lead := range r.leads() {
		for at := range all {
			does := at
			if lead == at {
				does = (at + 1) % len(team)
			}
			all[at] = append(all[at], r[does][k]...)
		}
	}
	return all
}
