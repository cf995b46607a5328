package execution

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"tierscope/analysis/trace"
)

// Drive puts a load on a server that is ready: for the warm-up, and then for
// the duration, the work phase, whose begin and end it marks.
type Drive func(ctx context.Context, l *trace.Load, mark func()) (Answers, error)

// Answers are those of a server between the marks.
type Answers struct {
	Tasks    int64              // how many
	Response trace.ResponseTime // as its clients see it
}

// patience is how long a server may take until it answers.
const patience = 60 * time.Second

// Serve waits until a server is ready, drives the load, and stops it. used
// tells the CPU time of the process so far.
func (r *Process) Serve(ctx context.Context, l *trace.Load, d Drive, used func() time.Duration) (Outcome, error) {
	if err := r.ready(ctx, l); err != nil {
		r.stop()
		return Outcome{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-r.done:
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
	var answers Answers
	err := besides(r.program.Cores, func() (err error) {
		answers, err = d(ctx, l, func() {
			mu.Lock()
			defer mu.Unlock()
			if n < len(marks) {
				marks[n], cpu[n] = Monotonic(), used()
				n++
			}
		})
		return err
	})
	select {
	case <-r.done:
		if f := r.failure(); f != nil {
			return Outcome{}, fmt.Errorf("the server ended under load: %w", f)
		}
		return Outcome{}, errors.New("the server ended under load, without an error: it must run until it is stopped")
	default:
	}
	end := Monotonic()
	r.stop()
	if err != nil {
		return Outcome{}, err
	}
	o := r.outcome(end)
	o.Work, o.WorkCPU, o.Answers = marks, cpu[1]-cpu[0], answers
	return o, nil
}

// ready polls the server until it answers.
func (r *Process) ready(ctx context.Context, l *trace.Load) error {
	where := l.Awaited()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !answers(ctx, where) {
		select {
		case <-r.done:
			if f := r.failure(); f != nil {
				return fmt.Errorf("the server ended before it was ready: %w", f)
			}
			return errors.New("the program ended before it was ready to serve: is it a batch program? then give no load")
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer at %s after %v: check the address and the program's arguments; %s", where, patience, r.messages())
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
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
