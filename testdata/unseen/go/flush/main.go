// Command flush: sensors measure, a writer compresses what they say, in batches that are full or old enough.
package main

import (
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"math/rand"
	"sync"
	"time"
)

type reading struct {
	sensor, n int
	text      []byte
}

func main() {
	sensors := flag.Int("sensors", 12, "sensors")
	readings := flag.Int("readings", 300, "readings of each")
	batch := flag.Int("batch", 16, "most readings written at once")
	age := flag.Duration("age", 4*time.Millisecond, "longest wait of a reading")
	pause := flag.Duration("pause", time.Millisecond, "between readings")
	flag.Parse()
	in := make(chan reading, 64)
	var wg sync.WaitGroup
	for s := range *sensors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(s)))
			for n := range *readings {
				time.Sleep(time.Duration(float64(*pause) * (0.5 + r.Float64())))
				b := make([]byte, 0, 4096)
				for len(b) < 4000 {
					b = fmt.Appendf(b, "%d:%d:%x;", s, n, r.Intn(1000))
				}
				in <- reading{s, n, b}
			}
		}()
	}
	done := make(chan int)
	go func() {
		written := 0
		for {
			var rs []reading
			open := true
			timer := time.NewTimer(*age)
		fill:
			for len(rs) < *batch {
				select {
				case r, ok := <-in:
					if !ok {
						open = false
						break fill
					}
					rs = append(rs, r)
				case <-timer.C:
					break fill
				}
			}
			timer.Stop()
			if len(rs) > 0 {
				var out bytes.Buffer
				w, _ := flate.NewWriter(&out, 6)
				for _, r := range rs {
					w.Write(r.text)
				}
				w.Close()
				written += out.Len()
				time.Sleep(2 * time.Millisecond) // the disk
			}
			if !open {
				break
			}
		}
		done <- written
	}()
	wg.Wait()
	close(in)
	fmt.Println(<-done, "bytes")
}
