package simulation

import (
	"testing"

	"tierscope/core"
)

// filling is a thread that offers a token every ms, of which the third and the fifth find the bucket full, and one that takes three,
// and rests for 2.2 ms after each. handles: where a token finds no room its thread does something with it.
func filling(handles bool) *scripted {
	s := &scripted{model: core.Model{Name: "bucket", CPU: core.CPU{Cores: 2}, Locks: []core.Lock{{ID: "bucket", Kind: core.Channel, Capacity: 1}}}}
	s.walks.Objects = []core.WalkObject{{Of: "bucket", Monitor: -1}}
	const first, second, join = 0, 1, 2
	s.pool("main", []core.Fragment{spawnFragment("first", "filler", to("second")...), spawnFragment("second", "taker", to("join")...), joinFragment("join", "taker")},
		begin(first), begin(second), visit(join))
	const wait, offer, failed, handle = 0, 1, 2, 3
	try := syncFragment("offer", "bucket", core.Send, to("wait")...)
	try.Sync.Timeout, try.Sync.OnTimeout = constant(0), "failed"
	fragments := []core.Fragment{sleep("wait", 1e-3, "offer"), try, {ID: "failed", Class: core.DispatchFragment, Next: to("wait")}, sleep("handle", 0.1e-3, "wait")}
	moves := []core.Move{}
	for k := range 6 {
		moves = append(moves, compute(wait, ms), use(offer, 0, 0))
		if k == 2 || k == 4 {
			moves = append(moves, visit(failed))
		}
	}
	if handles {
		fragments[2].Next = to("handle")
		moves = []core.Move{compute(wait, ms), use(offer, 0, 0), compute(wait, ms), use(offer, 0, 0), compute(wait, ms), use(offer, 0, 0), visit(failed), compute(handle, ms/10),
			compute(wait, ms), use(offer, 0, 0)}
	}
	s.pool("filler", fragments, moves...)
	const take, rest = 0, 1
	s.pool("taker", []core.Fragment{syncFragment("take", "bucket", core.Receive, to("rest")...), sleep("rest", 2.2e-3, "take")},
		use(take, 0, 0), compute(rest, 22*ms/10), use(take, 0, 0), compute(rest, 22*ms/10), use(take, 0, 0), compute(rest, 22*ms/10))
	return s
}

// Tokens are taken at 1, 3.2 and 5.4 ms. Who rests half as long takes them at 1, 2.1 and 3.2: then there is room for the third at 3 ms. Where a thread does something
// else with what finds no room, it does so as in the recording, and the next token comes at 4.1.
func TestAnOfferIsTakenIfThereIsRoom(t *testing.T) {
	t.Parallel()
	filling(false).takesOf(t, "graphs/taker/fragments/rest/scale", map[float64]float64{1: 7.6, 0.5: 4.3})
	filling(true).takesOf(t, "graphs/taker/fragments/rest/scale", map[float64]float64{1: 7.6, 0.5: 5.2})
}
