package simulation

import (
	"maps"

	"tierscope/simulation/resource"
)

// An offer is a send that is made if there is room, by a thread that goes on alike if there is none:
//
//	for range due { select { case bucket <- struct{}{}: default: } }
//
// Whether there is room depends on how fast others take, so that it is not what the recording shows: where who takes was slower
// most of what fills the bucket found it full.

// findOffers reports, by fragment, which are offers to channels.
func (c *compiler) findOffers() []bool {
	offers := make([]bool, len(c.fragments))
	for i := range c.fragments {
		f := &c.fragments[i]
		if f.op != opLock || f.lockOp != resource.Send || !f.try || f.otherwise == none {
			continue
		}
		sent := map[int32]bool{}
		for _, to := range f.sends() {
			maps.Copy(sent, c.operationsAfter(to))
		}
		offers[i] = maps.Equal(sent, c.operationsAfter(f.otherwise))
	}
	return offers
}

// sends are the successors of a send that was made.
func (f *fragment) sends() []int32 {
	if len(f.targets) > 0 {
		return f.targets
	}
	return []int32{f.next}
}

// operationsAfter are the fragments to which a fragment leads through computations, or itself.
func (c *compiler) operationsAfter(from int32) map[int32]bool {
	seen, found := map[int32]bool{from: true}, map[int32]bool{}
	for todo := []int32{from}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if at == none || c.fragments[at].op != opCPU && c.fragments[at].op != opDispatch {
			found[at] = true
			continue
		}
		next := c.fragments[at].successors()
		if len(next) == 0 {
			found[none] = true
		}
		for _, to := range next {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return found
}
