// Pipeline archives a log: it reads records, extracts the interesting fields,
// compresses blocks and writes them in their order. Stages are pools of
// different sizes, joined by bounded channels:
//
//	main: read ──▶ parsers ──▶ compressors ──▶ writer (one thread, restores order)
//
// The slowest stage sets the throughput and, because the channels are
// bounded, holds the earlier ones back.
package main

import (
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"tierscope/testdata/programs/go/report"
)

// block is a task on its way through the stages: it holds log lines first,
// then extracted fields, then compressed bytes.
type block struct {
	index int
	data  []byte
	born  time.Time
}

func main() {
	parsers := flag.Int("parsers", 1, "threads that parse")
	compressors := flag.Int("compressors", 2, "threads that compress")
	blocks := flag.Int("blocks", 600, "of the log")
	lines := flag.Int("lines", 500, "per block")
	queue := flag.Int("queue", 8, "capacity of the channels between stages")
	level := flag.Int("level", 6, "of compression, 1 to 9")
	seed := flag.Uint64("seed", 1, "of the log")
	out := flag.String("out", "", "archive to write; empty: none")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *parsers < 1 || *compressors < 1 || *blocks < 1 || *lines < 1 || *queue < 0 || *level < 1 || *level > 9 {
		log.Fatal("pipeline: sizes must be positive, -queue not negative, -level 1 to 9")
	}
	archive := io.Discard
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		archive = f
	}

	started := time.Now()
	read := make(chan block, *queue)
	parsed := make(chan block, *queue)
	compressed := make(chan block, *queue)
	stage(*parsers, read, parsed, func(b block) block {
		b.data = extract(b.data)
		return b
	})
	stage(*compressors, parsed, compressed, func(b block) block {
		b.data = deflate(b.data, *level)
		return b
	})
	done := make(chan struct{})
	var check string
	var times []time.Duration
	go func() {
		defer close(done)
		check, times = write(archive, compressed)
	}()

	random := rand.New(rand.NewPCG(*seed, 0))
	for i := range *blocks {
		b := block{index: i, born: time.Now()}
		b.data = generate(random, *lines)
		read <- b
	}
	close(read)
	<-done

	if *asJSON {
		if err := report.New("pipeline", *parsers+*compressors, started, check, times).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// stage starts a pool of threads that turn blocks of one channel into blocks
// of the next, which is closed after the last.
func stage(threads int, in <-chan block, out chan<- block, work func(block) block) {
	var pool sync.WaitGroup
	for range threads {
		pool.Go(func() {
			for b := range in {
				out <- work(b)
			}
		})
	}
	go func() {
		pool.Wait()
		close(out)
	}()
}

// write puts the blocks into the archive in the order of their indices and
// returns a checksum and the time that each block took.
func write(w io.Writer, in <-chan block) (string, []time.Duration) {
	sum := crc32.NewIEEE()
	early := make(map[int]block)
	var times []time.Duration
	for next := 0; ; {
		b, ok := early[next]
		if !ok {
			if b, ok = <-in; !ok {
				return fmt.Sprintf("crc32 %08x", sum.Sum32()), times
			}
			if b.index != next {
				early[b.index] = b
				continue
			}
		}
		delete(early, next)
		next++
		if _, err := io.MultiWriter(w, sum).Write(b.data); err != nil {
			log.Fatal(err)
		}
		times = append(times, time.Since(b.born))
	}
}

// generate makes lines like those of a web server's access log.
func generate(random *rand.Rand, lines int) []byte {
	methods := [...]string{"GET", "GET", "GET", "POST", "PUT"}
	var log bytes.Buffer
	for range lines {
		fmt.Fprintf(&log, "10.%d.%d.%d %s /shop/item/%d?ref=%08x %d %d\n",
			random.IntN(256), random.IntN(256), random.IntN(256), methods[random.IntN(len(methods))],
			random.IntN(10000), random.Uint32(), 200+100*random.IntN(3), random.IntN(100000))
	}
	return log.Bytes()
}

// extract keeps host, path without query and status of every line.
func extract(lines []byte) []byte {
	var kept bytes.Buffer
	for line := range strings.Lines(string(lines)) {
		fields := strings.Fields(line)
		if len(fields) != 5 {
			continue
		}
		path, _, _ := strings.Cut(fields[2], "?")
		fmt.Fprintln(&kept, fields[0], path, fields[3])
	}
	return kept.Bytes()
}

func deflate(data []byte, level int) []byte {
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, level)
	if err != nil {
		log.Fatal(err) // the level was checked
	}
	w.Write(data)
	w.Close()
	return small.Bytes()
}
