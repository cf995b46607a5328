package settings

import (
	"testing"

	"tierscope/analysis/trail"
)

// rounds is a loop that threads go through, with the times at which their rounds begin.
func rounds(threads ...[]int64) *trail.Loop {
	l := &trail.Loop{}
	for _, begins := range threads {
		l.Entries = append(l.Entries, trail.Iteration{Seq: &trail.Sequence{}, Begun: begins})
	}
	return l
}

// every is when n rounds begin that take d each.
func every(d int64, n int) (begins []int64) {
	for k := range n {
		begins = append(begins, int64(k)*d)
	}
	return begins
}

// At a barrier nobody is a round ahead, and in a ring fewer than there are threads; of two that ask for themselves the one whose
// rounds take 10 is three ahead of one whose rounds take 15 in the sixth. One thread, and few rounds, show nothing.
func TestThreadsAreInStepThatWaitForEachOther(t *testing.T) {
	t.Parallel()
	behind := append([]int64{5}, every(10, 8)[1:]...)
	again := rounds(every(10, 9), every(15, 9))
	again.Entries = append(again.Entries, again.Entries[0])
	elsewhere := rounds(every(10, 9), []int64{500})
	elsewhere.Entries[1].Entered = &trail.Node{}
	for _, c := range []struct {
		name string
		loop *trail.Loop
		want bool
	}{
		{"a barrier", rounds(every(10, 8), behind), true},
		{"a ring", rounds(every(10, 8), []int64{15, 25, 35, 45, 55, 65, 75, 85}, []int64{25, 35, 45, 55, 65, 75, 85, 95}), true},
		{"on their own", rounds(every(10, 9), every(15, 9)), false},
		{"one", rounds(every(10, 9)), true},
		{"few rounds", rounds(every(10, 2), every(15, 2)), true},
		{"several times", again, true},
		{"a thread with rounds of its own", elsewhere, true},
	} {
		if got := inStep(c.loop); got != c.want {
			t.Errorf("%s: in step: %t, want %t", c.name, got, c.want)
		}
	}
}

// Clients that each ask as often as a setting says, one ahead of the others, have work of their own; threads that go through the steps that a setting
// says together divide what is in them, and rounds that no setting says, or of an inner loop, say nothing of it.
func TestThreadsBringTheirOwnWorkThatGoRoundAsASettingSays(t *testing.T) {
	t.Parallel()
	apart, together := rounds(every(10, 9), every(15, 9)), rounds(every(10, 9), every(10, 9))
	for _, c := range []struct {
		name  string
		loop  *trail.Loop
		depth int
		by    *quantity
		want  bool
	}{
		{"clients", apart, 1, set(9), true},
		{"steps", together, 1, set(9), false},
		{"an inner loop", apart, 2, set(9), false},
		{"rounds that nothing says", apart, 1, nil, false},
		{"rounds that a setting says in all", apart, 1, set(18), false},
	} {
		l := *c.loop
		l.Depth = c.depth
		g := &trail.Pool{MaxAlive: 2, Sequences: []*trail.Sequence{l.Entries[0].Seq, l.Entries[1].Seq}}
		s := &solver{loops: []exactLoop{{"rounds", g, &l, 9}}, driver: map[string]*quantity{"rounds": c.by}}
		if got := s.roundsOfEach(g) != nil; got != c.want {
			t.Errorf("%s: each thread has rounds of its own: %t, want %t", c.name, got, c.want)
		}
	}
}

// set is what a setting says to be a number.
func set(n float64) *quantity {
	q := &quantity{by: &claim{}}
	q.Default = n
	return q
}
