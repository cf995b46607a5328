// Nonce makes a chain of blocks: goroutines look for a number that gives a block a hash with enough zeros, and whoever
// finds one ends the search of the others.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"sync"
)

func search(ctx context.Context, block []byte, from, step uint64, bits int, found chan<- uint64) {
	buf := append(slices.Clone(block), make([]byte, 8)...)
	for n := from; ; n += step {
		if (n/step)%256 == 0 {
			select {
			case <-ctx.Done():
				return
			default:
			}
		}
		binary.BigEndian.PutUint64(buf[len(block):], n)
		h := sha256.Sum256(buf)
		if binary.BigEndian.Uint64(h[:])>>(64-bits) == 0 {
			select {
			case found <- n:
			case <-ctx.Done():
			}
			return
		}
	}
}

func main() {
	workers := flag.Int("workers", 2, "goroutines that search for one nonce")
	blocks := flag.Int("blocks", 100, "blocks of the chain")
	bits := flag.Int("bits", 16, "zeros that a hash has to begin with")
	flag.Parse()
	prev := []byte("genesis")
	for b := 0; b < *blocks; b++ {
		ctx, cancel := context.WithCancel(context.Background())
		found := make(chan uint64)
		var wg sync.WaitGroup
		for w := 0; w < *workers; w++ {
			wg.Add(1)
			go func(w int) {
				defer wg.Done()
				search(ctx, prev, uint64(w), uint64(*workers), *bits, found)
			}(w)
		}
		n := <-found
		cancel()
		wg.Wait()
		h := sha256.Sum256(binary.BigEndian.AppendUint64(prev, n))
		prev = h[:]
	}
	fmt.Printf("%x\n", prev[:4])
}
