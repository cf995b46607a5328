package load

import (
	"math/rand/v2"
	"net/url"
	"strings"
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

// newTargets joins the paths of the load to its URL.
func newTargets(l trace.Load) *targets {
	t := &targets{random: rand.New(rand.NewPCG(l.Seed, targetStream))}
	for _, path := range l.Targets {
		t.urls = append(t.urls, join(l.URL, path))
	}
	if len(t.urls) == 0 {
		t.urls = []string{l.URL}
	}
	return t
}

func (t *targets) next() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.urls[t.random.IntN(len(t.urls))]
}

// join resolves a path, which may have a query, against the base; a full URL
// stands for itself.
func join(base, path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	b, err := url.Parse(base)
	if err != nil {
		return base + path
	}
	r, err := url.Parse("/" + strings.TrimPrefix(path, "/"))
	if err != nil {
		return base + path
	}
	return b.ResolveReference(r).String()
}
