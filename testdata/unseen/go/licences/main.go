// licences: a bounded priority queue (heap + mutex + conditions) in front of a
// pool of workers, with interactive and batch users that submit a job, wait
// for its result and think.
package main

import (
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"sync"
	"time"
)

type kind int

const (
	interactive kind = iota
	batch
)

type job struct {
	kind   kind
	seq    int64
	size   int
	seed   uint64
	result uint64
	done   chan struct{}
}

// jobHeap orders by kind first, then by arrival.
type jobHeap []*job

func (h jobHeap) Len() int { return len(h) }
func (h jobHeap) Less(i, j int) bool {
	if h[i].kind != h[j].kind {
		return h[i].kind < h[j].kind
	}
	return h[i].seq < h[j].seq
}
func (h jobHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *jobHeap) Push(x any)   { *h = append(*h, x.(*job)) }
func (h *jobHeap) Pop() any {
	old := *h
	n := len(old)
	j := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return j
}

type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	h        jobHeap
	cap      int
	seq      int64
	closed   bool
	maxLen   int
}

func newQueue(capacity int) *queue {
	q := &queue{cap: capacity}
	q.notEmpty = sync.NewCond(&q.mu)
	q.notFull = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(j *job) {
	q.mu.Lock()
	for len(q.h) >= q.cap {
		q.notFull.Wait()
	}
	q.seq++
	j.seq = q.seq
	heap.Push(&q.h, j)
	q.maxLen = max(q.maxLen, len(q.h))
	q.mu.Unlock()
	q.notEmpty.Signal()
}

func (q *queue) get() (*job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.h) == 0 {
		if q.closed {
			return nil, false
		}
		q.notEmpty.Wait()
	}
	j := heap.Pop(&q.h).(*job)
	q.notFull.Signal()
	return j, true
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast()
}

// matmul multiplies two pseudo-random n x n matrices and sums the diagonal.
func matmul(n int, seed uint64) uint64 {
	a, b := make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		seed = seed*6364136223846793005 + 1442695040888963407
		a[i] = float64(seed>>40) / (1 << 24)
		b[i] = float64(seed>>20&0xfffff) / (1 << 20)
	}
	c := make([]float64, n*n)
	for i := 0; i < n; i++ {
		for k := 0; k < n; k++ {
			v := a[i*n+k]
			row, dst := b[k*n:(k+1)*n], c[i*n:(i+1)*n]
			for j := range row {
				dst[j] += v * row[j]
			}
		}
	}
	t := 0.0
	for i := 0; i < n; i++ {
		t += c[i*n+i]
	}
	return uint64(t * 1000)
}

func hashChain(rounds int, seed uint64) uint64 {
	var buf [32]byte
	binary.LittleEndian.PutUint64(buf[:], seed)
	for i := 0; i < rounds; i++ {
		buf = sha256.Sum256(buf[:])
	}
	return binary.LittleEndian.Uint64(buf[:])
}

// worker runs jobs; batch jobs first need a licence and fetch their input with it.
func worker(q *queue, licences chan struct{}, fetch time.Duration) {
	for {
		j, ok := q.get()
		if !ok {
			return
		}
		switch j.kind {
		case interactive:
			j.result = hashChain(j.size, j.seed)
		case batch:
			licences <- struct{}{}
			time.Sleep(fetch)
			j.result = matmul(j.size, j.seed)
			<-licences
		}
		close(j.done)
	}
}

type stats struct {
	n    int
	resp time.Duration
	sum  uint64
}

func user(q *queue, id int, k kind, n, size int, think time.Duration) stats {
	var st stats
	rnd := uint64(id)*0x9E3779B97F4A7C15 + 1
	for i := 0; i < n; i++ {
		rnd ^= rnd << 13
		rnd ^= rnd >> 7
		rnd ^= rnd << 17
		// think between 0.5 and 1.5 of the mean
		time.Sleep(think/2 + time.Duration(rnd%1000)*think/1000)
		j := &job{kind: k, size: size*3/4 + int(rnd>>32%uint64(size/2+1)), seed: rnd, done: make(chan struct{})}
		t0 := time.Now()
		q.put(j)
		<-j.done
		st.resp += time.Since(t0)
		st.n++
		st.sum += j.result
	}
	return st
}

func main() {
	workers := flag.Int("workers", 4, "worker goroutines")
	capacity := flag.Int("queue", 8, "capacity of the job queue")
	lic := flag.Int("licences", 2, "licences for batch jobs")
	users := flag.Int("users", 16, "interactive users")
	batchUsers := flag.Int("batchusers", 6, "batch users")
	jobs := flag.Int("jobs", 120, "jobs per interactive user")
	batchJobs := flag.Int("batchjobs", 50, "jobs per batch user")
	think := flag.Duration("think", 12*time.Millisecond, "mean think time of interactive users")
	fetch := flag.Duration("fetch", 6*time.Millisecond, "input fetch time of a batch job")
	rounds := flag.Int("rounds", 6000, "hash rounds of an interactive job")
	dim := flag.Int("dim", 160, "matrix size of a batch job")
	flag.Parse()

	q := newQueue(*capacity)
	licences := make(chan struct{}, *lic)
	var pool, load sync.WaitGroup
	for i := 0; i < *workers; i++ {
		pool.Go(func() { worker(q, licences, *fetch) })
	}
	results := make([]stats, *users+*batchUsers)
	start := time.Now()
	for i := range results {
		load.Go(func() {
			if i < *users {
				results[i] = user(q, i+1, interactive, *jobs, *rounds, *think)
			} else {
				results[i] = user(q, i+1, batch, *batchJobs, *dim, *think/4)
			}
		})
	}
	load.Wait()
	el := time.Since(start).Seconds()
	q.close()
	pool.Wait()

	var all, inter stats
	for i, r := range results {
		all.n += r.n
		all.resp += r.resp
		all.sum += r.sum
		if i < *users {
			inter.n += r.n
			inter.resp += r.resp
		}
	}
	fmt.Printf("total %.3f s  throughput %.1f jobs/s  mean response %.3f ms  interactive %.3f ms  (max queue %d, sum %x)\n",
		el, float64(all.n)/el, all.resp.Seconds()*1e3/float64(all.n), inter.resp.Seconds()*1e3/float64(max(inter.n, 1)), q.maxLen, all.sum)
}
