package predictability

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// threadClock reads the CPU times of the threads of a process while it runs, in
// the scheduler's account of each. The last reading before a thread ends counts.
type threadClock struct {
	names map[string]string
	cpu   map[string]float64
}

// readEvery is the time between readings; a thread loses half of it on average.
const readEvery = 4 * time.Millisecond

func (c *threadClock) follow(pid int, done <-chan struct{}) {
	c.names, c.cpu = map[string]string{}, map[string]float64{}
	t := time.NewTicker(readEvery)
	defer t.Stop()
	for {
		c.read(fmt.Sprintf("/proc/%d/task/", pid))
		select {
		case <-done:
			return
		case <-t.C:
		}
	}
}

func (c *threadClock) read(dir string) {
	threads, err := os.ReadDir(dir)
	if err != nil {
		return // it has ended
	}
	for _, t := range threads {
		id := t.Name()
		// Threads are born with the name of who made them.
		if name := c.names[id]; name == "" || name == "java" {
			if b, err := os.ReadFile(dir + id + "/comm"); err == nil {
				c.names[id] = strings.TrimSuffix(string(b), "\n")
			}
		}
		b, err := os.ReadFile(dir + id + "/schedstat")
		if err != nil {
			continue
		}
		ran, _, _ := strings.Cut(string(b), " ")
		if ns, err := strconv.ParseFloat(ran, 64); err == nil {
			c.cpu[id] = ns / 1e9
		}
	}
}

// of returns the CPU time of the threads whose names begin so, in seconds.
func (c *threadClock) of(names []string) float64 {
	sum := 0.0
	for id, cpu := range c.cpu {
		for _, prefix := range names {
			if strings.HasPrefix(c.names[id], prefix) {
				sum += cpu
				break
			}
		}
	}
	return sum
}
