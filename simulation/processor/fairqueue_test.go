package processor

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/simulation/des"
)

// Whichever thread is taken out of a queue, the others leave it by deadline, and nobody is taken who has run a moment ago.
func TestAQueueGivesColdThreadsAndKeepsItsOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		threads := make([]thread, 1+r.IntN(20))
		var q fairQueue
		for i := range threads {
			threads[i].weight = 1
			threads[i].fair = fairState{v: r.Float64(), deadline: r.Float64()}
			threads[i].ran = des.Time(r.IntN(10))
			q.add(threads, int32(i))
		}
		q.best(threads, r.Float64()) // some become eligible
		const since = 5
		var taken []int32
		for x := q.takeCold(threads, since); x != None; x = q.takeCold(threads, since) {
			if threads[x].ran > since {
				t.Fatalf("a thread was taken that has run at %d, after %d", threads[x].ran, since)
			}
			taken = append(taken, x)
			if r.IntN(3) == 0 {
				break
			}
		}
		var deadlines []float64
		for q.len() > 0 {
			x := q.take(threads, 1) // all are eligible
			taken = append(taken, x)
			deadlines = append(deadlines, threads[x].fair.deadline)
		}
		slices.Sort(taken)
		if !slices.IsSorted(deadlines) || len(slices.Compact(taken)) != len(threads) {
			t.Fatalf("deadlines %v in this order, %d of %d threads", deadlines, len(taken), len(threads))
		}
	}
}
