// levels finds the distances of all nodes of a random graph from one: a level after the other, the nodes of a level in chunks.
package main

import (
	"flag"
	"fmt"
	"math/rand"
	"sync"
)

type search struct {
	mu       sync.Mutex
	frontier []int32
	at       int
	next     []int32
	dist     []int32
	edges    [][]int32
}

func (s *search) chunk(n int) []int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at >= len(s.frontier) {
		return nil
	}
	from := s.at
	s.at = min(s.at+n, len(s.frontier))
	return s.frontier[from:s.at]
}

func (s *search) found(nodes []int32, level int32) {
	s.mu.Lock()
	for _, v := range nodes {
		if s.dist[v] < 0 {
			s.dist[v] = level
			s.next = append(s.next, v)
		}
	}
	s.mu.Unlock()
}

func main() {
	workers := flag.Int("workers", 2, "threads")
	nodes := flag.Int("nodes", 400000, "nodes")
	degree := flag.Int("degree", 6, "edges of a node")
	chunk := flag.Int("chunk", 2000, "nodes at a time")
	searches := flag.Int("searches", 6, "from how many nodes")
	flag.Parse()
	r := rand.New(rand.NewSource(1))
	s := &search{dist: make([]int32, *nodes), edges: make([][]int32, *nodes)}
	for i := range s.edges {
		for range *degree / 2 {
			j := r.Intn(*nodes)
			s.edges[i] = append(s.edges[i], int32(j))
			s.edges[j] = append(s.edges[j], int32(i))
		}
	}
	total := 0
	for from := range *searches {
		for i := range s.dist {
			s.dist[i] = -1
		}
		s.dist[from] = 0
		s.frontier, s.next, s.at = []int32{int32(from)}, nil, 0
		for level := int32(1); len(s.frontier) > 0; level++ {
			var wg sync.WaitGroup
			for range *workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for c := s.chunk(*chunk); c != nil; c = s.chunk(*chunk) {
						var out []int32
						for _, v := range c {
							for _, w := range s.edges[v] {
								if s.dist[w] < 0 {
									out = append(out, w)
								}
							}
						}
						s.found(out, level)
					}
				}()
			}
			wg.Wait()
			total += len(s.frontier)
			s.frontier, s.next, s.at = s.next, nil, 0
		}
	}
	fmt.Println(total)
}
