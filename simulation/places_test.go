package simulation

import (
	"reflect"
	"testing"

	"tierscope/core"
)

// Fragments of neighbours.
const (
	tellLeft, tellRight, hearLeft, hearRight, computes = 0, 1, 2, 3, 4
)

// neighbours are the walks of main and of n threads in a row, or a ring, each of which tells its neighbours something in every
// step, hears what they tell it, and computes.
func neighbours(n, steps int, ring bool) *core.Walks {
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "main", Fragments: []string{"spawn"}}, {ID: "worker", Fragments: []string{"tell left", "tell right", "hear left", "hear right", "compute"}}}}
	channel := func(of string) (first int32) {
		first = int32(len(w.Objects))
		for range n {
			w.Objects = append(w.Objects, core.WalkObject{Of: of, Monitor: -1})
		}
		return first
	}
	left, right := channel("left"), channel("right") // to the left neighbour of each, and to the right one
	token := func(step, from, to int) int64 { return int64(1 + (step*n+from)*2 + to) }
	w.Threads = []core.Walk{{Pool: "main", Parent: -1, Ended: true, Moves: []core.Move{{Object: -1, Amount: int64(n)}}}}
	for i := range n {
		t := core.Walk{Pool: "worker", Graph: 1, Parent: 0, Ended: true}
		l, r := (i+n-1)%n, (i+1)%n
		for step := range steps {
			if ring || i > 0 {
				t.Moves = append(t.Moves, core.Move{Fragment: tellLeft, Object: left + int32(i), Token: token(step, i, 0)})
			}
			if ring || i < n-1 {
				t.Moves = append(t.Moves, core.Move{Fragment: tellRight, Object: right + int32(i), Token: token(step, i, 1)})
			}
			if ring || i > 0 {
				t.Moves = append(t.Moves, core.Move{Fragment: hearLeft, Object: right + int32(l), Token: token(step, l, 1)})
			}
			if ring || i < n-1 {
				t.Moves = append(t.Moves, core.Move{Fragment: hearRight, Object: left + int32(r), Token: token(step, r, 0)})
			}
			t.Moves = append(t.Moves, core.Move{Fragment: computes, Object: -1, Amount: 1000})
		}
		w.Threads = append(w.Threads, t)
	}
	return w
}

// spawning is a model of main and its workers, as far as starting them goes.
func spawning(n int) *core.Model {
	return &core.Model{
		Pools:  []core.Pool{{ID: "main", Graph: "main", Size: 1}, {ID: "worker", Graph: "worker", Kind: core.SpawnPool, Size: n}},
		Graphs: []core.Graph{{ID: "main", Fragments: []core.Fragment{{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}}}}, {ID: "worker"}},
	}
}

// numbered are the moves of all threads with objects and tokens numbered as they come.
func numbered(w *core.Walks) (all [][]core.Move) {
	objects, tokens := map[int32]int32{}, map[int64]int64{0: 0}
	for _, t := range w.Threads {
		var moves []core.Move
		for _, m := range t.Moves {
			if _, ok := objects[m.Object]; !ok && m.Object >= 0 {
				objects[m.Object] = int32(len(objects))
			}
			if _, ok := tokens[m.Token]; !ok {
				tokens[m.Token] = int64(len(tokens))
			}
			if m.Object >= 0 {
				m.Object = objects[m.Object]
			}
			m.Token = tokens[m.Token]
			moves = append(moves, m)
		}
		all = append(all, moves)
	}
	return all
}

// A recording of four threads that tell their neighbours something is, dealt to n, the recording of n.
func TestThreadsOfOtherPlacesTellTheirNeighbours(t *testing.T) {
	t.Parallel()
	for _, ring := range []bool{false, true} {
		for n := 1; n <= 9; n++ {
			got := dealPlaces(spawning(4), neighbours(4, 3, ring), "worker", 4, n)
			if got == nil {
				t.Errorf("ring %t: four threads cannot be %d", ring, n)
				continue
			}
			if want := neighbours(n, 3, ring); !reflect.DeepEqual(numbered(got), numbered(want)) {
				t.Errorf("ring %t: the walks of %d threads are not those of their recording", ring, n)
			}
		}
	}
}

// Threads that use objects in no order have no places, nor those that pass something on by an object of all; two threads do not show
// who is whose neighbour.
func TestThreadsWithoutPlacesStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	crossed := neighbours(4, 2, false)
	for i := range crossed.Threads[2].Moves {
		if m := &crossed.Threads[2].Moves[i]; m.Fragment == hearLeft {
			m.Object = crossed.Threads[4].Moves[0].Object
		}
	}
	shared := neighbours(4, 2, true)
	shared.Objects = append(shared.Objects, core.WalkObject{Of: "all", Monitor: -1})
	shared.Threads[1].Moves = append(shared.Threads[1].Moves, core.Move{Fragment: tellLeft, Object: int32(len(shared.Objects) - 1), Token: 99})
	listens := neighbours(4, 2, false)
	listens.Graphs[0].Fragments = append(listens.Graphs[0].Fragments, "look")
	listens.Threads[0].Moves = append(listens.Threads[0].Moves, core.Move{Fragment: 1, Object: listens.Threads[1].Moves[0].Object})
	for name, w := range map[string]*core.Walks{"crossed": crossed, "shared": shared, "main uses one": listens} {
		if dealPlaces(spawning(4), w, "worker", 4, 3) != nil {
			t.Errorf("%s: dealt to three threads", name)
		}
	}
	for n := 1; n <= 3; n++ {
		if dealPlaces(spawning(2), neighbours(2, 2, true), "worker", 2, n) != nil {
			t.Errorf("two threads are dealt to %d", n)
		}
	}
}
