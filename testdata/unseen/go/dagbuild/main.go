// Command dagbuild is a miniature of a build system's executor: it makes a
// synthetic dependency graph, then brings every target up to date. Targets
// whose action digest is known by the (simulated) remote cache are fetched and
// verified; all others are compiled locally. Ready targets are taken in the
// order of the length of their critical path.
package main

import (
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"time"
)

type target struct {
	id       int
	deps     []*target
	rdeps    []*target
	waiting  int // unfinished deps, guarded by scheduler.mu
	rank     int // longest path to a root
	cached   bool
	size     int
	digest   [32]byte
	objBytes int
}

// readyHeap is a max-heap by rank.
type readyHeap []*target

func (h readyHeap) Len() int { return len(h) }
func (h readyHeap) Less(i, j int) bool {
	if h[i].rank != h[j].rank {
		return h[i].rank > h[j].rank
	}
	return h[i].id < h[j].id
}
func (h readyHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)   { *h = append(*h, x.(*target)) }
func (h *readyHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}

type scheduler struct {
	mu      sync.Mutex
	cond    *sync.Cond
	ready   readyHeap
	left    int
	err     error
	fetchQ  chan *target
	fetched int
	built   int
}

func newScheduler(ts []*target) *scheduler {
	s := &scheduler{left: len(ts), fetchQ: make(chan *target, len(ts))}
	s.cond = sync.NewCond(&s.mu)
	for _, t := range ts {
		if t.waiting == 0 {
			s.offerLocked(t)
		}
	}
	return s
}

// offerLocked routes a target all of whose deps are done.
func (s *scheduler) offerLocked(t *target) {
	if t.cached {
		s.fetchQ <- t
		return
	}
	heap.Push(&s.ready, t)
	s.cond.Signal()
}

// next blocks until a local action can be run; ok is false at the end.
func (s *scheduler) next() (t *target, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.ready) == 0 && s.left > 0 && s.err == nil {
		s.cond.Wait()
	}
	if len(s.ready) == 0 || s.err != nil {
		return nil, false
	}
	return heap.Pop(&s.ready).(*target), true
}

func (s *scheduler) finish(t *target, local bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("target %d: %w", t.id, err)
		s.cond.Broadcast()
	}
	if local {
		s.built++
	} else {
		s.fetched++
	}
	for _, r := range t.rdeps {
		if r.waiting--; r.waiting == 0 {
			s.offerLocked(r)
		}
	}
	if s.left--; s.left == 0 {
		close(s.fetchQ)
		s.cond.Broadcast()
	}
}

// source makes the text of a translation unit.
func source(t *target, seed int64) []byte {
	rng := rand.New(rand.NewSource(seed + int64(t.id)*7919))
	buf := make([]byte, 0, t.size+64)
	for len(buf) < t.size {
		buf = fmt.Appendf(buf, "v%d = (v%d * %d + v%d) << %d; // fold\n",
			rng.Intn(97), rng.Intn(97), rng.Intn(1000), rng.Intn(97), rng.Intn(7))
	}
	return buf
}

// compile lexes and evaluates the unit, and emits an object whose digest
// depends on the digests of the deps too.
func compile(t *target, seed int64) error {
	var vars [97]uint64
	src := source(t, seed)
	h := sha256.New()
	for _, d := range t.deps {
		h.Write(d.digest[:])
	}
	obj := make([]byte, 0, len(src))
	var nums [5]uint64
	n, inNum, comment := 0, false, false
	for _, c := range src {
		switch {
		case c == '\n':
			if n < 5 {
				return errors.New("syntax error")
			}
			vars[nums[0]] = (vars[nums[1]]*nums[2] + vars[nums[3]] + 1) << nums[4]
			obj = binary.AppendUvarint(obj, vars[nums[0]])
			obj = append(obj, byte(nums[0]), byte(nums[1]), byte(nums[3]))
			nums, n, inNum, comment = [5]uint64{}, 0, false, false
		case comment:
		case c >= '0' && c <= '9':
			nums[n] = nums[n]*10 + uint64(c-'0')
			inNum = true
		default:
			if inNum {
				n++
			}
			inNum = false
			comment = c == '/'
		}
	}
	h.Write(obj)
	h.Sum(t.digest[:0])
	t.objBytes = len(obj)
	return nil
}

// fetch simulates a download from the remote cache, with verification.
func fetch(t *target, latency time.Duration) {
	time.Sleep(latency)
	blob := make([]byte, t.size/2)
	for i := range blob {
		blob[i] = byte(i * (t.id + 3))
	}
	h := sha256.New()
	for _, d := range t.deps {
		h.Write(d.digest[:])
	}
	h.Write(blob)
	h.Sum(t.digest[:0])
	t.objBytes = len(blob)
}

func makeGraph(n, hit, kb int, seed int64) []*target {
	rng := rand.New(rand.NewSource(seed))
	ts := make([]*target, n)
	for i := range ts {
		t := &target{id: i, size: kb<<9 + rng.Intn(kb<<10), cached: rng.Intn(100) < hit}
		if i >= 24 {
			for range 1 + rng.Intn(3) {
				d := ts[i-1-rng.Intn(min(i, 120))]
				t.deps = append(t.deps, d)
				d.rdeps = append(d.rdeps, t)
				t.waiting++
			}
		}
		ts[i] = t
	}
	for i := n - 1; i >= 0; i-- {
		for _, r := range ts[i].rdeps {
			ts[i].rank = max(ts[i].rank, r.rank+1)
		}
	}
	return ts
}

func main() {
	jobs := flag.Int("jobs", 4, "parallel local actions")
	fetchers := flag.Int("fetchers", 3, "parallel downloads")
	targets := flag.Int("targets", 640, "number of targets")
	hit := flag.Int("hit", 30, "remote cache hits, percent")
	kb := flag.Int("kb", 160, "mean size of a unit (KB)")
	latency := flag.Duration("latency", 3*time.Millisecond, "latency of the remote cache")
	seed := flag.Int64("seed", 1, "seed of the graph")
	flag.Parse()

	ts := makeGraph(*targets, *hit, *kb, *seed)
	s := newScheduler(ts)
	var wg sync.WaitGroup
	for range *jobs {
		wg.Go(func() {
			for {
				t, ok := s.next()
				if !ok {
					return
				}
				s.finish(t, true, compile(t, *seed))
			}
		})
	}
	for range *fetchers {
		wg.Go(func() {
			for t := range s.fetchQ {
				fetch(t, *latency)
				s.finish(t, false, nil)
			}
		})
	}
	wg.Wait()
	if s.err != nil {
		fmt.Fprintln(os.Stderr, "dagbuild:", s.err)
		os.Exit(1)
	}

	// Link: everything into one image.
	img, total := sha256.New(), 0
	for _, t := range ts {
		img.Write(t.digest[:])
		total += t.objBytes
	}
	fmt.Printf("built %d, fetched %d, %d KB of objects, image %s\n",
		s.built, s.fetched, total>>10, hex.EncodeToString(img.Sum(nil)[:8]))
}
