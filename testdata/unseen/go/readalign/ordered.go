package main

import (
	"compress/gzip"
	"hash"
	"hash/crc32"
	"sync"
)

// ordered puts results back in input order. At most window chunks are between
// reserve and the writer.
type ordered struct {
	mu      sync.Mutex
	ready   *sync.Cond // next chunk has come, or no more will
	space   *sync.Cond // writer has advanced
	pending map[int]result
	next    int
	window  int
	done    bool
}

func newOrdered(window int) *ordered {
	o := &ordered{pending: make(map[int]result), window: window}
	o.ready = sync.NewCond(&o.mu)
	o.space = sync.NewCond(&o.mu)
	return o
}

// reserve blocks until chunk id is inside the window.
func (o *ordered) reserve(id int) {
	o.mu.Lock()
	for id >= o.next+o.window {
		o.space.Wait()
	}
	o.mu.Unlock()
}

func (o *ordered) put(id int, r result) {
	o.mu.Lock()
	o.pending[id] = r
	if id == o.next {
		o.ready.Signal()
	}
	o.mu.Unlock()
}

func (o *ordered) finish() {
	o.mu.Lock()
	o.done = true
	o.mu.Unlock()
	o.ready.Signal()
}

func (o *ordered) take() (result, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		if r, ok := o.pending[o.next]; ok {
			delete(o.pending, o.next)
			return r, true
		}
		if o.done {
			return result{}, false
		}
		o.ready.Wait()
	}
}

func (o *ordered) advance() {
	o.mu.Lock()
	o.next++
	o.mu.Unlock()
	o.space.Signal()
}

type writeStats struct {
	reads, mapped, correct, bytes int
	crc                           uint32
}

type countWriter struct {
	n int
	h hash.Hash32
}

func (c *countWriter) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.h.Write(p)
}

// writeAll compresses the results in order until finish.
func (o *ordered) writeAll() (writeStats, error) {
	var st writeStats
	cw := &countWriter{h: crc32.NewIEEE()}
	zw, err := gzip.NewWriterLevel(cw, gzip.BestSpeed)
	if err != nil {
		return st, err
	}
	for {
		r, ok := o.take()
		if !ok {
			break
		}
		if _, err := zw.Write(r.text); err != nil {
			return st, err
		}
		st.reads += r.reads
		st.mapped += r.mapped
		st.correct += r.correct
		o.advance()
	}
	if err := zw.Close(); err != nil {
		return st, err
	}
	st.bytes, st.crc = cw.n, cw.h.Sum32()
	return st, nil
}
