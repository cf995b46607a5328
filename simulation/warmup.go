package simulation

import (
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/processor"
)

// warming is how far the compilers of a program are with their stages. What a stage
// consists of is many methods: one that is begun is left for another whose code costs
// the program more, when the time of that has come.
type warming struct {
	came   int        // stages whose time has come
	left   []des.Time // CPU time of each stage that no thread has taken yet,
	shared []int      // and threads that are at work on what was taken
	at     []int32    // the stage that each thread is at work on, none if it has nothing to do
}

func newWarming(def *backgroundDef, threads int) warming {
	w := warming{left: make([]des.Time, len(def.Stages)), shared: make([]int, len(def.Stages)), at: slices.Repeat([]int32{none}, threads)}
	for i, s := range def.Stages {
		w.left[i] = max(1, des.Seconds(s.Demand*orOne(def.Scale)))
	}
	return w
}

// worth is by how much longer the program's threads compute as stage i is not done.
func worth(stages []core.Stage, i int) processor.Slowness {
	w := processor.Slowness{Alone: stages[i].Slowdown, Company: stages[i].Company}
	if i+1 < len(stages) {
		w.Alone -= stages[i+1].Slowdown
		w.Company -= stages[i+1].Company
	}
	return w
}

// next is the stage that is worth most, of those whose time has come and that something is left of; none if there is none.
func (w *warming) next(stages []core.Stage) int32 {
	best, most := int32(none), 0.0
	for i := range w.came {
		if w.left[i] == 0 {
			continue
		}
		if v := worth(stages, i); best == none || v.Alone+v.Company > most {
			best, most = int32(i), v.Alone+v.Company
		}
	}
	return best
}

// take gives thread k of the compilers what it computes next: some of the next stage.
func (w *warming) take(stages []core.Stage, k int) des.Time {
	w.at[k] = w.next(stages)
	if w.at[k] == none {
		return 0
	}
	work := min(w.left[w.at[k]], burdenChunk)
	w.left[w.at[k]] -= work
	w.shared[w.at[k]]++
	return work
}

// ended tells that thread k has computed that, and whether a stage is done with it.
func (w *warming) ended(k int) bool {
	i := w.at[k]
	w.shared[i]--
	return w.left[i] == 0 && w.shared[i] == 0
}

// slowness is how slow the program is by what is not done.
func (w *warming) slowness(stages []core.Stage) (slow processor.Slowness) {
	for i := range stages {
		if w.left[i] > 0 || w.shared[i] > 0 {
			v := worth(stages, i)
			slow.Alone += v.Alone
			slow.Company += v.Company
		}
	}
	return slow
}

// startStage: the time of the next stage has come, which a thread that has nothing to do begins.
func (r *replica) startStage(i int32) {
	b := &r.burdens[i]
	b.came++
	for k, t := range b.threads {
		if th := r.threads[t]; b.at[k] == none && b.hasMore(&r.program.background[i], k) {
			th.since = r.Now()
			r.processor.Submit(t, r.nextChunk(t, th), r.core)
		}
	}
}
