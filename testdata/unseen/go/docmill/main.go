// docmill is an in-process document conversion service.
//
// Clients submit jobs (text, sheet, image) on one request channel. A dispatcher
// keeps a priority queue per class and feeds one worker pool per class. Every
// request carries its own reply channel.
package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"container/heap"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Class int

const (
	Text Class = iota
	Sheet
	Image
	numClasses
)

func (c Class) String() string { return [...]string{"text", "sheet", "image"}[c] }

type config struct {
	clients, jobs, intake, classQueue, backlog     int
	workers                                        [numClasses]int
	paragraphs, rows, side, urgentPct, compression int
	fetch, think                                   time.Duration
}

// Request is one conversion job as the client hands it in.
type Request struct {
	ID, Priority int // lower priority is served first
	Class        Class
	Submitted    time.Time
	Reply        chan Response
}

// Response is what the worker sends back.
type Response struct {
	ID, Bytes int
	Digest    uint64
	Queued    time.Duration
	Err       error
}

type pqItem struct {
	req *Request
	seq int
}

type pq []pqItem

func (q pq) Len() int      { return len(q) }
func (q pq) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *pq) Push(x any)   { *q = append(*q, x.(pqItem)) }
func (q pq) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].req.Priority, q[j].req.Priority), cmp.Compare(q[i].seq, q[j].seq)) < 0
}
func (q *pq) Pop() any {
	n := len(*q) - 1
	it := (*q)[n]
	(*q)[n] = pqItem{}
	*q = (*q)[:n]
	return it
}

type classStats struct {
	jobs, bytes  int
	queued, busy time.Duration
}

// Service owns the dispatcher and the pools.
type Service struct {
	cfg     config
	intake  chan *Request
	classCh [numClasses]chan *Request
	wg      sync.WaitGroup

	mu       sync.Mutex
	stats    [numClasses]classStats
	peakBack int
}

func NewService(cfg config) *Service {
	s := &Service{cfg: cfg, intake: make(chan *Request, cfg.intake)}
	for c := range numClasses {
		s.classCh[c] = make(chan *Request, cfg.classQueue)
	}
	return s
}

func (s *Service) Start() {
	s.wg.Go(s.dispatch)
	for c := range numClasses {
		for range s.cfg.workers[c] {
			s.wg.Go(func() { s.worker(c) })
		}
	}
}

// Close stops the intake; queued jobs are still finished.
func (s *Service) Close() {
	close(s.intake)
	s.wg.Wait()
}

// dispatch moves requests from the intake to the class queues, most urgent first.
func (s *Service) dispatch() {
	var queues [numClasses]pq
	backlog, seq, peak := 0, 0, 0
	in := s.intake
	closed := false
	for !closed || backlog > 0 {
		var out [numClasses]chan *Request
		var head [numClasses]*Request
		for c := range queues {
			if len(queues[c]) > 0 {
				out[c] = s.classCh[c]
				head[c] = queues[c][0].req
			}
		}
		src := in
		if closed || backlog >= s.cfg.backlog {
			src = nil
		}
		sent := numClasses
		select {
		case r, ok := <-src:
			if !ok {
				closed = true
				continue
			}
			heap.Push(&queues[r.Class], pqItem{r, seq})
			seq++
			backlog++
			peak = max(peak, backlog)
		case out[Text] <- head[Text]:
			sent = Text
		case out[Sheet] <- head[Sheet]:
			sent = Sheet
		case out[Image] <- head[Image]:
			sent = Image
		}
		if sent < numClasses {
			heap.Pop(&queues[sent])
			backlog--
		}
	}
	for _, ch := range s.classCh {
		close(ch)
	}
	s.mu.Lock()
	s.peakBack = peak
	s.mu.Unlock()
}

func (s *Service) worker(c Class) {
	conv := converters[c]
	zw, err := flate.NewWriter(io.Discard, s.cfg.compression)
	if err != nil {
		panic(err) // the level is checked in main
	}
	var packed bytes.Buffer
	for req := range s.classCh[c] {
		start := time.Now()
		queued := start.Sub(req.Submitted)
		// the original lies in the object store
		time.Sleep(s.cfg.fetch)
		begin := time.Now()
		out, err := conv(&s.cfg, req.ID)
		resp := Response{ID: req.ID, Queued: queued, Err: err}
		if err == nil {
			packed.Reset()
			zw.Reset(&packed)
			_, werr := zw.Write(out)
			resp.Err = errors.Join(werr, zw.Close())
			h := fnv.New64a()
			h.Write(out)
			resp.Digest = h.Sum64()
			resp.Bytes = packed.Len()
		}
		busy := time.Since(begin)
		s.mu.Lock()
		st := &s.stats[c]
		st.jobs++
		st.bytes += resp.Bytes
		st.queued += queued
		st.busy += busy
		s.mu.Unlock()
		req.Reply <- resp
	}
}

