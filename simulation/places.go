package simulation

import (
	"maps"
	"slices"

	"tierscope/core"
)

// Threads that have places, in a row or a ring, share objects with their neighbours, such as the channels by which they tell each
// other their edges. With another number of threads than in the recording each has those of its own place:
//
//	recorded: t0 ─a─ t1 ─b─ t2 ─c─ t3      3 threads: t0 ─a─ t1 ─b─ t3
//
// The first and the last thread do what the first and the last did, those between them what one between them did. What two
// threads pass on is numbered anew, in its order; what would be for a neighbour that is not there is left out.

// fewestPlaces is how many threads show who is whose neighbour: of two each is on either side of the other.
const fewestPlaces = 3

// places are where the threads of a pool that begin together use objects.
type places struct {
	w       *core.Walks
	team    []int32
	offsets map[usedAt]int            // place of the object less that of the thread
	users   map[string]map[int32]bool // by model object: fragments at which each object of it is used
	ring    bool
}

// usedAt is the use of the objects of a lock or queue at a fragment.
type usedAt struct {
	of       string
	fragment int32
}

// dealPlaces returns walks in which a pool has other threads, by their places; nil: they have none, or share with others, too.
func dealPlaces(m *core.Model, w *core.Walks, pool string, recorded, threads int) *core.Walks {
	x := &core.Walks{Graphs: w.Graphs, Objects: slices.Clone(w.Objects), Threads: w.Threads}
	token := int64(0) // the last one that there is
	others := map[string]bool{}
	for _, t := range w.Threads {
		for _, m := range t.Moves {
			token = max(token, m.Token+max(m.Amount, 1))
			if m.Object >= 0 && t.Pool != pool {
				others[w.Objects[m.Object].Of] = true
			}
		}
	}
	size := func(n int) int { return inPlaceOf(n, recorded, threads) }
	out := redeal(m, x, pool, size, func(team []int32) []core.Walk {
		p := placesOf(w, team)
		if p == nil {
			return nil
		}
		for of := range p.users {
			if others[of] {
				return nil
			}
		}
		return p.deal(x, size(len(team)), &token)
	})
	if out != nil {
		out.Objects = x.Objects
	}
	return out
}

// placesOf returns where threads use objects; nil: they share none with their neighbours, or not by their places, or
// are too few to tell.
func placesOf(w *core.Walks, team []int32) *places {
	if len(team) < fewestPlaces {
		return nil
	}
	p := &places{w: w, team: team, offsets: map[usedAt]int{}, users: map[string]map[int32]bool{}}
	at := map[usedAt]map[int]int32{} // by place of the thread: the object
	objects, fragments := map[string]map[int32]map[int32]bool{}, map[string][]int32{}
	for place, i := range team {
		for _, m := range w.Threads[i].Moves {
			if m.Object < 0 {
				continue
			}
			u := usedAt{w.Objects[m.Object].Of, m.Fragment}
			if at[u] == nil {
				at[u] = map[int]int32{}
				fragments[u.of] = append(fragments[u.of], m.Fragment)
			}
			if known, ok := at[u][place]; ok && known != m.Object {
				return nil
			}
			at[u][place] = m.Object
			if objects[u.of] == nil {
				objects[u.of] = map[int32]map[int32]bool{}
			}
			if objects[u.of][m.Object] == nil {
				objects[u.of][m.Object] = map[int32]bool{}
			}
			objects[u.of][m.Object][m.Fragment] = true
		}
	}
	for _, of := range slices.Sorted(maps.Keys(objects)) {
		if len(objects[of]) > 1 && !p.place(of, fragments[of], at, objects[of]) {
			return nil
		}
	}
	if len(p.users) == 0 || p.passesElsewhere() {
		return nil
	}
	return p
}

