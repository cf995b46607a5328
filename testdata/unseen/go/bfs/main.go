// Bfs searches a random graph in breadth, level by level. Threads take chunks of
// a level by counting, and mark vertices atomically.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

type graph struct{ neighbours [][]int32 }

func random(vertices, degree int) *graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := &graph{make([][]int32, vertices)}
	for v := range g.neighbours {
		for range degree {
			g.neighbours[v] = append(g.neighbours[v], r.Int32N(int32(vertices)))
		}
	}
	return g
}

// search returns how many vertices are how far from the first.
func search(g *graph, from int32, threads, chunk int) []int {
	distance := make([]atomic.Int32, len(g.neighbours))
	distance[from].Store(1)
	frontier := []int32{from}
	var levels []int
	for level := int32(2); len(frontier) > 0; level++ {
		levels = append(levels, len(frontier))
		found := make([][]int32, threads)
		var next atomic.Int64
		var wg sync.WaitGroup
		for t := range threads {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for {
					last := int(next.Add(int64(chunk)))
					first := last - chunk
					if first >= len(frontier) {
						return
					}
					for _, v := range frontier[first:min(last, len(frontier))] {
						for _, w := range g.neighbours[v] {
							if distance[w].CompareAndSwap(0, level) {
								found[t] = append(found[t], w)
							}
						}
					}
				}
			}()
		}
		wg.Wait()
		frontier = frontier[:0]
		for _, f := range found {
			frontier = append(frontier, f...)
		}
	}
	return levels
}

func main() {
	threads := flag.Int("threads", runtime.NumCPU(), "threads")
	vertices := flag.Int("vertices", 100000, "of the graph")
	degree := flag.Int("degree", 6, "edges of each")
	chunk := flag.Int("chunk", 2048, "vertices that a thread takes at a time")
	searches := flag.Int("searches", 10, "starts, one after the other")
	flag.Parse()

	g := random(*vertices, *degree)
	for i := range *searches {
		fmt.Println(search(g, int32(i**vertices / *searches), *threads, *chunk))
	}
}
