// Scenes renders scene after scene on a crew of painters; a scene begins when the one before is done.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
)

// crew is a list of jobs for painters, and how many of them are not done yet.
type crew struct {
	mu          sync.Mutex
	work, idle  *sync.Cond
	jobs        []func()
	outstanding int
	over        bool
	painters    sync.WaitGroup
}

func hire(n int) *crew {
	c := &crew{}
	c.work, c.idle = sync.NewCond(&c.mu), sync.NewCond(&c.mu)
	for i := 0; i < n; i++ {
		c.painters.Add(1)
		go c.paint()
	}
	return c
}

func (c *crew) paint() {
	defer c.painters.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.jobs) == 0 && !c.over {
			c.work.Wait()
		}
		if len(c.jobs) == 0 {
			return
		}
		job := c.jobs[0]
		c.jobs = c.jobs[1:]
		c.mu.Unlock()
		job()
		c.mu.Lock()
		if c.outstanding--; c.outstanding == 0 {
			c.idle.Broadcast()
		}
	}
}

func (c *crew) add(job func()) {
	c.mu.Lock()
	c.jobs = append(c.jobs, job)
	c.outstanding++
	c.work.Signal()
	c.mu.Unlock()
}

func (c *crew) await() {
	c.mu.Lock()
	for c.outstanding > 0 {
		c.idle.Wait()
	}
	c.mu.Unlock()
}

func (c *crew) dismiss() {
	c.mu.Lock()
	c.over = true
	c.work.Broadcast()
	c.mu.Unlock()
	c.painters.Wait()
}

func shade(x, y float64, steps int) float64 {
	sum := 0.0
	for i := 0; i < steps; i++ {
		x, y = math.Sin(x*1.7+y), math.Cos(y*1.3-x)
		sum += x * y
	}
	return sum
}

func main() {
	painters := flag.Int("painters", 3, "threads")
	scenes := flag.Int("scenes", 12, "scenes")
	bands := flag.Int("bands", 20, "jobs of a scene")
	steps := flag.Int("steps", 25000, "work for a band, on average")
	flag.Parse()
	c := hire(*painters)
	light := 1.0
	for s := 0; s < *scenes; s++ {
		parts := make([]float64, *bands)
		for b := range parts {
			from := light
			c.add(func() { parts[b] = shade(from, float64(b), *steps/2+b**steps/(*bands)) })
		}
		c.await()
		light = 0
		for _, p := range parts {
			light += p
		}
	}
	c.dismiss()
	fmt.Printf("%.6f\n", light)
}
