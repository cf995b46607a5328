package golang

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tierscope/analysis"
)

// Drive puts a load on a server that is ready: for the warm-up, and then for
// the duration, the work phase, whose begin and end it marks. It returns how
// many requests the server answered between the marks.
type Drive func(ctx context.Context, l *analysis.Load, mark func()) (answered int64, err error)

// drive is the Drive of a Target that has none: a closed loop of connections
// with exponential think times, or an open one with Poisson arrivals.
func drive(ctx context.Context, l *analysis.Load, mark func()) (int64, error) {
	g := &generator{load: l, client: &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 1 << 14, MaxIdleConns: 1 << 14, DisableCompression: true},
	}}
	defer g.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, seconds(l.Warmup+l.Duration))
	defer cancel()
	go func() {
		select {
		case <-time.After(seconds(l.Warmup)):
			mark()
			g.counting.Store(true)
		case <-ctx.Done():
		}
	}()
	if l.Rate > 0 {
		g.open(ctx)
	} else {
		g.closed(ctx)
	}
	mark()
	g.counting.Store(false)
	g.running.Wait()
	if g.answered.Load() == 0 {
		if err, ok := g.failed.Load().(error); ok {
			return 0, fmt.Errorf("load: the server answered no request: %w", err)
		}
		return 0, errors.New("load: the server answered no request in the work phase")
	}
	return g.answered.Load(), nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

type generator struct {
	load     *analysis.Load
	client   *http.Client
	counting atomic.Bool
	answered atomic.Int64
	failed   atomic.Value // error: the last one
	running  sync.WaitGroup
}

// request sends one request and reads the answer. It ends on its own even
// when the load is over: the server is left with nothing to do.
func (g *generator) request(url string) {
	resp, err := g.client.Get(url)
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil && resp.StatusCode >= 500 {
			err = errors.New(url + ": " + resp.Status)
		}
	}
	switch {
	case err != nil:
		g.failed.Store(fmt.Errorf("%w", err))
	case g.counting.Load():
		g.answered.Add(1)
	}
}

func (g *generator) url(r *rand.Rand) string {
	if len(g.load.Targets) == 0 {
		return g.load.URL
	}
	return strings.TrimSuffix(g.load.URL, "/") + "/" + strings.TrimPrefix(g.load.Targets[r.IntN(len(g.load.Targets))], "/")
}

func (g *generator) open(ctx context.Context) {
	r := rand.New(rand.NewPCG(g.load.Seed, 1))
	next := time.Now()
	for {
		next = next.Add(seconds(r.ExpFloat64() / g.load.Rate))
		if !sleep(ctx, time.Until(next)) {
			return
		}
		url := g.url(r)
		g.running.Go(func() { g.request(url) })
	}
}

func (g *generator) closed(ctx context.Context) {
	var users sync.WaitGroup
	for i := range max(1, g.load.Connections) {
		users.Go(func() {
			r := rand.New(rand.NewPCG(g.load.Seed, uint64(i)+2))
			for ctx.Err() == nil {
				g.request(g.url(r))
				if g.load.Think > 0 && !sleep(ctx, seconds(g.load.Think*r.ExpFloat64())) {
					return
				}
			}
		})
	}
	users.Wait()
}

// sleep waits, and says whether ctx still holds.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// runServer starts a server, waits until it is ready, drives the load, and
// stops it.
func runServer(ctx context.Context, exe string, w analysis.Workload, d Drive, dir string, env ...string) (outcome, error) {
	p, err := start(exe, w, dir, env...)
	if err != nil {
		return outcome{}, err
	}
	if err := p.ready(ctx, w.Load); err != nil {
		p.stop()
		return outcome{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-p.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	var (
		mu    sync.Mutex
		marks [2]int64
		cpu   [2]time.Duration
		n     int
	)
	tasks, err := d(ctx, w.Load, func() {
		mu.Lock()
		defer mu.Unlock()
		if n < 2 {
			marks[n] = monotonic()
			cpu[n], _ = cpuTime(p.cmd.Process.Pid)
			n++
		}
	})
	select {
	case <-p.done:
		if f := p.failure(); f != nil {
			return outcome{}, fmt.Errorf("the server ended under load: %w", f)
		}
		return outcome{}, errors.New("the server ended under load, without an error: it must run until it is stopped")
	default:
	}
	end := monotonic()
	p.stop()
	if err != nil {
		return outcome{}, err
	}
	o := p.outcome(end)
	o.work, o.workCPU, o.tasks = marks, cpu[1]-cpu[0], tasks
	return o, nil
}

// ready polls the server until it answers.
func (p *process) ready(ctx context.Context, l *analysis.Load) error {
	where := l.Ready
	if where == "" {
		where = l.URL
	}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		if answers(ctx, where) {
			return nil
		}
		select {
		case <-p.done:
			if f := p.failure(); f != nil {
				return fmt.Errorf("the server ended before it was ready: %w", f)
			}
			return errors.New("the program ended before it was ready to serve: is it a batch program? then give no load")
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer at %s after 60 s: check the address and the program's arguments; %s", where, p.messages())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func answers(ctx context.Context, where string) bool {
	if !strings.Contains(where, "://") {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", where)
		if err != nil {
			return false
		}
		conn.Close()
		return true
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return true
}
