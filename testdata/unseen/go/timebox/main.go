// timebox counts how many hashes workers make until a timer stops them.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	workers := flag.Int("workers", 2, "workers")
	length := flag.Duration("for", 600*time.Millisecond, "how long")
	flag.Parse()
	stop := make(chan struct{})
	jobs := make(chan int, 16)
	time.AfterFunc(*length, func() { close(stop) })
	go func() {
		defer close(jobs)
		for i := 0; ; i++ {
			select {
			case jobs <- i:
			case <-stop:
				return
			}
		}
	}()
	var n atomic.Int64
	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				h := sha256.Sum256([]byte(fmt.Sprint(j)))
				for k := 0; k < 3000; k++ {
					h = sha256.Sum256(h[:])
				}
				n.Add(1)
			}
		}()
	}
	wg.Wait()
	fmt.Println(n.Load())
}
