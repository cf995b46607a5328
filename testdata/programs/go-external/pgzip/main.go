// Pgzip compresses generated text with github.com/klauspost/pgzip, a parallel
// gzip that nobody wrote for this project: a goroutine per block, limited by
// the number of blocks in flight.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/klauspost/pgzip"
)

func main() {
	megabytes := flag.Int("mb", 48, "text to compress, MiB")
	block := flag.Int("block", 256<<10, "bytes per block")
	blocks := flag.Int("blocks", 4, "blocks compressed at once")
	level := flag.Int("level", 6, "of compression")
	seed := flag.Uint64("seed", 1, "of the text")
	flag.Parse()

	text := generate(1<<20, *seed)
	started := time.Now()
	sum := crc32.NewIEEE()
	w, err := pgzip.NewWriterLevel(sum, *level)
	if err != nil {
		log.Fatal(err)
	}
	if err := w.SetConcurrency(*block, *blocks); err != nil {
		log.Fatal(err)
	}
	for range *megabytes {
		if _, err := w.Write(text); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	makespan := time.Since(started).Seconds()
	err = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"makespan_s": makespan, "tasks": *megabytes << 20 / *block,
		"throughput_per_s": float64(*megabytes<<20 / *block) / makespan,
		"check":            fmt.Sprintf("crc32 %08x", sum.Sum32()),
	})
	if err != nil {
		log.Fatal(err)
	}
}

// generate makes lines of numbers and words that compress about as well as a
// log file.
func generate(size int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	for b.Len() < size {
		fmt.Fprintf(&b, "%08x GET /item/%d status %d\n", random.Uint32(), random.IntN(5000), 200+random.IntN(4)*100)
	}
	return b.Bytes()[:size]
}
