package analyse

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/gui/session"
	"tierscope/measure/load"
	"tierscope/project"
)

// form is what the analyst typed.
type form struct {
	base                    trace.Workload // of the program, if it was analysed before: what there are no fields for
	program, args, env, out string
	cpus                    string
	server                  bool
	url, targets, end       string
	client                  string
	rate, connections       string
	warmup, duration        string
}

// workload turns the form into the representative run. The error names every
// field that is not understood.
func (f form) workload() (trace.Workload, error) {
	var errs []error
	w := trace.Workload{Program: strings.TrimSpace(f.program)}
	if w.Program == f.base.Program {
		w = f.base
		w.Env = nil
	}
	if w.Program == "" {
		errs = append(errs, errors.New("no program is named: type the folder of a Go main package, or a path with a version such as example.com/cmd/x@v1.2.3"))
	}
	var err error
	if w.Args, err = words(f.args); err != nil {
		errs = append(errs, fmt.Errorf("arguments: %w", err))
	}
	assignments, err := words(f.env)
	if err != nil {
		errs = append(errs, fmt.Errorf("environment: %w", err))
	}
	for _, a := range assignments {
		name, value, ok := strings.Cut(a, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("environment: %q is not of the form NAME=VALUE", a))
			continue
		}
		if w.Env == nil {
			w.Env = map[string]string{}
		}
		w.Env[name] = value
	}
	number := func(name, text string, least float64) float64 {
		if strings.TrimSpace(text) == "" {
			return 0
		}
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "/s"), 64)
		if err != nil || v < least {
			errs = append(errs, fmt.Errorf("%s is %q: type a number of at least %g", name, text, least))
		}
		return v
	}
	w.Cores = int(number("CPUs", f.cpus, 1))
	if f.server {
		l := &trace.Load{Seed: 1}
		if w.Load != nil {
			same := *w.Load
			l = &same
		}
		l.URL, l.End, l.Command = strings.TrimSpace(f.url), strings.TrimSpace(f.end), strings.TrimSpace(f.client)
		if l.Targets, err = words(f.targets); err != nil {
			errs = append(errs, fmt.Errorf("paths: %w", err))
		}
		if u, err := url.Parse(l.URL); l.Command == "" && (err != nil || u.Host == "") {
			errs = append(errs, fmt.Errorf("the address is %q: type where requests go, such as http://localhost:8080/", f.url))
		}
		for _, target := range l.Targets {
			if _, err := trace.ExpandTarget(target); err != nil {
				errs = append(errs, err)
			}
		}
		l.Rate = number("requests per second", f.rate, 0)
		l.Connections = int(number("connections", f.connections, 1))
		l.Warmup, l.Duration = number("warm-up", f.warmup, 0), number("duration", f.duration, 0.1)
		if l.Rate == 0 && l.Connections == 0 {
			errs = append(errs, errors.New("the load is missing: type requests per second (open loop), or connections (closed loop)"))
		}
		if len(errs) == 0 {
			errs = append(errs, load.Check(*l))
		}
		w.Load = l
	} else {
		w.Load = nil
	}
	return w, errors.Join(errs...)
}

// folder returns where the project goes.
func (f form) folder() (string, error) {
	dir := strings.TrimSpace(f.out)
	if dir == "" {
		return "", errors.New("the project has no folder yet: type a name that ends in .tier")
	}
	if filepath.Ext(dir) != project.Extension {
		dir += project.Extension
	}
	return dir, nil
}

// command is the study as a command line that does the same.
func (f form) command(from stage.Stage) string {
	dir, err := f.folder()
	if err != nil {
		dir = "P.tier"
	}
	parts := []string{"tierctl", "analyze", "--out", session.Quote(dir)}
	if from != stage.Sample {
		parts = append(parts, "--from", string(from))
	}
	if f.cpus != "" {
		parts = append(parts, "--cpus", session.Quote(f.cpus))
	}
	assignments, _ := words(f.env) // shown as typed if not understood
	for _, a := range assignments {
		parts = append(parts, "--env", session.Quote(a))
	}
	if f.server {
		parts = append(parts, "--load-url", session.Quote(f.url))
		targets, _ := words(f.targets)
		for _, t := range targets {
			parts = append(parts, "--load-target", session.Quote(t))
		}
		if f.end != "" {
			parts = append(parts, "--load-end", session.Quote(f.end))
		}
		if f.client != "" {
			parts = append(parts, "--load-command", session.Quote(f.client))
		}
		if f.rate != "" {
			parts = append(parts, "--load-rate", session.Quote(strings.TrimSuffix(f.rate, "/s")+"/s"))
		}
		if f.connections != "" {
			parts = append(parts, "--load-connections", session.Quote(f.connections))
		}
		if f.warmup != "" {
			parts = append(parts, "--load-warmup", session.Quote(f.warmup+"s"))
		}
		if f.duration != "" {
			parts = append(parts, "--load-duration", session.Quote(f.duration+"s"))
		}
	}
	parts = append(parts, session.Quote(f.program))
	if strings.TrimSpace(f.args) != "" {
		parts = append(parts, "--", strings.TrimSpace(f.args))
	}
	return strings.Join(parts, " ")
}

// words splits text at spaces, outside of quotes.
func words(text string) ([]string, error) {
	var all []string
	var word strings.Builder
	quoted, started := rune(0), false
	for _, r := range text {
		switch {
		case quoted != 0:
			if r == quoted {
				quoted = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quoted, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if started || word.Len() > 0 {
				all = append(all, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteRune(r)
		}
	}
	if quoted != 0 {
		return nil, fmt.Errorf("a quotation mark %c has no end", quoted)
	}
	if started || word.Len() > 0 {
		all = append(all, word.String())
	}
	return all, nil
}
