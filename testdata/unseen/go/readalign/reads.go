package main

import (
	"math/rand"
)

const bases = "ACGT"

type read struct {
	seq, qual []byte
	truth     int
}

type readChunk struct {
	id    int
	reads []read
}

// randomGenome makes a reference with some repeated stretches.
func randomGenome(n int) []byte {
	rng := rand.New(rand.NewSource(3))
	g := make([]byte, n)
	for i := range g {
		g[i] = bases[rng.Intn(4)]
	}
	for k := 0; k < n/5000; k++ {
		l := 200 + rng.Intn(300)
		if n <= 2*l {
			break
		}
		copy(g[rng.Intn(n-l):][:l], g[rng.Intn(n-l):][:l])
	}
	return g
}

// simulator stands for the sequencer: it yields reads with errors.
type simulator struct {
	ref []byte
	len int
	rng *rand.Rand
}

func newSimulator(ref []byte, n int) *simulator {
	return &simulator{ref: ref, len: n, rng: rand.New(rand.NewSource(9))}
}

func (s *simulator) chunk(id, n int) *readChunk {
	c := &readChunk{id: id, reads: make([]read, n)}
	for i := range c.reads {
		c.reads[i] = s.read()
	}
	return c
}

func (s *simulator) read() read {
	pos := s.rng.Intn(len(s.ref) - 2*s.len)
	r := read{seq: make([]byte, 0, s.len), qual: make([]byte, s.len), truth: pos}
	for p := pos; len(r.seq) < s.len; p++ {
		switch e := s.rng.Intn(1000); {
		case e < 20:
			r.seq = append(r.seq, bases[s.rng.Intn(4)])
		case e < 23: // deletion
		case e < 26 && len(r.seq)+2 <= s.len: // insertion
			r.seq = append(r.seq, bases[s.rng.Intn(4)], s.ref[p])
		default:
			r.seq = append(r.seq, s.ref[p])
		}
	}
	q := 38
	for i := range r.qual {
		q = max(2, min(40, q+s.rng.Intn(5)-2))
		r.qual[i] = byte('!' + q)
	}
	if s.rng.Intn(2) == 1 {
		revComp(r.seq)
	}
	return r
}

func revComp(b []byte) {
	comp := func(c byte) byte {
		switch c {
		case 'A':
			return 'T'
		case 'C':
			return 'G'
		case 'G':
			return 'C'
		}
		return 'A'
	}
	i, j := 0, len(b)-1
	for ; i < j; i, j = i+1, j-1 {
		b[i], b[j] = comp(b[j]), comp(b[i])
	}
	if i == j {
		b[i] = comp(b[i])
	}
}
