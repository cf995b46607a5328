package load

import (
	"math/rand/v2"
	"sync"

	"tierscope/analysis/trace"
)

// Streams of random numbers of one seed, so that the order of requests does
// not change their times.
const (
	targetStream uint64 = iota + 1
	arrivalStream
	thinkStream
)

// targets draws URLs, one per request. It is safe for concurrent use.
type targets struct {
	mu     sync.Mutex
	urls   []string
	random *rand.Rand
}

func newTargets(l trace.Load) *targets {
	return &targets{urls: l.Addresses(), random: rand.New(rand.NewPCG(l.Seed, targetStream))}
}

func (t *targets) next() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.urls[t.random.IntN(len(t.urls))]
}
