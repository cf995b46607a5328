package main

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"sync"
	"sync/atomic"
)

// ---------------------------------------------------------------- messages

type Message struct {
	Seq     uint64
	Topic   string
	Payload []byte
}

// ---------------------------------------------------------------- queue

// Queue is a bounded FIFO; Push waits while it is full, which is what slows
// the publisher down to the pace of the slowest subscriber.
type Queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	buf      []*Message
	head, n  int
	closed   bool
}

func NewQueue(size int) *Queue {
	q := &Queue{buf: make([]*Message, size)}
	q.notEmpty = sync.NewCond(&q.mu)
	q.notFull = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) Push(m *Message) {
	q.mu.Lock()
	for q.n == len(q.buf) {
		q.notFull.Wait()
	}
	q.buf[(q.head+q.n)%len(q.buf)] = m
	q.n++
	q.mu.Unlock()
	q.notEmpty.Signal()
}

func (q *Queue) Pop() (*Message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.n == 0 && !q.closed {
		q.notEmpty.Wait()
	}
	if q.n == 0 {
		return nil, false
	}
	m := q.buf[q.head]
	q.buf[q.head] = nil
	q.head = (q.head + 1) % len(q.buf)
	q.n--
	q.notFull.Signal()
	return m, true
}

func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast()
}

// ---------------------------------------------------------------- broker

type Handler func(m *Message) uint64

type Subscriber struct {
	Name   string
	Topics map[string]bool // nil: everything
	q      *Queue
	handle Handler
	count  atomic.Int64
	digest atomic.Uint64
}

type Broker struct {
	subs []*Subscriber
	wg   sync.WaitGroup
}

func (b *Broker) Subscribe(name string, topics []string, qsize, workers int, h Handler) {
	s := &Subscriber{Name: name, q: NewQueue(qsize), handle: h}
	if len(topics) > 0 {
		s.Topics = map[string]bool{}
		for _, t := range topics {
			s.Topics[t] = true
		}
	}
	b.subs = append(b.subs, s)
	for i := 0; i < workers; i++ {
		b.wg.Add(1)
		go func() {
			defer b.wg.Done()
			for {
				m, ok := s.q.Pop()
				if !ok {
					return
				}
				s.digest.Add(s.handle(m))
				s.count.Add(1)
			}
		}()
	}
}

func (b *Broker) Publish(m *Message) {
	for _, s := range b.subs {
		if s.Topics == nil || s.Topics[m.Topic] {
			s.q.Push(m)
		}
	}
}

func (b *Broker) Shutdown() {
	for _, s := range b.subs {
		s.q.Close()
	}
	b.wg.Wait()
}

// ---------------------------------------------------------------- handlers

// audit chains a few rounds of sha256 over the payload.
func audit(m *Message) uint64 {
	sum := sha256.Sum256(m.Payload)
	for i := 0; i < 40; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return binary.LittleEndian.Uint64(sum[:8])
}

var flaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, 6)
	if err != nil {
		log.Fatal(err)
	}
	return w
}}

// archive compresses the payload.
func archive(m *Message) uint64 {
	var out bytes.Buffer
	w := flaters.Get().(*flate.Writer)
	w.Reset(&out)
	w.Write(m.Payload)
	w.Close()
	flaters.Put(w)
	return uint64(out.Len())
}

// stats treats the payload as a series of readings.
func stats(m *Message) uint64 {
	var mean, m2 float64
	for i, c := range m.Payload {
		d := float64(c) - mean
		mean += d / float64(i+1)
		m2 += d * (float64(c) - mean)
	}
	return uint64(math.Sqrt(m2/float64(len(m.Payload))) * 1000)
}

func main() {
	workers := flag.Int("workers", 2, "workers per subscriber")
	qsize := flag.Int("queue", 32, "queue length of each subscriber")
	messages := flag.Int("messages", 32000, "messages to publish")
	size := flag.Int("size", 1024, "payload size in bytes")
	flag.Parse()

	var b Broker
	b.Subscribe("audit", nil, *qsize, *workers, audit)
	b.Subscribe("archive", []string{"orders", "metrics"}, *qsize, *workers, archive)
	b.Subscribe("stats", []string{"metrics"}, *qsize, *workers, stats)

	rng := rand.New(rand.NewSource(42))
	topics := []string{"orders", "users", "metrics", "metrics"}
	for i := 0; i < *messages; i++ {
		m := &Message{Seq: uint64(i), Topic: topics[rng.Intn(len(topics))], Payload: make([]byte, *size)}
		for j := range m.Payload {
			m.Payload[j] = "abcdefghijklmnop"[(i*j+rng.Intn(3))&15]
		}
		b.Publish(m)
	}
	b.Shutdown()

	for _, s := range b.subs {
		fmt.Printf("%s=%d/%x ", s.Name, s.count.Load(), s.digest.Load())
	}
	fmt.Println()
}
