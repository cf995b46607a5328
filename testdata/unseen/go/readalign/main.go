// Command readalign aligns simulated sequencing reads to a reference genome
// and writes the alignments, in input order, as a compressed SAM-like stream.
package main

import (
	"flag"
	"fmt"
	"log"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("readalign: ")
	workers := flag.Int("workers", 3, "alignment goroutines")
	genome := flag.Int("genome", 600000, "reference length in bases")
	reads := flag.Int("reads", 40000, "number of reads")
	readLen := flag.Int("readlen", 125, "length of a read in bases")
	chunk := flag.Int("chunk", 250, "reads in a chunk")
	queue := flag.Int("queue", 4, "capacity of the chunk channel")
	window := flag.Int("window", 12, "chunks in flight before the reader must wait for the writer")
	flag.Parse()
	if *workers < 1 || *chunk < 1 || *window < 1 || *queue < 0 || *readLen < 2*seedLen || *genome < 4**readLen {
		log.Fatal("bad settings")
	}

	start := time.Now()
	ref := randomGenome(*genome)
	idx := buildIndex(ref, *workers)

	out := newOrdered(*window)
	chunks := make(chan *readChunk, *queue)
	go func() {
		defer close(chunks)
		sim := newSimulator(ref, *readLen)
		for id, left := 0, *reads; left > 0; id++ {
			n := min(*chunk, left)
			left -= n
			out.reserve(id)
			chunks <- sim.chunk(id, n)
		}
	}()

	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for c := range chunks {
				out.put(c.id, alignChunk(idx, c))
			}
		}()
	}
	go func() {
		wg.Wait()
		out.finish()
	}()

	st, err := out.writeAll()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("readalign: %d reads, %d mapped, %d correct, %d KiB out, crc %08x, %.3fs\n",
		st.reads, st.mapped, st.correct, st.bytes>>10, st.crc, time.Since(start).Seconds())
}
