// Filters filters pictures, some at a time. Every filter splits its rows among
// goroutines of its own, as image libraries do.
package main

import (
	"flag"
	"fmt"
	"sync"
)

func parallel(procs, rows int, f func(<-chan int)) {
	c := make(chan int, rows)
	for i := range rows {
		c <- i
	}
	close(c)
	var wg sync.WaitGroup
	for range procs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(c)
		}()
	}
	wg.Wait()
}

func filter(img [][]float64, procs int) {
	parallel(procs, len(img), func(c <-chan int) {
		for y := range c {
			row := img[y]
			for k := 0; k < 60; k++ {
				for x := 1; x < len(row)-1; x++ {
					row[x] = (row[x-1] + 2*row[x] + row[x+1]) / 4
				}
			}
		}
	})
}

func main() {
	workers := flag.Int("workers", 2, "pictures at a time")
	procs := flag.Int("procs", 2, "goroutines per filter")
	n := flag.Int("n", 60, "pictures")
	flag.Parse()
	jobs := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0.0
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				img := make([][]float64, 64)
				for y := range img {
					img[y] = make([]float64, 512)
					for x := range img[y] {
						img[y][x] = float64((x*y + j) % 255)
					}
				}
				filter(img, *procs)
				filter(img, *procs)
				mu.Lock()
				sum += img[3][4]
				mu.Unlock()
			}
		}()
	}
	for j := range *n {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	fmt.Println(sum)
}
