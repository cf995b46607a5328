// Philosophers think and eat; two forks each.
package main

import (
	"flag"
	"fmt"
	"sync"
)

func work(n int) uint64 {
	x := uint64(n)
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func main() {
	philosophers := flag.Int("philosophers", 5, "seats at the table")
	meals := flag.Int("meals", 150, "meals of each")
	think := flag.Int("think", 300000, "steps of a thought")
	eat := flag.Int("eat", 300000, "steps of a meal")
	flag.Parse()
	forks := make([]sync.Mutex, *philosophers)
	var wg sync.WaitGroup
	total := make([]uint64, *philosophers)
	for p := range *philosophers {
		wg.Go(func() {
			left, right := p, (p+1)%*philosophers
			if left > right {
				left, right = right, left
			}
			for range *meals {
				total[p] += work(*think)
				forks[left].Lock()
				forks[right].Lock()
				total[p] += work(*eat)
				forks[right].Unlock()
				forks[left].Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(total[0])
}
