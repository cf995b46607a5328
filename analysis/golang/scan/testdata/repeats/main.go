// Repeats starts threads that do as much each however many there are, and threads
// that share a certain amount of work out among them.
package main

import (
	"flag"
	"fmt"
	"sync"
)

func main() {
	clients := flag.Int("clients", 4, "threads")
	requests := flag.Int("requests", 100, "of each")
	threads := flag.Int("threads", 2, "threads")
	steps := flag.Int("steps", 10, "steps")
	flag.Parse()
	var wg sync.WaitGroup
	for range *clients {
		wg.Go(func() { // WANT repeats
			for i := 0; i < *requests; i++ {
				fmt.Println(i)
			}
		})
	}
	for c := range *clients {
		wg.Add(1)
		go func() { // WANT repeats
			defer wg.Done()
			talk(c)
		}()
	}
	xs := make([]int, 1000)
	for t := range *threads {
		wg.Add(1)
		go func() { // its share, of which there are so many
			defer wg.Done()
			lo, hi := t*len(xs) / *threads, (t+1)*len(xs) / *threads
			for range *steps {
				for i := lo; i < hi; i++ {
					xs[i]++
				}
			}
		}()
	}
	for c := range *clients {
		wg.Add(1)
		go func() { // from where the others stop
			defer wg.Done()
			for i := c; i < *requests; i++ {
				fmt.Println(i)
			}
		}()
	}
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() { // 250 may be 1000/4
			defer wg.Done()
			for j := 0; j < 250; j++ {
				fmt.Println(i, j)
			}
		}()
	}
	wg.Wait()
}

func talk(c int) {
	for range 50 {
		fmt.Println(c)
	}
}
