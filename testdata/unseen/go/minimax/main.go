// Command minimax evaluates game trees: every worker takes openings from a list, DEPTH plies each.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

type position struct{ seed uint64 }

func (p position) moves() [4]position {
	var out [4]position
	for i := range out {
		x := p.seed*6364136223846793005 + uint64(i)*1442695040888963407 + 1
		x ^= x >> 29
		out[i] = position{x}
	}
	return out
}

func (p position) score() int { return int(p.seed>>40)%2001 - 1000 }

func search(p position, depth int) int {
	if depth == 0 {
		return p.score()
	}
	best := -1 << 30
	for _, m := range p.moves() {
		if v := -search(m, depth-1); v > best {
			best = v
		}
	}
	return best
}

func arg(i, def int) int {
	if i < len(os.Args) {
		if n, err := strconv.Atoi(os.Args[i]); err == nil {
			return n
		}
	}
	return def
}

func main() {
	workers, depth, openings := arg(1, 3), arg(2, 9), arg(3, 60)
	list := make([]position, openings)
	for i := range list {
		list[i] = position{uint64(i) * 977}
	}
	var mu sync.Mutex
	next, best, which := 0, -1<<30, -1
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(list) {
					return
				}
				v := search(list[i], depth)
				mu.Lock()
				if v > best {
					best, which = v, i
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println("best opening", which, best)
}
