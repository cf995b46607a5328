package core_test

import (
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// What is repeated at once is in a path one time, whatever the number: of a loop of several rounds, a loop in it, a round
// that goes another way.
func TestAShapeLeavesRepetitionsOut(t *testing.T) {
	t.Parallel()
	for walk, want := range map[string]string{
		"abcabcabcd": "abcd",
		"aaaa":       "a",
		"abbabbbc":   "abc",
		"abcabd":     "abcabd",
		"abcdefg":    "abcdefg",
	} {
		w := &core.Walks{Graphs: []core.WalkGraph{{ID: "g", Fragments: strings.Split("abcdefg", "")}}, Threads: []core.Walk{{Pool: "p", Parent: -1}}}
		for _, f := range walk {
			w.Threads[0].Moves = append(w.Threads[0].Moves, core.Move{Fragment: f - 'a', Object: -1})
		}
		shapes := new(core.Model).Shapes(w)
		if got := strings.Join(shapes[0].Shapes[0].Path, ""); got != want {
			t.Errorf("the shape of %s is %s, want %s", walk, got, want)
		}
	}
}

// A worker takes three tasks: two by one way, of 1 and 3 ms, one by another with a delay of 10 ms; then it finds no more.
func TestEpisodesAreTheWaysOfTasks(t *testing.T) {
	t.Parallel()
	m := core.Model{Graphs: []core.Graph{{ID: "worker", Fragments: []core.Fragment{
		{ID: "begin", Class: core.DispatchFragment}, {ID: "take", Class: core.InFragment}, {ID: "compute", Class: core.CPUFragment},
		{ID: "sleep", Class: core.DelayFragment}}}}}
	const begin, take, compute, sleep = 0, 1, 2, 3
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "worker", Fragments: []string{"begin", "take", "compute", "sleep"}}}, Threads: []core.Walk{{Pool: "worker", Parent: -1, Moves: []core.Move{
		{Fragment: begin}, {Fragment: take, Token: 7}, {Fragment: compute, Amount: 1e6}, {Fragment: take, Token: 8}, {Fragment: sleep, Amount: 10e6},
		{Fragment: take, Token: 9}, {Fragment: compute, Amount: 3e6}, {Fragment: take}}}}}
	got := m.Shapes(w)[0]
	if !slices.Equal(got.Takes, []string{"take"}) || got.Episodes != 5 || len(got.Shapes) != 4 {
		t.Fatalf("%+v, want a beginning, three tasks and an end, at \"take\"", got)
	}
	sleeps, computes := got.Shapes[0], got.Shapes[1]
	if sleeps.Away != 10e6 || sleeps.Longest.Task != 8 || sleeps.Episodes != 1 {
		t.Errorf("most time is in %+v, want task 8, 10 ms", sleeps)
	}
	if computes.Busy != 4e6 || computes.Episodes != 2 || computes.Longest.Task != 9 || computes.Longest.First != 5 || computes.Longest.Past != 7 {
		t.Errorf("then %+v, want tasks 7 and 9, 4 ms, the longest in moves 5 to 7", computes)
	}
}
