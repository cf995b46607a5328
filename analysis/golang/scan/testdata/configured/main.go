// Configured reads its settings from a file.
package main

import (
	"encoding/json"
	"os"
	"sync"
)

type config struct {
	Workers int `json:"workers"`
	Cache   struct {
		Size  int
		Limit int `json:"most"`
	} `json:"cache"`
}

// other has one of the names, too.
type other struct{ workers int }

func main() {
	var c config
	text, err := os.ReadFile(os.Args[1])
	if err != nil || json.Unmarshal(text, &c) != nil {
		os.Exit(1)
	}
	jobs := make(chan int, c.Cache.Size) // WANT argument 1 file cache.size capacity
	var wg sync.WaitGroup
	for range c.Workers {
		wg.Go(func() { // WANT argument 1 file workers spawn
			for range jobs {
			}
		})
	}
	for i := range c.Cache.Limit {
		jobs <- i // WANT argument 1 file cache.most loop
	}
	o := other{2}
	for range o.workers {
		jobs <- 0
	}
	close(jobs)
	wg.Wait()
}
