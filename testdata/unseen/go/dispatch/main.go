// Command dispatch hands out render jobs: at most so many are on their way at a time.
package main

import (
	"flag"
	"fmt"
	"hash/crc32"
)

type frame struct {
	id   int
	data []byte
}

type done struct {
	id  int
	sum uint32
}

func render(jobs <-chan frame, results chan<- done, passes int) {
	for f := range jobs {
		var sum uint32
		for p := 0; p < passes; p++ {
			sum = crc32.Update(sum, crc32.IEEETable, f.data)
		}
		results <- done{f.id, sum}
	}
}

func generate(n, size int) <-chan frame {
	out := make(chan frame)
	go func() {
		defer close(out)
		for i := 0; i < n; i++ {
			data := make([]byte, size)
			for k := range data {
				data[k] = byte(i * k)
			}
			out <- frame{i, data}
		}
	}()
	return out
}

func main() {
	renderers := flag.Int("renderers", 4, "goroutines")
	inflight := flag.Int("inflight", 6, "frames on their way at most")
	frames := flag.Int("frames", 1500, "frames")
	size := flag.Int("size", 16384, "bytes of a frame")
	passes := flag.Int("passes", 40, "passes over a frame")
	flag.Parse()
	jobs, results := make(chan frame, *inflight), make(chan done)
	for i := 0; i < *renderers; i++ {
		go render(jobs, results, *passes)
	}
	source := generate(*frames, *size)
	under, finished := 0, 0
	var all uint32
	for finished < *frames {
		in := source
		if under >= *inflight {
			in = nil
		}
		select {
		case f, ok := <-in:
			if !ok {
				source = nil
				continue
			}
			under++
			jobs <- f
		case d := <-results:
			under--
			finished++
			all ^= d.sum
		}
	}
	close(jobs)
	fmt.Printf("%d frames %08x\n", finished, all)
}
