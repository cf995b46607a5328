// Backup cuts data into chunks where its content says so, and stores each chunk once.
package main

import (
	"compress/flate"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
)

type chunk struct {
	data []byte
	sum  [sha256.Size]byte
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// cut sends the chunks of a file.
func cut(data []byte, mask uint32, out chan<- chunk) {
	h, begin := uint32(0), 0
	for i, b := range data {
		h = h<<1 + uint32(b)*2654435761
		if h&mask == 0 && i-begin > 2048 || i-begin > 1<<16 {
			out <- chunk{data: data[begin : i+1]}
			begin = i + 1
		}
	}
	if begin < len(data) {
		out <- chunk{data: data[begin:]}
	}
}

func main() {
	hashers := flag.Int("hashers", 2, "threads that hash")
	packers := flag.Int("packers", 3, "threads that compress")
	files := flag.Int("files", 24, "files")
	size := flag.Int("kb", 512, "KB of each")
	level := flag.Int("level", 4, "of compression")
	flag.Parse()

	chunks, unique := make(chan chunk, 64), make(chan chunk, 16)
	var mu sync.Mutex
	seen := map[[sha256.Size]byte]bool{}
	var hashing, packing sync.WaitGroup
	for range *hashers {
		hashing.Add(1)
		go func() {
			defer hashing.Done()
			for c := range chunks {
				c.sum = sha256.Sum256(c.data)
				mu.Lock()
				known := seen[c.sum]
				seen[c.sum] = true
				mu.Unlock()
				if !known {
					unique <- c
				}
			}
		}()
	}
	var total sync.Mutex
	stored := 0
	for range *packers {
		packing.Add(1)
		go func() {
			defer packing.Done()
			var n counter
			w, _ := flate.NewWriter(io.Discard, *level)
			for c := range unique {
				n.n = 0
				w.Reset(&n)
				w.Write(c.data)
				w.Close()
				total.Lock()
				stored += n.n
				total.Unlock()
			}
		}()
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range *files {
		data := make([]byte, *size<<10)
		for i := range data {
			data[i] = "etaoin shrdlu"[r.IntN(13)]
		}
		cut(data, 1<<13-1, chunks)
	}
	close(chunks)
	hashing.Wait()
	close(unique)
	packing.Wait()
	fmt.Println(len(seen), "chunks,", stored, "bytes")
}
