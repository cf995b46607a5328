// Command sessions is a shuffle-style ETL job: mappers parse splits of an
// access log and partition the events by user; each reducer owns a partition,
// merges the sorted runs sent by all mappers and cuts them into sessions; the
// partial reports are combined by a binary tree of mergers.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

type event struct {
	user   uint32
	at     uint32
	status uint16
	bytes  uint32
	path   uint64
}

type report struct {
	sessions, events, errors int
	traffic                  uint64
	paths                    map[uint64]int
	lengths                  []uint32 // sorted
}

// group is a minimal errgroup: the first error cancels the others.
type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	cancel context.CancelCauseFunc
}

func (g *group) run(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.cancel(err) })
		}
	})
}

// readSplit stands for reading one file of the log.
func readSplit(n, lines int, seed int64) []byte {
	rng := rand.New(rand.NewSource(seed ^ int64(n)*104729))
	var buf []byte
	for range lines {
		buf = strconv.AppendInt(buf, int64(rng.Intn(86400)), 10)
		buf = append(buf, " u"...)
		buf = strconv.AppendInt(buf, int64(rng.Intn(5000)), 10)
		buf = append(buf, ` "GET /shop/item/`...)
		buf = strconv.AppendInt(buf, int64(rng.ExpFloat64()*200), 10)
		buf = append(buf, `/view?ref=home HTTP/1.1" `...)
		if rng.Intn(50) == 0 {
			buf = append(buf, "503 "...)
		} else {
			buf = append(buf, "200 "...)
		}
		buf = strconv.AppendInt(buf, int64(200+rng.Intn(50000)), 10)
		buf = append(buf, '\n')
	}
	return buf
}

var errLine = errors.New("malformed line")

func parseLine(line []byte) (ev event, err error) {
	ts, rest, ok := bytes.Cut(line, []byte(" u"))
	if !ok {
		return ev, errLine
	}
	user, rest, ok := bytes.Cut(rest, []byte(` "GET `))
	if !ok {
		return ev, errLine
	}
	path, rest, ok := bytes.Cut(rest, []byte(` HTTP/1.1" `))
	if !ok {
		return ev, errLine
	}
	status, size, ok := bytes.Cut(rest, []byte(" "))
	if !ok {
		return ev, errLine
	}
	var v [4]uint64
	for i, f := range [][]byte{ts, user, status, size} {
		if v[i], err = strconv.ParseUint(string(f), 10, 32); err != nil {
			return ev, err
		}
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	h := fnv.New64a()
	h.Write(path)
	return event{uint32(v[1]), uint32(v[0]), uint16(v[2]), uint32(v[3]), h.Sum64()}, nil
}

func byUserTime(a, b event) int {
	return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.at, b.at), cmp.Compare(a.path, b.path), cmp.Compare(a.bytes, b.bytes))
}

// mapSplit parses a split and sends a sorted run to every partition.
func mapSplit(ctx context.Context, data []byte, parts []chan []event) error {
	runs := make([][]event, len(parts))
	for line := range bytes.Lines(data) {
		ev, err := parseLine(bytes.TrimRight(line, "\n"))
		if err != nil {
			return err
		}
		p := ev.user * 2654435761 >> 8 % uint32(len(parts))
		runs[p] = append(runs[p], ev)
	}
	for p, r := range runs {
		slices.SortFunc(r, byUserTime)
		select {
		case parts[p] <- r:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func merge(a, b []event) []event {
	out := make([]event, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if byUserTime(a[0], b[0]) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// reduce keeps a binomial stack of runs, as a bottom-up merge sort does.
func reduce(in <-chan []event, gap uint32) report {
	var stack [][]event
	for r := range in {
		for len(stack) > 0 && len(stack[len(stack)-1]) < 2*len(r) {
			r = merge(stack[len(stack)-1], r)
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, r)
	}
	var all []event
	for i := len(stack) - 1; i >= 0; i-- {
		all = merge(stack[i], all)
	}
	rep := report{paths: map[uint64]int{}, events: len(all)}
	start := 0
	for i, e := range all {
		rep.traffic += uint64(e.bytes)
		rep.paths[e.path]++
		if e.status >= 500 {
			rep.errors++
		}
		if i+1 == len(all) || all[i+1].user != e.user || all[i+1].at-e.at > gap {
			rep.sessions++
			rep.lengths = append(rep.lengths, e.at-all[start].at)
			start = i + 1
		}
	}
	slices.Sort(rep.lengths)
	return rep
}

func combine(a, b report) report {
	for p, n := range b.paths {
		a.paths[p] += n
	}
	a.sessions += b.sessions
	a.events += b.events
	a.errors += b.errors
	a.traffic += b.traffic
	a.lengths = append(a.lengths, b.lengths...)
	slices.Sort(a.lengths)
	return a
}

// mergeTree halves the list of reports until one is left.
func mergeTree(reps []report) report {
	if len(reps) == 1 {
		return reps[0]
	}
	half := len(reps) / 2
	left := make(chan report, 1)
	go func() { left <- mergeTree(reps[:half]) }()
	right := mergeTree(reps[half:])
	return combine(<-left, right)
}

func main() {
	mappers := flag.Int("mappers", 4, "map tasks at a time")
	reducers := flag.Int("reducers", 3, "partitions")
	splits := flag.Int("splits", 160, "files of the log")
	lines := flag.Int("lines", 5000, "lines per file")
	depth := flag.Int("depth", 4, "runs buffered per partition")
	gap := flag.Uint("gap", 1800, "idle seconds that end a session")
	seed := flag.Int64("seed", 7, "seed")
	flag.Parse()

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	parts := make([]chan []event, *reducers)
	reps := make([]report, *reducers)
	var rg sync.WaitGroup
	for p := range parts {
		parts[p] = make(chan []event, *depth)
		rg.Go(func() { reps[p] = reduce(parts[p], uint32(*gap)) })
	}
	mg := group{cancel: cancel}
	var next atomic.Int64
	for range *mappers {
		mg.run(func() error {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= *splits {
					return nil
				}
				if err := mapSplit(ctx, readSplit(n, *lines, *seed), parts); err != nil {
					return fmt.Errorf("split %d: %w", n, err)
				}
			}
			return context.Cause(ctx)
		})
	}
	mg.wg.Wait()
	for _, c := range parts {
		close(c)
	}
	rg.Wait()
	if err := context.Cause(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "sessions:", err)
		os.Exit(1)
	}
	r := mergeTree(reps)
	fmt.Printf("%d events, %d sessions, %d errors, %d paths, %d MB, median length %ds\n",
		r.events, r.sessions, r.errors, len(r.paths), r.traffic>>20, r.lengths[len(r.lengths)/2])
}
