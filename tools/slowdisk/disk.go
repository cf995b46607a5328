package main

import (
	"bufio"
	"errors"
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

// request is a read or write on its way through the disk.
type request struct {
	offset    int64
	bytes     int
	write     bool
	arrival   int64
	overtaken int
	left      int   // requests that waited when its service began
	begin     int64 // of its service
	due       int64 // end of its service
	turn      chan struct{}
}

// served is a line of the log.
type served struct {
	*request
	end int64
}

// disk is servers with one queue. There are no threads for the servers: the
// thread that brought a request waits for its end, so that nobody has to be
// woken up between the end of a service and the answer.
type disk struct {
	law     law
	order   string
	servers int
	fast    atomic.Bool // no service time at all

	mu      sync.Mutex
	serving int
	queue   []*request // in order of arrival
	head    int64
	random  *rand.Rand
	name    string // of the log; "": none
	log     []served
}

func newDisk(l law, order string, servers int, seed uint64) *disk {
	return &disk{law: l, order: order, servers: servers, random: rand.New(rand.NewPCG(seed, 0))}
}

// flush appends to the log's file what was served since the last time.
func (d *disk) flush() error {
	d.mu.Lock()
	log := d.log
	d.log = nil
	d.mu.Unlock()
	if d.name == "" {
		return nil
	}
	f, err := os.OpenFile(d.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, r := range log {
		fmt.Fprintf(w, "%d %d %d %d %d %v %d %d\n", r.arrival, r.begin, r.end, r.offset, r.bytes, r.write, r.left, r.overtaken)
	}
	return errors.Join(w.Flush(), f.Close())
}

// submit waits for the service of a request.
func (d *disk) submit(offset int64, bytes int, write bool) {
	r := &request{offset: offset, bytes: bytes, write: write, arrival: monotonic(), turn: make(chan struct{})}
	d.mu.Lock()
	if d.fast.Load() {
		r.begin = r.arrival
		d.log = append(d.log, served{r, r.arrival})
		d.mu.Unlock()
		return
	}
	if d.serving < d.servers {
		d.serving++
		d.serve(r, r.arrival)
		d.mu.Unlock()
	} else {
		d.queue = append(d.queue, r)
		d.mu.Unlock()
		<-r.turn
	}
	sleepUntil(r.due)
	end := monotonic()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, served{r, end})
	if len(d.queue) == 0 {
		d.serving--
		return
	}
	next := d.next()
	d.serve(next, end) // it is served from now on, however late its thread wakes up
	close(next.turn)
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

// serve begins the service of a request.
func (d *disk) serve(r *request, now int64) {
	r.begin = now
	r.due = now + int64(d.law.time(r.offset-d.head, r.bytes, d.random))
	r.left = len(d.queue)
	d.head = r.offset + int64(r.bytes)
}

func abs(x int64) int64 { return max(x, -x) }

func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		log.Fatal(err)
	}
	return t.Nano()
}

// wakeUp is how late a sleeper may be.
const wakeUp = 150 * time.Microsecond

// sleepUntil sleeps, and computes for the last moments, so as to be in time.
func sleepUntil(at int64) {
	t := unix.NsecToTimespec(at - int64(wakeUp))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil) == unix.EINTR {
	}
	for monotonic() < at {
	}
}
