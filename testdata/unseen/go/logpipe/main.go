// Logpipe carries log lines from producers through parsers to a file. Lines
// are written in batches: when there are enough, or when the oldest has waited
// long enough.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type record struct {
	level   string
	status  int
	latency time.Duration
	path    string
}

func produce(id, lines int, pause time.Duration, out chan<- string) {
	random := rand.New(rand.NewPCG(uint64(id), 11))
	for i := range lines {
		out <- fmt.Sprintf("level=%s status=%d latency=%dus path=/item/%d/%d", []string{"info", "warn", "error"}[random.IntN(3)],
			200+100*random.IntN(4), random.IntN(100000), id, i)
		if i%20 == 19 {
			time.Sleep(pause)
		}
	}
}

func parse(line string) (record, error) {
	var r record
	for _, field := range strings.Fields(line) {
		k, v, ok := strings.Cut(field, "=")
		if !ok {
			return r, fmt.Errorf("no = in %q", field)
		}
		var err error
		switch k {
		case "level":
			r.level = v
		case "status":
			r.status, err = strconv.Atoi(v)
		case "latency":
			r.latency, err = time.ParseDuration(v)
		case "path":
			r.path = v
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// ship writes batches until records is closed.
func ship(records <-chan record, size int, every time.Duration, file *os.File) (batches, bytesOut int) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	var batch []record
	flush := func() {
		if len(batch) == 0 {
			return
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for _, r := range batch {
			fmt.Fprintf(z, "{%q:%q,%q:%d,%q:%d,%q:%q}\n", "level", r.level, "status", r.status, "latency", r.latency, "path", r.path)
		}
		z.Close()
		n, err := file.Write(b.Bytes())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		batches++
		bytesOut += n
		batch = batch[:0]
	}
	for {
		select {
		case r, ok := <-records:
			if !ok {
				flush()
				return batches, bytesOut
			}
			batch = append(batch, r)
			if len(batch) >= size {
				flush()
			}
		case <-ticker.C:
			flush()
		}
	}
}

func main() {
	producers := flag.Int("producers", 3, "threads that log")
	parsers := flag.Int("parsers", 2, "threads that parse")
	lines := flag.Int("lines", 800, "of each producer")
	batch := flag.Int("batch", 100, "lines that are written together")
	every := flag.Duration("flush", 20*time.Millisecond, "longest wait of a line")
	pause := flag.Duration("pause", 2*time.Millisecond, "of a producer after 20 lines")
	flag.Parse()

	file, err := os.CreateTemp("", "logpipe-*.gz")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.Remove(file.Name())
	defer file.Close()

	raw := make(chan string, 64)
	records := make(chan record, 64)
	var producing, parsing sync.WaitGroup
	for id := range *producers {
		producing.Add(1)
		go func() {
			defer producing.Done()
			produce(id, *lines, *pause, raw)
		}()
	}
	for range *parsers {
		parsing.Add(1)
		go func() {
			defer parsing.Done()
			for line := range raw {
				if r, err := parse(line); err == nil {
					records <- r
				}
			}
		}()
	}
	go func() {
		producing.Wait()
		close(raw)
		parsing.Wait()
		close(records)
	}()
	batches, size := ship(records, *batch, *every, file)
	fmt.Printf("%d batches, %d bytes\n", batches, size)
}
