package analysis

import (
	"strconv"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Pools and channels are called what the text calls them: a function by its name; a literal by the setting that says
// how many threads there are, by the variable that it is stored in, or by where it is started; a channel by its
// variable. What the text calls like something of ours gets its place too.
func TestElementsAreCalledWhatTheTextCallsThem(t *testing.T) {
	t.Parallel()
	at := func(s *script, what string) trace.Frame {
		return trace.Frame{Function: "main.main", File: "main.go", Line: int(s.site("main.main", what)) + 1}
	}
	for name, c := range map[string]struct {
		start, variable, channel string
		args                     []string
		pool, queue              string // %d: the lines of the go statement and of the make
	}{
		"a function with a name":     {start: "consume", pool: "consume", queue: "channel main:%d"},
		"and with a setting":         {start: "consume", args: []string{"-workers", "3"}, pool: "consume", queue: "channel main:%d"},
		"a literal":                  {start: "main.func1", pool: "main@main.go:%d", queue: "channel main:%d"},
		"a literal with a setting":   {start: "main.func1", args: []string{"-workers", "3"}, pool: "workers", queue: "channel main:%d"},
		"a literal in a variable":    {start: "main.func1", variable: "serve", pool: "serve", queue: "channel main:%d"},
		"and with a setting of it":   {start: "main.func1", variable: "serve", args: []string{"-workers", "3"}, pool: "workers", queue: "channel main:%d"},
		"a method on a new thread":   {start: "main.gowrap2", variable: "server.loop", pool: "server.loop", queue: "channel main:%d"},
		"a channel in a variable":    {start: "consume", channel: "jobs", pool: "consume", queue: "jobs"},
		"a channel in a field":       {start: "consume", channel: "server.jobs", pool: "consume", queue: "server.jobs"},
		"a channel that is a sink":   {start: "consume", channel: "done", pool: "consume", queue: "done@main.go:%d"},
		"a variable like the main's": {start: "main.func1", variable: "main", pool: "main@main.go:%d", queue: "channel main:%d"},
	} {
		s := crew(c.start, 3)
		line := func(name, what string) string { return strings.Replace(name, "%d", strconv.Itoa(at(s, what).Line), 1) }
		facts := &trace.Facts{Sites: []trace.FactSite{
			{Frame: at(s, "make"), Op: trace.OpMake.String(), Name: c.channel},
			{Frame: at(s, "go "+c.start), Op: trace.OpSpawn.String(), Name: c.variable}}}
		m, _, err := Build(trail.Input{Trace: s.trace, Facts: facts, Workload: trace.Workload{Args: c.args}}, trail.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pool, queue := line(c.pool, "go "+c.start), line(c.queue, "make")
		if m.Pools[1].ID != pool || m.Graphs[1].ID != pool || m.Queues[0].ID != queue {
			t.Errorf("%s: pool %q with graph %q and queue %q, want %q and %q", name, m.Pools[1].ID, m.Graphs[1].ID, m.Queues[0].ID, pool, queue)
		}
		if _, turned := m.Parameter(queue + "-capacity"); !turned && c.channel != "" {
			t.Errorf("%s: its places are not called like %s", name, queue)
		}
	}
}
