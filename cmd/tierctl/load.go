package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/trace"
)

// driveFlags describe the load on a server.
type driveFlags struct {
	url, ready, rate    string
	command, end        string
	body                string
	targets, headers    []string
	connections         int
	constant, reconnect bool
	think               time.Duration
	warmup, duration    time.Duration
	seed                uint64
}

func (l *driveFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.url, "load-url", "", "address of the server under load; without one the program is a batch program. tcp://host:port: requests are lines of text, those of --load-target; "+
		"host:port: --load-command sends them")
	f.StringVar(&l.command, "load-command", "", "shell COMMAND of yours that sends the load, of any protocol, and tells of each request: a table sent_s,end_s in seconds, or "+
		"throughput_per_s, response_mean_s and response_p50_s as a line of JSON. It is told {address}, {rate}, {connections}, {think}, {warmup}, {duration}, {seconds} (the two "+
		"together), {seed} and {results}, a file that it may write instead of printing")
	f.StringArrayVar(&l.targets, "load-target", nil, "path to request, drawn at random from all given; repeatable; NAME%d:N stands for N paths")
	f.StringVar(&l.end, "load-end", "", "of a server with lines of text: what the last line of an answer begins with, such as END; without, the first is the last")
	f.StringArrayVar(&l.headers, "load-header", nil, "header of every request, such as 'Accept-Encoding: gzip'; repeatable")
	f.StringVar(&l.body, "load-body", "", "what every request carries, by POST; @FILE: what is in it")
	f.StringVar(&l.ready, "load-ready", "", "URL or host:port to wait for before the load (default: --load-url)")
	f.StringVar(&l.rate, "load-rate", "", "open loop: requests per second, such as 120/s")
	f.BoolVar(&l.constant, "load-constant", false, "open loop: equal times between requests instead of a Poisson process")
	f.IntVar(&l.connections, "load-connections", 0, "closed loop: users that send one request after the other")
	f.DurationVar(&l.think, "load-think", 0, "closed loop: mean of an exponential think time")
	f.BoolVar(&l.reconnect, "load-reconnect", false, "a new connection for every request")
	f.DurationVar(&l.warmup, "load-warmup", time.Second, "load before the work phase")
	f.DurationVar(&l.duration, "load-duration", 10*time.Second, "length of the work phase")
	f.Uint64Var(&l.seed, "load-seed", 1, "of arrival times, targets and think times")
}

// load returns what the flags describe, nil for a batch program.
func (l *driveFlags) load() (*trace.Load, error) {
	if l.url == "" {
		return nil, nil
	}
	out := &trace.Load{
		URL: l.url, Command: l.command, End: l.end, Ready: l.ready, Constant: l.constant, Connections: l.connections, Reconnect: l.reconnect,
		Headers: l.headers, Think: l.think.Seconds(), Warmup: l.warmup.Seconds(), Duration: l.duration.Seconds(), Seed: l.seed,
	}
	body, err := textOf(l.body)
	if err != nil {
		return nil, fmt.Errorf("--load-body: %w", err)
	}
	out.Body = body
	for _, target := range l.targets {
		if _, err := trace.ExpandTarget(target); err != nil {
			return nil, fmt.Errorf("--load-target: %w", err)
		}
		out.Targets = append(out.Targets, target)
	}
	if l.rate != "" {
		rate, err := number(l.rate)
		if err != nil {
			return nil, fmt.Errorf("--load-rate: %w", err)
		}
		out.Rate = rate
	}
	return out, nil
}

// change returns the load of an earlier stage with what the flags that were
// given say instead: all of it if they name a server.
func (l *driveFlags) change(given func(flag string) bool, before *trace.Load) (*trace.Load, error) {
	if l.url != "" {
		return l.load()
	}
	flags, err := (&driveFlags{targets: l.targets, rate: l.rate, body: l.body, url: "of the load before"}).load()
	if err != nil {
		return nil, err
	}
	out := trace.Load{}
	if before != nil {
		out = *before
	}
	for _, c := range []struct {
		flag string
		set  func()
	}{
		{"load-target", func() { out.Targets = flags.Targets }},
		{"load-header", func() { out.Headers = l.headers }},
		{"load-body", func() { out.Body = flags.Body }},
		{"load-command", func() { out.Command = l.command }},
		{"load-end", func() { out.End = l.end }},
		{"load-ready", func() { out.Ready = l.ready }},
		{"load-rate", func() { out.Rate = flags.Rate }},
		{"load-constant", func() { out.Constant = l.constant }},
		{"load-connections", func() { out.Connections = l.connections }},
		{"load-think", func() { out.Think = l.think.Seconds() }},
		{"load-reconnect", func() { out.Reconnect = l.reconnect }},
		{"load-warmup", func() { out.Warmup = l.warmup.Seconds() }},
		{"load-duration", func() { out.Duration = l.duration.Seconds() }},
		{"load-seed", func() { out.Seed = l.seed }},
	} {
		if !given(c.flag) {
			continue
		}
		if before == nil {
			return nil, fmt.Errorf("--%s: which server? give --load-url", c.flag)
		}
		c.set()
	}
	if before == nil {
		return nil, nil
	}
	return &out, nil
}

// textOf is the text itself, or what is in the file that it names after an @.
func textOf(s string) (string, error) {
	file, named := strings.CutPrefix(s, "@")
	if !named {
		return s, nil
	}
	text, err := os.ReadFile(file)
	return string(text), err
}
