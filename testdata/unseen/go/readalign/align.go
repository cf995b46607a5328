package main

import (
	"bytes"
	"fmt"
	"sync"
)

const (
	seedLen  = 12
	seedStep = 8
	band     = 10
	maxHits  = 32
)

// index maps packed seeds to reference positions, in shards by hash.
type index struct {
	ref    []byte
	shards [16]struct {
		mu  sync.Mutex
		pos map[uint32][]int32
	}
}

func pack(b []byte) uint32 {
	var v uint32
	for _, c := range b[:seedLen] {
		v = v<<2 | uint32(c>>1&3)
	}
	return v
}

// buildIndex indexes every second position, with n goroutines over stretches.
func buildIndex(ref []byte, n int) *index {
	x := &index{ref: ref}
	for i := range x.shards {
		x.shards[i].pos = make(map[uint32][]int32, len(ref)/32)
	}
	last := len(ref) - seedLen + 1
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		wg.Add(1)
		go func(lo, hi int) {
			defer wg.Done()
			lo += lo & 1
			for p := lo; p < hi; p += 2 {
				s := pack(ref[p:])
				sh := &x.shards[s%16]
				sh.mu.Lock()
				sh.pos[s] = append(sh.pos[s], int32(p))
				sh.mu.Unlock()
			}
		}(last*w/n, last*(w+1)/n)
	}
	wg.Wait()
	return x
}

// scratch is the working memory of one alignment.
type scratch struct {
	prev, cur []int32
	votes     map[int]int
}

var scratchPool = sync.Pool{New: func() any {
	return &scratch{prev: make([]int32, 2*band+3), cur: make([]int32, 2*band+3), votes: make(map[int]int)}
}}

type result struct {
	text                   []byte
	reads, mapped, correct int
}

func alignChunk(x *index, c *readChunk) result {
	sc := scratchPool.Get().(*scratch)
	defer scratchPool.Put(sc)
	var out bytes.Buffer
	res := result{reads: len(c.reads)}
	for i, r := range c.reads {
		pos, score, strand := x.align(sc, r.seq)
		if pos < 0 {
			fmt.Fprintf(&out, "r%d.%d\t4\t*\t0\t0\t*\t%s\t%s\n", c.id, i, r.seq, r.qual)
			continue
		}
		res.mapped++
		if d := pos - r.truth; d >= -band && d <= band {
			res.correct++
		}
		fmt.Fprintf(&out, "r%d.%d\t%d\tchr1\t%d\t%d\t%dM\t%s\t%s\n", c.id, i, strand*16, pos+1, score, len(r.seq), r.seq, r.qual)
	}
	res.text = out.Bytes()
	return res
}

// align tries both strands and returns the best place.
func (x *index) align(sc *scratch, seq []byte) (pos, score, strand int) {
	pos = -1
	s := append([]byte(nil), seq...)
	for st := 0; st < 2; st++ {
		if st == 1 {
			revComp(s)
		}
		for _, cand := range x.candidates(sc, s) {
			if v := x.extend(sc, s, cand); v > score || v == score && pos >= 0 && cand < pos {
				pos, score, strand = cand, v, st
			}
		}
	}
	if score < len(seq)/2 {
		return -1, 0, 0
	}
	return pos, score, strand
}

// candidates returns start positions that several seeds agree on.
func (x *index) candidates(sc *scratch, s []byte) []int {
	clear(sc.votes)
	for o := 0; o+seedLen <= len(s); o += seedStep - o%2 {
		for k := o; k < o+2 && k+seedLen <= len(s); k++ {
			v := pack(s[k:])
			hits := x.shards[v%16].pos[v]
			if len(hits) > maxHits {
				continue
			}
			for _, p := range hits {
				if d := int(p) - k; d >= 0 && d+len(s)+band < len(x.ref) {
					sc.votes[d]++
				}
			}
		}
	}
	var out []int
	for d, n := range sc.votes {
		if n >= 2 {
			out = append(out, d)
		}
	}
	return out
}

// extend is a banded local alignment of s against the reference at start.
func (x *index) extend(sc *scratch, s []byte, start int) int {
	const match, mismatch, gap = 1, -3, -4
	prev, cur := sc.prev, sc.cur
	clear(prev)
	var best int32
	for i := range s {
		clear(cur)
		for b := 1; b <= 2*band+1; b++ {
			j := start + i + b - 1 - band
			if j < 0 || j >= len(x.ref) {
				continue
			}
			v := prev[b]
			if s[i] == x.ref[j] {
				v += match
			} else {
				v += mismatch
			}
			v = max(v, prev[b+1]+gap, cur[b-1]+gap, 0)
			cur[b] = v
			best = max(best, v)
		}
		prev, cur = cur, prev
	}
	return int(best)
}