// Convert submits one job and waits for the result.
func (s *Service) Convert(ctx context.Context, id int, c Class, prio int) (Response, error) {
	req := &Request{ID: id, Class: c, Priority: prio, Submitted: time.Now(), Reply: make(chan Response, 1)}
	select {
	case s.intake <- req:
	case <-ctx.Done():
		return Response{}, ctx.Err()
	}
	select {
	case r := <-req.Reply:
		return r, r.Err
	case <-ctx.Done():
		return Response{}, ctx.Err()
	}
}

var converters = [numClasses]func(*config, int) ([]byte, error){convertText, convertSheet, convertImage}

var lexicon = strings.Fields("invoice quarter margin contract clause *annex* supply `ledger` vendor <draft> " +
	"approval *revised* delivery term & notice payment schedule party audit `ref` summary total region")

// convertText renders lightweight markup to HTML.
func convertText(cfg *config, id int) ([]byte, error) {
	rng := rand.New(rand.NewSource(int64(id)*7919 + 1))
	var src strings.Builder
	for p := range cfg.paragraphs {
		if p%5 == 0 {
			fmt.Fprintf(&src, "# Section %d\n", p/5+1)
		}
		for w := range 70 {
			src.WriteString(lexicon[rng.Intn(len(lexicon))])
			if w%14 == 13 {
				src.WriteByte('\n')
			} else {
				src.WriteByte(' ')
			}
		}
		src.WriteByte('\n')
	}
	var out bytes.Buffer
	open := false
	for line := range strings.SplitSeq(src.String(), "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			fmt.Fprintf(&out, "<h1>%s</h1>\n", html.EscapeString(line[2:]))
		case line == "":
			if open {
				out.WriteString("</p>\n")
				open = false
			}
		default:
			if !open {
				out.WriteString("<p>")
				open = true
			}
			for _, w := range strings.Fields(line) {
				if len(w) > 2 && w[0] == '*' {
					w = "<em>" + html.EscapeString(strings.Trim(w, "*")) + "</em> "
				} else {
					w = html.EscapeString(w) + " "
				}
				out.WriteString(w)
			}
		}
	}
	return out.Bytes(), nil
}

// convertSheet reads CSV, groups by region and writes JSON.
func convertSheet(cfg *config, id int) ([]byte, error) {
	rng := rand.New(rand.NewSource(int64(id)*104729 + 3))
	var src bytes.Buffer
	for i := range cfg.rows {
		fmt.Fprintf(&src, "%d,region-%d,%d,\"item, %s\"\n", i, rng.Intn(24), rng.Intn(100000), lexicon[rng.Intn(len(lexicon))])
	}
	type group struct {
		Region string         `json:"region"`
		Cents  int            `json:"cents"`
		Items  map[string]int `json:"items"`
	}
	groups := map[string]*group{}
	rd := csv.NewReader(&src)
	for {
		rec, err := rd.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("sheet %d: %w", id, err)
		}
		cents, err := strconv.Atoi(rec[2])
		if err != nil {
			return nil, err
		}
		g := groups[rec[1]]
		if g == nil {
			g = &group{Region: rec[1], Items: map[string]int{}}
			groups[rec[1]] = g
		}
		g.Cents += cents
		g.Items[rec[3]]++
	}
	return json.Marshal(groups) // sorts the keys
}

// convertImage draws a plasma, blurs it and scales it to a quarter.
func convertImage(cfg *config, id int) ([]byte, error) {
	n := cfg.side
	pix := make([]uint8, n*n)
	seed := uint32(id)*2654435761 + 99
	for i := range pix {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		pix[i] = uint8(seed>>24)/4 + uint8((i%n)*(i/n)/n)
	}
	tmp := make([]uint8, n*n)
	const r = 3
	blur := func(dst, src []uint8, dx, dy int) {
		for y := range n {
			for x := range n {
				sum, cnt := 0, 0
				for k := -r; k <= r; k++ {
					xx, yy := x+k*dx, y+k*dy
					if xx >= 0 && yy >= 0 && xx < n && yy < n {
						sum += int(src[yy*n+xx])
						cnt++
					}
				}
				dst[y*n+x] = uint8(sum / cnt)
			}
		}
	}
	blur(tmp, pix, 1, 0)
	blur(pix, tmp, 0, 1)
	out := make([]byte, 0, n*n/4)
	for y := 0; y+1 < n; y += 2 {
		for x := 0; x+1 < n; x += 2 {
			s := int(pix[y*n+x]) + int(pix[y*n+x+1]) + int(pix[(y+1)*n+x]) + int(pix[(y+1)*n+x+1])
			out = append(out, byte(s/4))
		}
	}
	return out, nil
}

