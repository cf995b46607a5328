package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// law is the law of the service time, in ns.
type law struct {
	kind              string
	mean              time.Duration
	shortest, longest time.Duration // seeks
	rotation, perByte float64
	size              int64 // of the disk, bytes
}

// time draws the service time of n bytes after the head has moved by distance.
func (l *law) time(distance int64, n int, random *rand.Rand) float64 {
	transfer := l.perByte * float64(n)
	switch l.kind {
	case "const":
		return float64(l.mean) + transfer
	case "exp":
		return float64(l.mean)*random.ExpFloat64() + transfer
	case "hdd":
		if distance == 0 {
			return transfer
		}
		part := math.Sqrt(math.Abs(float64(distance)) / float64(l.size))
		return float64(l.shortest) + float64(l.longest-l.shortest)*part + l.rotation*random.Float64() + transfer
	}
	log.Fatalf("slowdisk: no law %q", l.kind)
	return 0
}

// request waits for a server of the disk.
type request struct {
	offset    int64
	bytes     int
	write     bool
	arrival   int64
	overtaken int
	done      chan struct{}
}

// disk is servers with one queue.
type disk struct {
	law   law
	order string
	fast  atomic.Bool // no service time at all

	mu     sync.Mutex
	ready  *sync.Cond
	queue  []*request // in order of arrival
	head   int64
	random *rand.Rand
	log    *bufio.Writer
}

func newDisk(l law, order string, seed uint64) *disk {
	d := &disk{law: l, order: order, random: rand.New(rand.NewPCG(seed, 0))}
	d.ready = sync.NewCond(&d.mu)
	return d
}

func (d *disk) logTo(name string) error {
	f, err := os.Create(name)
	if err == nil {
		d.log = bufio.NewWriter(f)
	}
	return err
}

func (d *disk) flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log != nil {
		if err := d.log.Flush(); err != nil {
			log.Print(err)
		}
	}
}

// submit waits for the service of a request.
func (d *disk) submit(offset int64, bytes int, write bool) {
	if d.fast.Load() {
		return
	}
	r := &request{offset: offset, bytes: bytes, write: write, arrival: monotonic(), done: make(chan struct{})}
	d.mu.Lock()
	d.queue = append(d.queue, r)
	d.ready.Signal()
	d.mu.Unlock()
	<-r.done
}

// next takes a request out of the queue, which is not empty.
func (d *disk) next() *request {
	i := 0
	switch d.order {
	case "sstf":
		for j, r := range d.queue {
			if abs(r.offset-d.head) < abs(d.queue[i].offset-d.head) {
				i = j
			}
		}
	case "random":
		i = d.random.IntN(len(d.queue))
	}
	r := d.queue[i]
	for _, o := range d.queue[:i] {
		o.overtaken++
	}
	d.queue = slices.Delete(d.queue, i, i+1)
	return r
}

// serve is one server.
func (d *disk) serve() {
	for {
		d.mu.Lock()
		for len(d.queue) == 0 {
			d.ready.Wait()
		}
		r := d.next()
		begin := monotonic()
		service := d.law.time(r.offset-d.head, r.bytes, d.random)
		d.head = r.offset + int64(r.bytes)
		left := len(d.queue)
		d.mu.Unlock()
		sleepUntil(begin + int64(service))
		close(r.done)
		d.mu.Lock()
		if d.log != nil {
			fmt.Fprintf(d.log, "%d %d %d %d %d %v %d %d\n", r.arrival, begin, monotonic(), r.offset, r.bytes, r.write, left, r.overtaken)
		}
		d.mu.Unlock()
	}
}

func abs(x int64) int64 { return max(x, -x) }

func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		log.Fatal(err)
	}
	return t.Nano()
}

func sleepUntil(at int64) {
	t := unix.NsecToTimespec(at)
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil) == unix.EINTR {
	}
}
