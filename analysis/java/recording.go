package java

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/trace"
)

// Marks of the recording (agent/source/tierscope/Probe.java).
const (
	fileMark   = 0x31656c69662d7374
	chunkMark  = 0x6b6e7568632d7374
	headerSize = 64
	recordSize = 24
)

// hit is a record of the recording.
type hit24 struct {
	time   int64 // ns since the start of the recording
	cpu    int64 // ns
	probe  uint16
	end    bool
	object uint32
	arg    int32
	ready  int64 // ns that the thread was ready without a core until now, in all
}

// Numbers of records that are no hits of probes.
const (
	readyProbe = 0xffff // how long its thread was ready, as of the hit before it
	madeProbe  = 0xfffe // an object that was made where the log tells of others
)

// remade is an object, or another part of it, made where others were.
type remade struct {
	time           int64
	place          int
	identity, part uint32
	thread         int64 // id
}

// recording is what the agent wrote: the hits of every thread, in their order.
type recording struct {
	zero      int64 // ns, CLOCK_MONOTONIC: start
	lost      int64
	full      bool
	clock     bool // the CPU clock of threads works
	clockless map[int64]bool
	gap       gap
	made      []remade
	threads   map[int64][]hit24
	kernel    map[int64]int32 // the kernel's numbers of threads, where they are known
	order     []int64
}

// errNoRecording says that the agent did not get as far as recording.
var errNoRecording = errors.New("the agent recorded nothing")

// parseRecording reads the recording file b.
func parseRecording(b []byte) (*recording, error) {
	le := binary.LittleEndian
	if len(b) < headerSize || le.Uint64(b) != fileMark {
		return nil, errNoRecording
	}
	r := &recording{zero: int64(le.Uint64(b[8:])), lost: int64(le.Uint64(b[16:])), clock: le.Uint64(b[24:]) != 0,
		gap:       gap{int64(le.Uint64(b[headFrom:])), int64(le.Uint64(b[headTo:]))},
		clockless: map[int64]bool{}, threads: map[int64][]hit24{}, kernel: map[int64]int32{}}
	for at := headerSize; at+recordSize <= len(b) && le.Uint64(b[at:]) == chunkMark; {
		id, size, kernel := int64(le.Uint64(b[at+8:])), int64(le.Uint32(b[at+16:])), int32(le.Uint32(b[at+20:]))
		if size < recordSize || size%recordSize != 0 || size > int64(len(b)-at) {
			return nil, fmt.Errorf("recording: a chunk of %d bytes at %d of %d", size, at, len(b))
		}
		if _, ok := r.threads[id]; !ok {
			r.order = append(r.order, id)
		}
		if kernel > 0 {
			r.kernel[id] = kernel
		}
		for o := at + recordSize; o < at+int(size); o += recordSize {
			w0, w1, w2 := le.Uint64(b[o:]), le.Uint64(b[o+8:]), le.Uint64(b[o+16:])
			if w0 == 0 && w1 == 0 && w2 == 0 {
				break
			}
			switch hits := r.threads[id]; uint16(w0) {
			case readyProbe:
				if len(hits) > 0 {
					hits[len(hits)-1].ready = int64(w1 >> 20)
				}
				continue
			case madeProbe:
				r.made = append(r.made, remade{int64(w0 >> 16), int(w1 >> 20), uint32(w2 >> 32), uint32(w2), id})
				continue
			}
			if w1&2 != 0 {
				r.clockless[id] = true
			}
			r.threads[id] = append(r.threads[id], hit24{time: int64(w0 >> 16), probe: uint16(w0), cpu: int64(w1 >> 20), end: w1&1 != 0,
				object: uint32(w2 >> 32), arg: int32(w2)})
		}
		at += int(size)
	}
	for _, hits := range r.threads {
		fillReady(hits)
		r.gap.close(hits)
	}
	r.full = r.lost > 0
	return r, nil
}

// cut leaves out what happened after a moment of CLOCK_MONOTONIC.
func (r *recording) cut(until int64) {
	for id, hits := range r.threads {
		n, _ := slices.BinarySearchFunc(hits, until-r.zero, func(h hit24, t int64) int { return cmp.Compare(h.time, t) })
		r.threads[id] = hits[:n]
	}
}

