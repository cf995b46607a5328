// Subsets counts the solutions of a subset sum; workers share a stack of open parts under a mutex, and a condition says that there is more.
package main

import (
	"flag"
	"fmt"
	"sync"
)

type part struct {
	next int
	left int64
}

type stack struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []part
	idle  int
	n     int
	done  bool
}

func (s *stack) push(p part) {
	s.mu.Lock()
	s.items = append(s.items, p)
	s.mu.Unlock()
	s.more.Signal()
}

func (s *stack) pop() (part, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle++
	for len(s.items) == 0 {
		if s.idle == s.n {
			s.done = true
			s.more.Broadcast()
		}
		if s.done {
			return part{}, false
		}
		s.more.Wait()
	}
	s.idle--
	p := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return p, true
}

func main() {
	workers := flag.Int("workers", 3, "threads")
	numbers := flag.Int("numbers", 30, "of the set")
	split := flag.Int("split", 10, "numbers that are decided in parts of their own")
	flag.Parse()
	set := make([]int64, *numbers)
	for i := range set {
		set[i] = int64(7919*(i+3)%1009 + 11)
	}
	s := &stack{n: *workers}
	s.more = sync.NewCond(&s.mu)
	s.push(part{0, 6000})
	found := make([]int, *workers)
	var wg sync.WaitGroup
	for w := range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				p, ok := s.pop()
				if !ok {
					return
				}
				if p.next < *split {
					if p.left >= set[p.next] {
						s.push(part{p.next + 1, p.left - set[p.next]})
					}
					s.push(part{p.next + 1, p.left})
					continue
				}
				found[w] += count(set, p.next, p.left)
			}
		}()
	}
	wg.Wait()
	n := 0
	for _, f := range found {
		n += f
	}
	fmt.Println(n)
}

func count(set []int64, i int, left int64) int {
	if left == 0 {
		return 1
	}
	if i == len(set) || left < 0 {
		return 0
	}
	return count(set, i+1, left) + count(set, i+1, left-set[i])
}
