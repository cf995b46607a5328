// Stages is a pipeline whose stages one generic function starts.
package main

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
)

func stage[I, O any](n, buffer int, in <-chan I, f func(I) O) <-chan O {
	out := make(chan O, buffer)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range in {
				out <- f(v)
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func source(n, size int) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		rng := rand.New(rand.NewPCG(4, 4))
		for range n {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(rng.IntN(17))
			}
			out <- b
		}
	}()
	return out
}

func main() {
	packers := flag.Int("packers", 2, "threads that compress")
	hashers := flag.Int("hashers", 2, "threads that hash")
	blocks := flag.Int("blocks", 250, "blocks")
	size := flag.Int("size", 40000, "bytes of a block")
	buffer := flag.Int("buffer", 4, "room between stages")
	flag.Parse()
	packed := stage(*packers, *buffer, source(*blocks, *size), func(b []byte) []byte {
		var w bytes.Buffer
		z, _ := flate.NewWriter(&w, 5)
		z.Write(b)
		z.Close()
		return w.Bytes()
	})
	hashed := stage(*hashers, *buffer, packed, func(b []byte) [32]byte {
		s := sha256.Sum256(b)
		for range 4000 {
			s = sha256.Sum256(s[:])
		}
		return s
	})
	n := 0
	for h := range hashed {
		n += int(h[0])
	}
	fmt.Println(n)
}
