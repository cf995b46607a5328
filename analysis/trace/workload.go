package trace

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Workload is the representative run: a program, its arguments, and the load.
type Workload struct {
	Program string            `json:"program"` // package path or directory, jar, executable
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Dir     string            `json:"dir,omitempty"`     // working directory
	Stdin   string            `json:"stdin,omitempty"`   // file that it reads as its standard input; "": there is none
	Cores   int               `json:"cores,omitempty"`   // CPUs it may run on, 0: all
	Prepare string            `json:"prepare,omitempty"` // shell command before every run, such as one that empties a cache
	Load    *Load             `json:"load,omitempty"`    // nil: a batch program that runs to its end
	// Timeout is after how many seconds a batch program is stopped, and what it did
	// until then is all there is. 0: it has to end by itself.
	Timeout float64 `json:"timeout_s,omitempty"`
	// ExitStatus is the status with which a batch program ends when all is well: not
	// 0 for those that tell by it what they found, such as linters.
	ExitStatus int `json:"exit_status,omitempty"`
	// Files are the numbers in files that its arguments name, by the names that they have as settings.
	Files map[string]float64 `json:"files,omitempty"`
}

// Patience is how long a batch program may run; otherwise is for one that has to
// end by itself.
func (w Workload) Patience(otherwise time.Duration) time.Duration {
	if w.Timeout > 0 {
		return time.Duration(w.Timeout * float64(time.Second))
	}
	return otherwise
}

// Endless says what can be done about a batch program that had to be stopped
// after so long; nil if that was what the workload asks for.
func (w Workload) Endless(after time.Duration) error {
	if w.Timeout > 0 || w.Load != nil {
		return nil
	}
	return fmt.Errorf("the program did not end within %v and was stopped: if it is a server, give it a load (--load-url); "+
		"if not, arguments with which it ends, or a time after which to stop it (--timeout 30s)", after)
}

// GetReady executes the Prepare command of the workload.
func (w Workload) GetReady(ctx context.Context) error {
	if w.Prepare == "" {
		return nil
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", w.Prepare)
	cmd.Dir = w.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the command before a run, %q: %w\n%s", w.Prepare, err, out)
	}
	return nil
}

// Load drives a server.
type Load struct {
	URL string `json:"url"` // where requests go: of HTTP, or tcp://host:port for lines of text; of a Command host:port, too
	// Command is a shell command that sends the requests itself, of any protocol (see Told and package load).
	Command     string   `json:"command,omitempty"`
	Targets     []string `json:"targets,omitempty"`     // what ExpandTarget makes of them is drawn at random, one per request; empty: URL itself
	End         string   `json:"end,omitempty"`         // of lines of text: what the last line of an answer begins with; empty: the first is the last
	Headers     []string `json:"headers,omitempty"`     // of HTTP, "Name: value", of every request
	Body        string   `json:"body,omitempty"`        // of HTTP: what every request carries, which is then a POST in place of a GET
	Ready       string   `json:"ready,omitempty"`       // URL or host:port polled until the server answers
	Rate        float64  `json:"rate_per_s,omitempty"`  // open loop
	Constant    bool     `json:"constant,omitempty"`    // open loop: equal interarrival times instead of a Poisson process
	Connections int      `json:"connections,omitempty"` // closed loop: users, when Rate is 0
	Think       float64  `json:"think_s,omitempty"`     // closed loop: mean of an exponential think time
	Reconnect   bool     `json:"reconnect,omitempty"`   // a new connection for every request
	Timeout     float64  `json:"timeout_s,omitempty"`   // of one request, 0: 30
	Warmup      float64  `json:"warmup_s,omitempty"`    // seconds of load before the work phase
	Duration    float64  `json:"duration_s"`
	Seed        uint64   `json:"seed,omitempty"`
}

// Addresses are where requests go: the targets, which are full URLs or paths on the server of the URL, or that URL. A path
// cannot lead to another server, however it begins ("//host/" would by RFC 3986, §4.2).
func (l *Load) Addresses() []string {
	if len(l.Targets) == 0 {
		return []string{l.URL}
	}
	all := l.Paths()
	for i, t := range all {
		if l.Lines() {
			all[i] = "tcp://" + l.Address() + "/" + url.PathEscape(t)
			continue
		}
		if scheme, _, full := strings.Cut(t, "://"); !full || scheme != "http" && scheme != "https" {
			all[i] = resolve(l.URL, t)
		}
	}
	return all
}

// Paths are what all targets stand for, as they are written.
func (l *Load) Paths() (all []string) {
	for _, t := range l.Targets {
		paths, err := ExpandTarget(t)
		if err != nil {
			paths = []string{t} // no page of any server, which says so
		}
		all = append(all, paths...)
	}
	return all
}

// mostPaths is how many a target may stand for: more are a mistake, or somebody's file that wants the memory.
// Convention, sensitivity none.
const mostPaths = 1_000_000

// ExpandTarget returns the paths that a target stands for: "/page/%d.html:500" for 500, numbered from 0, any other for itself.
func ExpandTarget(target string) ([]string, error) {
	i := strings.LastIndexByte(target, ':')
	if i < 0 || strings.Count(target, "%d") != 1 || strings.Contains(target[i:], "%d") {
		return []string{target}, nil
	}
	n, err := strconv.Atoi(target[i+1:])
	if err != nil || n < 1 || n > mostPaths {
		return nil, fmt.Errorf("target %q: a number of paths up to %d was expected after the colon", target, mostPaths)
	}
	paths := make([]string, n)
	for k := range paths {
		paths[k] = strings.Replace(target[:i], "%d", strconv.Itoa(k), 1)
	}
	return paths, nil
}

// resolve is the URL of a path, which may have a query, on the server of another URL.
func resolve(base, path string) string {
	path = "/" + strings.TrimLeft(path, "/")
	b, err1 := url.Parse(base)
	p, err2 := url.Parse(path)
	if err1 != nil || err2 != nil {
		return strings.TrimRight(base, "/") + path // a request of it fails, and says what is wrong
	}
	return b.ResolveReference(p).String()
}
