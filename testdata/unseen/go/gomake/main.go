// gomake builds a random graph of targets: a target is ready when all that it needs are built, the heaviest ready one first.
package main

import (
	"container/heap"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand"
	"sync"
)

type target struct {
	id, cost int
	needs    int
	usedBy   []*target
}

type ready []*target

func (r ready) Len() int           { return len(r) }
func (r ready) Less(i, j int) bool { return r[i].cost > r[j].cost }
func (r ready) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ready) Push(x any)        { *r = append(*r, x.(*target)) }
func (r *ready) Pop() any {
	old := *r
	x := old[len(old)-1]
	*r = old[:len(old)-1]
	return x
}

type builder struct {
	mu   sync.Mutex
	more *sync.Cond
	list ready
	left int
	sum  uint64
}

func (b *builder) next() *target {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.list) == 0 && b.left > 0 {
		b.more.Wait()
	}
	if b.left == 0 {
		return nil
	}
	return heap.Pop(&b.list).(*target)
}

func (b *builder) done(t *target, h uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum ^= h
	b.left--
	if b.left == 0 {
		b.more.Broadcast()
		return
	}
	for _, u := range t.usedBy {
		if u.needs--; u.needs == 0 {
			heap.Push(&b.list, u)
			b.more.Signal()
		}
	}
}

func compile(t *target, units int) uint64 {
	h := fnv.New64a()
	var buf [8]byte
	for i := 0; i < t.cost*units; i++ {
		buf[i%8] = byte(i + t.id)
		h.Write(buf[:])
	}
	return h.Sum64()
}

func main() {
	jobs := flag.Int("jobs", 3, "targets built at a time")
	targets := flag.Int("targets", 800, "targets")
	units := flag.Int("units", 4000, "work of a target")
	flag.Parse()
	r := rand.New(rand.NewSource(7))
	all := make([]*target, *targets)
	b := &builder{left: *targets}
	b.more = sync.NewCond(&b.mu)
	for i := range all {
		all[i] = &target{id: i, cost: 1 + r.Intn(20)}
		for range r.Intn(4) {
			if i > 0 {
				d := all[max(0, i-1-r.Intn(40))]
				d.usedBy = append(d.usedBy, all[i])
				all[i].needs++
			}
		}
		if all[i].needs == 0 {
			heap.Push(&b.list, all[i])
		}
	}
	var wg sync.WaitGroup
	for range *jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for t := b.next(); t != nil; t = b.next() {
				b.done(t, compile(t, *units))
			}
		}()
	}
	wg.Wait()
	fmt.Println(b.sum)
}
