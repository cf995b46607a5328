package consent

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Request is what a project folder asks to execute.
type Request struct {
	Dir      string         // of the project
	Workload trace.Workload // as the folder has it; without a program, only Hows come from there
	Hows     []string       // templates of parameters: they become arguments and variables
}

// Of is the request of a project folder with its workload and its model, which may be nil.
func Of(dir string, w trace.Workload, m *core.Model) Request {
	r := Request{Dir: dir, Workload: w}
	if m != nil {
		for _, p := range m.Parameters {
			if p.How != "" && !slices.Contains(r.Hows, p.How) {
				r.Hows = append(r.Hows, p.How)
			}
		}
	}
	slices.Sort(r.Hows)
	return r
}

// Lines say everything that would be executed or contacted, one thing a line, in
// characters that a terminal shows as they are.
func (r Request) Lines() []string {
	var lines []string
	add := func(what, text string) {
		if text != "" {
			lines = append(lines, fmt.Sprintf("%-12s %s", what, plain(text)))
		}
	}
	w := r.Workload
	if w.Program != "" {
		words := []string{quote(w.Program)}
		for _, a := range w.Args {
			words = append(words, quote(a))
		}
		add("runs", strings.Join(words, " "))
	}
	add("in folder", w.Dir)
	add("before it", w.Prepare)
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		add("variable", name+"="+w.Env[name])
	}
	add("reads", w.Stdin)
	for _, how := range r.Hows {
		add("parameter", how)
	}
	if l := w.Load; l != nil {
		add("load on", l.URL)
		add("load by", l.Command)
		add("waits for", l.Ready)
		for _, a := range l.Addresses() {
			if origin(a) != origin(l.URL) {
				add("load on", a)
			}
		}
	}
	return lines
}

// quote makes a word of a command line readable: a word with spaces in quotes.
func quote(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"\\$&|;<>()`*?") {
		return strconv.Quote(word)
	}
	return word
}

// plain is text as it is, or quoted with escapes if it has characters that do not
// print, or that turn the direction of writing.
func plain(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// Remote are the hosts other than this machine that the load would be sent to, sorted.
func (r Request) Remote() []string {
	if r.Workload.Load == nil {
		return nil
	}
	hosts := map[string]bool{}
	for _, where := range append([]string{r.Workload.Load.URL, r.Workload.Load.Ready}, r.Workload.Load.Addresses()...) {
		if h := host(where); h != "" && !loopback(h) {
			hosts[h] = true
		}
	}
	return slices.Sorted(maps.Keys(hosts))
}

// host is the host of a URL or of host:port, "" of a path.
func host(where string) string {
	if strings.Contains(where, "://") {
		u, err := url.Parse(where)
		if err != nil {
			return where // nobody can say where that goes
		}
		return u.Hostname()
	}
	h, _, err := net.SplitHostPort(where)
	if err != nil || strings.HasPrefix(where, "/") {
		return ""
	}
	return h
}

// origin is the server of a URL, with its port.
func origin(where string) string {
	u, err := url.Parse(where)
	if err != nil {
		return where
	}
	return u.Scheme + "://" + u.Host
}

// loopback reports whether a host is this machine, by its name or address alone:
// names are not looked up.
func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761, §6.3
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// place is the folder by its real name.
func (r Request) place() (string, error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir, nil
}