// place finds the places of the objects of a lock or queue: that of the thread that uses it at the fragment at which most do. At every other
// fragment it is as many places from the thread, for all threads.
func (p *places) place(of string, fragments []int32, at map[usedAt]map[int]int32, objects map[int32]map[int32]bool) bool {
	reference := slices.MaxFunc(fragments, func(a, b int32) int { return len(at[usedAt{of, a}]) - len(at[usedAt{of, b}]) })
	label, n := map[int32]int{}, len(p.team)
	for place, x := range at[usedAt{of, reference}] {
		if _, twice := label[x]; twice {
			return false
		}
		label[x] = place
	}
	for x, users := range objects {
		if _, ok := label[x]; !ok || p.users[of] != nil && !maps.Equal(p.users[of], users) {
			return false
		}
		p.users[of] = users
	}
	for _, f := range fragments {
		u, first := usedAt{of, f}, true
		for place := range n {
			x, uses := at[u][place]
			d, known := label[x]-place, p.offsets[u]
			switch {
			case !uses:
				continue
			case first:
				p.offsets[u] = d
			case (d-known)%n != 0:
				return false
			case d != known:
				p.ring = true
				if max(d, -d) < max(known, -known) {
					p.offsets[u] = d
				}
			}
			first = false
		}
	}
	return true
}

// passesElsewhere reports whether threads pass something on by an object that has no place.
func (p *places) passesElsewhere() bool {
	return slices.ContainsFunc(p.team, func(i int32) bool {
		return slices.ContainsFunc(p.w.Threads[i].Moves, func(m core.Move) bool {
			return m.Token != 0 && (m.Object < 0 || p.users[p.w.Objects[m.Object].Of] == nil)
		})
	})
}

// walk is which of the team's threads does what the thread at a place of n does; −1: none was recorded between the first and the last.
func (p *places) walk(place, n int) int {
	switch last := len(p.team) - 1; {
	case place == 0:
		return 0
	case place == n-1:
		return last
	case last < 2:
		return -1
	default:
		return 1 + (place-1)%(last-1)
	}
}

// deal returns the walks of n threads; x gets the objects that they have, and token is the last one that is used.
func (p *places) deal(x *core.Walks, n int, token *int64) []core.Walk {
	type instance struct {
		of    string
		place int
	}
	numbers := map[instance]int32{}
	users := map[int32]map[int32]bool{}
	var threads []core.Walk
	for place := range n {
		i := p.walk(place, n)
		if i < 0 {
			return nil
		}
		t := p.w.Threads[p.team[i]]
		t.Moves = slices.Clone(t.Moves)
		for k := range t.Moves {
			m := &t.Moves[k]
			if m.Object < 0 || p.users[p.w.Objects[m.Object].Of] == nil {
				continue
			}
			o := p.w.Objects[m.Object]
			at := instance{o.Of, place + p.offsets[usedAt{o.Of, m.Fragment}]}
			if p.ring {
				at.place = ((at.place % n) + n) % n
			}
			number, ok := numbers[at]
			if !ok {
				number = int32(len(x.Objects))
				numbers[at] = number
				users[number] = map[int32]bool{}
				x.Objects = append(x.Objects, o)
			}
			users[number][m.Fragment] = true
			m.Object = number
		}
		threads = append(threads, t)
	}
	alone := func(m core.Move) bool {
		of, placed := users[m.Object]
		return placed && !maps.Equal(of, p.users[x.Objects[m.Object].Of])
	}
	for i := range threads {
		threads[i].Moves = slices.DeleteFunc(threads[i].Moves, alone)
	}
	if !renumber(threads, users, token) {
		return nil
	}
	return threads
}

// renumber gives what threads pass on by some objects numbers of its own: what comes out of one is what went in, in the same order. false: it is not as
// much.
func renumber(threads []core.Walk, objects map[int32]map[int32]bool, token *int64) bool {
	passed := map[int32]map[int32][]*core.Move{} // by object and fragment
	for i := range threads {
		for k := range threads[i].Moves {
			m := &threads[i].Moves[k]
			if _, placed := objects[m.Object]; !placed || m.Token == 0 {
				continue
			}
			if passed[m.Object] == nil {
				passed[m.Object] = map[int32][]*core.Move{}
			}
			passed[m.Object][m.Fragment] = append(passed[m.Object][m.Fragment], m)
		}
	}
	for _, o := range slices.Sorted(maps.Keys(passed)) {
		ends := slices.Collect(maps.Values(passed[o]))
		if len(ends) != 2 || len(ends[0]) != len(ends[1]) {
			return false
		}
		for k := range ends[0] {
			*token++
			ends[0][k].Token, ends[1][k].Token = *token, *token
		}
	}
	return true
}
