// reports answers questions of users: each report takes a connection of a pool, asks it three times, and gives it back.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"sync"
	"time"
)

type conn struct{ id, used int }

func (c *conn) query(q int) []int {
	time.Sleep(time.Duration(400+q%5*200) * time.Microsecond)
	rows := make([]int, 2000)
	for i := range rows {
		rows[i] = (q*31 + i*17) % 1009
	}
	c.used++
	return rows
}

type pool struct{ free chan *conn }

var errBusy = errors.New("no connection")

func (p *pool) get(ctx context.Context) (*conn, error) {
	select {
	case c := <-p.free:
		return c, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

func (p *pool) put(c *conn) { p.free <- c }

func report(p *pool, n, effort int) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c, err := p.get(ctx)
	if err != nil {
		return 0, err
	}
	var rows [][]int
	for q := range 3 {
		rows = append(rows, c.query(n*3+q))
	}
	p.put(c)
	sum := 0
	for range effort {
		for _, r := range rows {
			for _, x := range r {
				sum += x * x
			}
		}
	}
	return sum, nil
}

func main() {
	users := flag.Int("users", 6, "users at a time")
	conns := flag.Int("conns", 3, "connections")
	reports := flag.Int("reports", 500, "reports")
	effort := flag.Int("effort", 200, "work for a report")
	flag.Parse()
	p := &pool{free: make(chan *conn, *conns)}
	for i := range *conns {
		p.free <- &conn{id: i}
	}
	var next, total int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range *users {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				n := next
				next++
				mu.Unlock()
				if n >= *reports {
					return
				}
				s, err := report(p, n, *effort)
				if err != nil {
					continue
				}
				mu.Lock()
				total += s
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println("total", total)
}
