package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"tierscope/analysis/trace"
)

const (
	defaultTimeout = 30 * time.Second // of one request
	mostInFlight   = 1000             // requests of an open loop, and so connections; others that are due wait here
)

// Hooks are called at the borders of the phases, one after the other; nil ones
// are skipped.
type Hooks struct {
	WorkStart func() // the warm-up is over
	WorkEnd   func() // the last request of the work phase is due; answers may be outstanding
}

// Drive sends the load and waits for the answers. It returns what it has with
// an error when ctx ends early. Requests that fail are counted, not an error,
// unless all do.
func Drive(ctx context.Context, l trace.Load, hooks Hooks) (*Report, error) {
	if err := Check(l); err != nil {
		return nil, err
	}
	g := &generator{load: l, hooks: hooks}
	var send func(context.Context) (*Report, error)
	if l.Command != "" {
		send = g.byCommand
	} else {
		g.client, g.targets = newClient(l), newTargets(l)
		defer g.client.CloseIdleConnections()
		send = g.byItself
	}
	g.began = time.Now()
	g.clock = monotonic()
	during, cancel := context.WithCancel(ctx)
	defer cancel()
	phases := make(chan struct{})
	go func() {
		defer close(phases)
		g.announce(during)
	}()
	report, err := send(ctx)
	if err != nil {
		cancel() // its phases will not come
	}
	<-phases
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return report, fmt.Errorf("load: %w", context.Cause(ctx))
	case report.Requests > 0 && report.Failures == report.Requests:
		return report, fmt.Errorf("load: all %d requests failed, the first with: %s", report.Requests, report.FirstError)
	}
	return report, nil
}

// byItself sends requests of HTTP.
func (g *generator) byItself(ctx context.Context) (*Report, error) {
	cpu := processCPU()
	var hits []Hit
	if g.load.Rate > 0 {
		hits = g.open(ctx)
	} else {
		hits = g.closed(ctx)
	}
	report := g.report(hits)
	report.CPU = processCPU() - cpu
	return report, nil
}

// byCommand has the load's command send them.
func (g *generator) byCommand(ctx context.Context) (*Report, error) {
	results, cpu, err := g.command(ctx)
	if err != nil {
		return nil, err
	}
	report := g.reportOf(results)
	report.CPU = cpu
	return report, nil
}

// Check reports what is wrong with a load, everything at once.
func Check(l trace.Load) error {
	var errs []error
	complain := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("load: "+format, args...))
		}
	}
	if l.Command != "" {
		_, _, err := net.SplitHostPort(l.Address())
		complain(err != nil, "address %q: host:port of the server was expected, such as 127.0.0.1:11211", l.URL)
		_, err = l.Told("")
		complain(err != nil, "%w", err)
		complain(l.Rate > 0 && !l.Hears(trace.WordRate), "the load command is not told the rate: put %s into it", trace.WordRate)
		complain(l.Rate == 0 && !l.Hears(trace.WordConnections), "the load command is not told how many users there are: put %s into it", trace.WordConnections)
		complain(l.Think > 0 && !l.Hears(trace.WordThink), "the load command is not told how long users think: put %s into it", trace.WordThink)
		complain(len(l.Targets) > 0, "targets are for requests of HTTP; what a load command asks for is its own affair")
	} else {
		u, err := url.Parse(l.URL)
		complain(err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != lines),
			"URL %q: an address such as http://127.0.0.1:8080 was expected, or tcp://host:port, or host:port and a command of yours that sends the load", l.URL)
		complain(l.Lines() && len(l.Targets) == 0, "no targets: the lines to send were expected, such as \"get key%%d:1000\"")
	}
	complain((l.Lines() || l.Command != "") && (len(l.Headers) > 0 || l.Body != ""), "headers and a body are for requests of HTTP")
	_, err := headers(l.Headers)
	complain(err != nil, "%w", err)
	complain(l.Rate < 0, "rate %g/s is negative", l.Rate)
	complain(l.Rate == 0 && l.Connections < 1, "neither a rate (open loop) nor connections (closed loop) given")
	complain(l.Rate > 0 && l.Connections > 0, "both a rate (open loop) and connections (closed loop) given")
	complain(l.Duration <= 0, "duration %gs: must be positive", l.Duration)
	complain(l.Warmup < 0 || l.Think < 0 || l.Timeout < 0, "warm-up, think time and timeout must not be negative")
	return errors.Join(errs...)
}

// generator is the state of one Drive.
type generator struct {
	load    trace.Load
	hooks   Hooks
	client  *http.Client
	targets *targets
	began   time.Time
	clock   int64 // CLOCK_MONOTONIC at began
}

// announce calls the hooks when their time has come.
func (g *generator) announce(ctx context.Context) {
	borders := []struct {
		at   float64
		hook func()
	}{{g.workStart(), g.hooks.WorkStart}, {g.workEnd(), g.hooks.WorkEnd}}
	clock := newSleeper()
	defer clock.close()
	for _, b := range borders {
		clock.until(ctx, g.began.Add(seconds(b.at)))
		if b.hook != nil && ctx.Err() == nil {
			b.hook()
		}
	}
}

// sleepUntil returns at the given time, a millisecond late perhaps, or when ctx ends.
func sleepUntil(ctx context.Context, t time.Time) {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func newClient(l trace.Load) *http.Client {
	timeout := defaultTimeout
	if l.Timeout > 0 {
		timeout = seconds(l.Timeout)
	}
	header, _ := headers(l.Headers) // Check has seen them
	return &http.Client{Transport: &transport{
		dialer: net.Dialer{Timeout: timeout}, timeout: timeout, reconnect: l.Reconnect, last: l.End, idle: map[string][]*connection{},
		header: header, body: l.Body,
	}}
}

// fetch sends one request and reads the answer to its end. It returns how long that is and
// when its end arrived.
func (g *generator) fetch(ctx context.Context, target string) (n int64, arrived time.Time, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return 0, time.Now(), err
	}
	response, err := g.client.Do(request)
	if err != nil {
		return 0, time.Now(), err
	}
	defer response.Body.Close()
	n, err = io.Copy(io.Discard, response.Body)
	if err == nil && response.StatusCode >= 400 {
		err = errors.New(response.Status)
	}
	return n, arrivalOf(response.Header, time.Now()), err
}

func (g *generator) workStart() float64 { return g.load.Warmup }
func (g *generator) workEnd() float64   { return g.load.Warmup + g.load.Duration }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
