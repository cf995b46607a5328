package resource

import (
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Tasks whose patience ends leave from anywhere in a long queue; the others
// stay in order, and the buffer stays small.
func TestALongQueueKeepsItsOrderWhenTasksLosePatience(t *testing.T) {
	t.Parallel()
	for _, discipline := range []core.Discipline{core.FIFO, core.LIFO, core.Priority} {
		random := des.NewStream(1, 0, 0)
		q := NewQueue(NewTable(nil, 1), QueueConfig{Capacity: core.Unbounded, Discipline: discipline, Ranks: 3, Tracked: true})
		var plain []Case // in the order of service, LIFO: reversed
		for item := range int32(20_000) {
			switch n := uint32(len(plain)); {
			case n > 60 && random.Uint32n(2) == 0: // served
				at := 0
				if discipline == core.LIFO {
					at = len(plain) - 1
				}
				if got, o := q.TryGet(); o != Granted || got != plain[at].Item {
					t.Fatalf("%s: task %d is served, want %d", discipline, got, plain[at].Item)
				}
				plain = slices.Delete(plain, at, at+1)
			case n > 40: // loses patience
				at := int(random.Uint32n(n))
				if !q.Remove(plain[at].Item) || q.Remove(plain[at].Item) {
					t.Fatalf("%s: task %d cannot leave exactly once", discipline, plain[at].Item)
				}
				plain = slices.Delete(plain, at, at+1)
			}
			x := Case{Item: item % 1000, Rank: int32(random.Uint32n(3))}
			if slices.ContainsFunc(plain, func(c Case) bool { return c.Item == x.Item }) {
				continue
			}
			at := len(plain)
			if discipline == core.Priority {
				if at = slices.IndexFunc(plain, func(c Case) bool { return c.Rank > x.Rank }); at < 0 {
					at = len(plain)
				}
			}
			plain = slices.Insert(plain, at, x)
			if o := q.TryPut(x.Item, x.Rank); o != Granted || q.Len() != len(plain) {
				t.Fatalf("%s: %v, %d tasks wait, want %d", discipline, o, q.Len(), len(plain))
			}
		}
		if n := len(q.first.items); n > 256 {
			t.Errorf("%s: the buffer has %d places for at most 64 tasks", discipline, n)
		}
	}
}
