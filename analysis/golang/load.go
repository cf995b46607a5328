package golang

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"tierscope/analysis"
)

// Drive puts a load on a server that is ready: for the warm-up, and then for
// the duration, the work phase, whose begin and end it marks. It returns how
// many requests the server answered between the marks.
type Drive func(ctx context.Context, l *analysis.Load, mark func()) (answered int64, err error)

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