func classify(id int, urgentPct int) (Class, int) {
	h := uint32(id+1) * 2246822519
	h ^= h >> 15
	h *= 3266489917
	h ^= h >> 13
	c := Text
	switch v := h % 10; {
	case v >= 8:
		c = Image
	case v >= 5:
		c = Sheet
	}
	prio := 1
	if int((h>>8)%100) < urgentPct {
		prio = 0
	}
	return c, prio
}

func main() {
	var cfg config
	flag.IntVar(&cfg.clients, "clients", 8, "client goroutines")
	flag.IntVar(&cfg.jobs, "jobs", 800, "jobs in total")
	flag.IntVar(&cfg.workers[Text], "text-workers", 2, "workers for text")
	flag.IntVar(&cfg.workers[Sheet], "sheet-workers", 2, "workers for sheets")
	flag.IntVar(&cfg.workers[Image], "image-workers", 1, "workers for images")
	flag.IntVar(&cfg.intake, "intake", 8, "capacity of the request channel")
	flag.IntVar(&cfg.classQueue, "class-queue", 1, "capacity of each class queue")
	flag.IntVar(&cfg.backlog, "backlog", 32, "most jobs the dispatcher holds")
	flag.IntVar(&cfg.paragraphs, "paragraphs", 30, "paragraphs per text")
	flag.IntVar(&cfg.rows, "rows", 900, "rows per sheet")
	flag.IntVar(&cfg.side, "side", 220, "side of an image in pixels")
	fetch := flag.Int("fetch-us", 1000, "object store latency in us")
	think := flag.Int("think-us", 500, "client think time in us")
	flag.IntVar(&cfg.urgentPct, "urgent", 20, "percent of urgent jobs")
	flag.IntVar(&cfg.compression, "level", 5, "deflate level of results")
	flag.Parse()
	cfg.fetch = time.Duration(*fetch) * time.Microsecond
	cfg.think = time.Duration(*think) * time.Microsecond
	if cfg.clients < 1 || cfg.backlog < 1 || min(cfg.workers[0], cfg.workers[1], cfg.workers[2]) < 1 || cfg.compression < 0 || cfg.compression > 9 {
		fmt.Fprintln(os.Stderr, "docmill: clients, workers and backlog must be positive")
		os.Exit(2)
	}

	start := time.Now()
	svc := NewService(cfg)
	svc.Start()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	sums := make([]uint64, cfg.clients)
	lat := make([][]time.Duration, cfg.clients)
	errs := make(chan error, cfg.clients)
	var wg sync.WaitGroup
	for k := range cfg.clients {
		wg.Go(func() {
			for id := k; id < cfg.jobs; id += cfg.clients {
				c, prio := classify(id, cfg.urgentPct)
				t0 := time.Now()
				r, err := svc.Convert(ctx, id, c, prio)
				if err != nil {
					errs <- fmt.Errorf("job %d: %w", id, err)
					return
				}
				lat[k] = append(lat[k], time.Since(t0))
				sums[k] += r.Digest * uint64(2*id+1)
				time.Sleep(cfg.think)
			}
		})
	}
	wg.Wait()
	svc.Close()
	close(errs)
	for err := range errs {
		fmt.Fprintln(os.Stderr, "docmill:", err)
		os.Exit(1)
	}
	var sum uint64
	var all []time.Duration
	for k := range sums {
		sum += sums[k]
		all = append(all, lat[k]...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	elapsed := time.Since(start)
	for c, st := range svc.stats {
		n := time.Duration(max(st.jobs, 1))
		fmt.Printf("%-6s jobs %4d  packed %8d  queued avg %v  busy avg %v\n", Class(c), st.jobs, st.bytes, (st.queued / n).Round(time.Microsecond), (st.busy / n).Round(time.Microsecond))
	}
	if len(all) > 0 {
		fmt.Printf("latency p50 %v p95 %v  peak backlog %d\n", all[len(all)/2].Round(time.Microsecond), all[len(all)*95/100].Round(time.Microsecond), svc.peakBack)
	}
	fmt.Printf("checksum %016x\nelapsed %.3f s\n", sum, elapsed.Seconds())
}
