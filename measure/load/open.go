package load

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"tierscope/analysis/trace"
)

// Arrivals is when each request of an open loop is due, in seconds from the beginning, up to the first one after its end.
func Arrivals(l trace.Load) []float64 {
	random := rand.New(rand.NewPCG(l.Seed, arrivalStream))
	end := l.Warmup + l.Duration
	due := make([]float64, 0, int(end*l.Rate*1.1)+2)
	for t := 0.0; t < end; due = append(due, t) {
		if l.Constant {
			t = float64(len(due)+1) / l.Rate
		} else {
			t += random.ExpFloat64() / l.Rate
		}
	}
	return due
}

// schedule are those that come before the end.
func schedule(l trace.Load) []float64 {
	due := Arrivals(l)
	return due[:len(due)-1]
}

// pacer makes vegeta send requests at the scheduled times. Sleeping is done
// here, because vegeta's timer would be up to a millisecond late.
type pacer struct {
	ctx   context.Context
	clock *sleeper
	began time.Time
	due   []float64
}

// Pace waits until the next request is due (vegeta.Pacer).
func (p *pacer) Pace(_ time.Duration, hits uint64) (wait time.Duration, stop bool) {
	if hits >= uint64(len(p.due)) || p.ctx.Err() != nil {
		p.clock.close() // it is not asked again
		return 0, true
	}
	p.clock.until(p.ctx, p.began.Add(seconds(p.due[hits])))
	return 0, p.ctx.Err() != nil
}

// Rate is the mean rate (vegeta.Pacer).
func (p *pacer) Rate(time.Duration) float64 {
	if len(p.due) == 0 {
		return 0
	}
	return float64(len(p.due)) / p.due[len(p.due)-1]
}

// open runs an open loop with vegeta's attacker: as many requests in flight
// as the server makes necessary.
func (g *generator) open(ctx context.Context) []Hit {
	due := schedule(g.load)
	p := &pacer{ctx: ctx, clock: newSleeper(), began: g.began, due: due}
	attacker := vegeta.NewAttacker(vegeta.Client(g.client), vegeta.MaxBody(0),
		vegeta.Workers(32), vegeta.MaxWorkers(mostInFlight))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	results := attacker.Attack(func(t *vegeta.Target) error {
		t.Method, t.URL = http.MethodGet, g.targets.next()
		return nil
	}, p, 0, "")

	hits := make([]Hit, 0, len(due))
	for {
		var r *vegeta.Result
		var more bool
		select {
		case <-ctx.Done():
			go func() { // what is in flight ends by its timeout
				for range results {
				}
			}()
			return hits
		case r, more = <-results:
		}
		if !more {
			return hits
		}
		hits = append(hits, Hit{
			Due: due[r.Seq], Sent: r.Timestamp.Sub(g.began).Seconds(),
			End:   arrivalOf(r.Headers, r.Timestamp.Add(r.Latency)).Sub(g.began).Seconds(),
			Bytes: int64(r.BytesIn), Error: r.Error,
		})
	}
}
