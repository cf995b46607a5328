// Adaptive integrates a function; an interval that is not exact enough is halved, and both halves go to the pool.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
)

type interval struct{ a, b, whole float64 }

type pool struct {
	mu     sync.Mutex
	todo   chan interval
	open   int
	sum    float64
	within float64
}

func f(x float64) float64 {
	s := 0.0
	for k := 1; k < 40; k++ {
		s += math.Sin(float64(k)*x*x) / float64(k)
	}
	return s
}

func simpson(a, b float64, n int) float64 {
	h := (b - a) / float64(n)
	s := f(a) + f(b)
	for i := 1; i < n; i++ {
		s += float64(2+2*(i%2)) * f(a+float64(i)*h)
	}
	return s * h / 3
}

func (p *pool) work() {
	for i := range p.todo {
		m := (i.a + i.b) / 2
		l, r := simpson(i.a, m, 64), simpson(m, i.b, 64)
		if math.Abs(l+r-i.whole) > p.within {
			p.mu.Lock()
			p.open++
			p.mu.Unlock()
			p.todo <- interval{i.a, m, l}
			p.todo <- interval{m, i.b, r}
			continue
		}
		p.mu.Lock()
		p.sum += l + r
		p.open--
		last := p.open == 0
		p.mu.Unlock()
		if last {
			close(p.todo)
		}
	}
}

func main() {
	workers := flag.Int("workers", 4, "threads")
	parts := flag.Int("parts", 8, "intervals at first")
	to := flag.Float64("to", 60, "end")
	exact := flag.Float64("exact", 1e-9, "error of an interval")
	flag.Parse()
	p := &pool{todo: make(chan interval, 1<<16), open: *parts, within: *exact}
	for i := range *parts {
		a, b := *to*float64(i)/float64(*parts), *to*float64(i+1)/float64(*parts)
		p.todo <- interval{a, b, simpson(a, b, 64)}
	}
	var wg sync.WaitGroup
	for range *workers {
		wg.Go(p.work)
	}
	wg.Wait()
	fmt.Println(p.sum)
}