// fillReady completes how long a thread had been ready at every hit. It is known
// where an operation was off the core for long; otherwise what is missing of the
// CPU time between two operations is time without a core.
func fillReady(hits []hit24) {
	known, ready := false, int64(0)
	for i := range hits {
		known = known || hits[i].ready > 0
	}
	for i := range hits {
		h := &hits[i]
		switch {
		case !known:
			return
		case h.ready > 0:
		case i > 0 && !(h.end && !hits[i-1].end && h.probe == hits[i-1].probe):
			ready += max(h.time-hits[i-1].time-(h.cpu-hits[i-1].cpu), 0)
		}
		ready = max(ready, h.ready)
		h.ready = ready
	}
}

// spawned is a start of a thread.
type spawned struct {
	time          int64
	parent, child int64
	identity      uint32
	class, name   string
	stack         []trace.Frame
}

// made is a constructor of a lock, queue or the like.
type made struct {
	time        int64
	identity    uint32
	kind        string
	capacity    int64
	part, other uint32
	class       string
	stack       []trace.Frame
	place       int
	thread      int64 // id
}

// journal is the agent's log.
type journal struct {
	ready    int64 // when the agent was, on the clock of System.nanoTime; 0: it was not
	feature  int   // release of Java
	cores    int
	vm       string
	main     int64 // id of the main thread: 1, since Java 25 3
	startup  int64 // ns of CPU of the main thread when the agent was ready
	spawns   []spawned
	made     []made
	forkers  map[int64]forker // threads of ForkJoinPools, by id
	troubles []string
	deadlock string // threads that wait for each other; "": none
}

// readJournal reads the agent's log. Lines that it does not understand, the
// last one of a program that was killed, are left out.
func readJournal(name string) (*journal, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("log of the agent: %w", err)
	}
	defer f.Close()
	j := &journal{forkers: map[int64]forker{}}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		j.line(strings.Split(in.Text(), "\t"))
	}
	return j, in.Err()
}

func (j *journal) line(w []string) {
	number := func(i int) int64 {
		n, err := strconv.ParseInt(w[i], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	switch {
	case w[0] == "ready" && len(w) == 7:
		j.ready, j.feature, j.cores, j.vm, j.startup, j.main = number(1), int(number(2)), int(number(3)), w[4], number(5), number(6)
	case w[0] == "trouble":
		j.troubles = append(j.troubles, strings.Join(w[1:], ": "))
	case w[0] == "deadlock" && len(w) == 2:
		j.deadlock = w[1]
	case w[0] == "spawn" && len(w) == 8:
		j.spawns = append(j.spawns, spawned{number(1), number(2), number(3), uint32(number(4)), w[5], w[6], parseStack(w[7])})
	case w[0] == "forker" && len(w) == 4:
		j.forkers[number(1)] = forker{uint32(number(2)), int(number(3))}
	case w[0] == "made" && len(w) == 11:
		j.made = append(j.made, made{number(1), uint32(number(2)), w[3], number(4), uint32(number(5)), uint32(number(6)), w[7], parseStack(w[8]), int(number(9)), number(10)})
	}
}

// again adds the objects of which the log tells only where others like them
// were made.
func (j *journal) again(rs []remade) {
	places := map[int]made{}
	for _, m := range j.made {
		places[m.place] = m
	}
	last := map[uint32]int{}
	for _, r := range rs {
		if i, ok := last[r.identity]; ok && j.made[i].time == r.time {
			j.made[i].other = r.part
			continue
		}
		m, ok := places[r.place]
		if !ok {
			continue
		}
		m.time, m.identity, m.part, m.other, m.thread = r.time, r.identity, r.part, 0, r.thread
		last[r.identity] = len(j.made)
		j.made = append(j.made, m)
	}
}

// parseStack reads frames as the agent writes them: innermost first, the index
// of the bytecode last where it is known.
func parseStack(s string) []trace.Frame {
	var fs []trace.Frame
	for _, f := range strings.Split(s, "|") {
		p := strings.Split(f, ";")
		if len(p) != 4 && len(p) != 5 {
			continue
		}
		class := strings.ReplaceAll(p[0], ".", "/")
		line, err := strconv.Atoi(p[3])
		if err != nil || line < 0 {
			line = 0
		}
		frame := trace.Frame{Function: class + "." + p[1], File: p[2], Line: line, Std: isJDK(class)}
		if len(p) == 5 {
			frame.At, _ = strconv.Atoi(p[4]) // 0 if the line was cut off
		}
		fs = append(fs, frame)
	}
	return unwrapped(fs)
}
