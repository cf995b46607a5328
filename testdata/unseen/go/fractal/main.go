// Fractal paints the Mandelbrot set: each thread takes the next row until the
// picture is complete.
package main

import (
	"flag"
	"fmt"
	"hash/crc32"
	"sync"
)

type picture struct {
	width, height int
	rows          [][]byte

	mu   sync.Mutex
	next int
}

func escape(x, y float64, limit int) int {
	var a, b float64
	for i := range limit {
		a, b = a*a-b*b+x, 2*a*b+y
		if a*a+b*b > 4 {
			return i
		}
	}
	return limit
}

func (p *picture) paint(row, limit int) {
	line := make([]byte, p.width)
	y := 2.4*float64(row)/float64(p.height) - 1.2
	for i := range line {
		x := 3.2*float64(i)/float64(p.width) - 2.2
		line[i] = byte(255 * escape(x, y, limit) / limit)
	}
	p.rows[row] = line
}

func (p *picture) work(limit int) {
	for {
		p.mu.Lock()
		row := p.next
		p.next++
		p.mu.Unlock()
		if row >= p.height {
			return
		}
		p.paint(row, limit)
	}
}

func main() {
	threads := flag.Int("threads", 3, "that paint")
	width := flag.Int("width", 900, "pixels")
	height := flag.Int("height", 600, "pixels")
	limit := flag.Int("limit", 2000, "iterations of a point")
	flag.Parse()

	p := &picture{width: *width, height: *height, rows: make([][]byte, *height)}
	var wg sync.WaitGroup
	for range *threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.work(*limit)
		}()
	}
	wg.Wait()
	sum := crc32.NewIEEE()
	for _, row := range p.rows {
		sum.Write(row)
	}
	fmt.Printf("%d × %d, %08x\n", p.width, p.height, sum.Sum32())
}
