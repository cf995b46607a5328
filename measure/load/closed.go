package load

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// closed runs a closed loop: each user sends a request, waits for the answer
// and thinks. A request is due when the user has thought.
func (g *generator) closed(ctx context.Context) []Hit {
	work, stop := context.WithDeadline(ctx, g.began.Add(seconds(g.workEnd())))
	defer stop()
	perUser := make([][]Hit, g.load.Connections)
	var users sync.WaitGroup
	for u := range perUser {
		users.Go(func() {
			random := rand.New(rand.NewPCG(g.load.Seed, thinkStream+uint64(u)<<8))
			clock := newSleeper()
			defer clock.close()
			due := time.Now()
			for work.Err() == nil {
				if g.load.Think > 0 {
					due = due.Add(seconds(g.load.Think * random.ExpFloat64()))
					clock.until(work, due)
					if work.Err() != nil {
						return
					}
				}
				hit := Hit{Due: due.Sub(g.began).Seconds(), Sent: time.Since(g.began).Seconds()}
				n, arrived, err := g.fetch(ctx, g.targets.next())
				due = time.Now()
				hit.End, hit.Bytes = arrived.Sub(g.began).Seconds(), n
				if err != nil {
					hit.Error = err.Error()
				}
				perUser[u] = append(perUser[u], hit)
			}
		})
	}
	users.Wait()
	return slices.Concat(perUser...)
}
