package trail

import (
	"tierscope/analysis/trace"
)

// Kinds of pools of threads.
const (
	PoolMain          = "main"           // the program's first thread
	PoolFixed         = "fixed"          // a pool: all its threads live together
	PoolPerTask       = "per_task"       // short-lived threads, one for each piece of work
	PoolPerConnection = "per_connection" // one for each connection that an accept loop gets
	PoolHelper        = "helper"         // does something for an operation of its parent: runs library code only
	PoolTimer         = "timer"          // started by a timer
	PoolRuntime       = "runtime"        // belongs to the run-time system
)

// Pool is a set of threads with the same function: born at the same place of
// the program and started with the same function.
type Pool struct {
	Name      string
	Kind      string
	Start     string
	Function  string      // start, or the program's function that a start in a library calls
	Created   int32       // site of creation, −1: unknown
	Place     trace.Frame // of the go statement or thread constructor, or of what wraps it (wrappers.go)
	Given     string      // what the program calls its threads, where that tells them from others that begin alike; "": nothing
	Threads   []*trace.Thread
	Sequences []*Sequence // in the order of threads
	MaxAlive  int
	Parent    *Pool // of most of its threads; nil for main
	Burst     int   // so many are always started together; 0: it varies
	Lazy      bool  // a thread is started when there is work for it, until there are enough
	Tree      bool  // its threads start threads of the same group
}

// Size is how many threads one statement starts, or else how many there were at
// once.
func (g *Pool) Size() int {
	if g.Burst > 0 {
		return g.Burst
	}
	return g.MaxAlive
}

// Guests is how many of them only work there while they wait for the others.
func (g *Pool) Guests() int { return g.count(func(t *trace.Thread) bool { return t.Guest }) }

// Hosts is how many of as many threads as its size stand for those who started the others.
func (g *Pool) Hosts() int {
	return g.count(func(t *trace.Thread) bool { return t.Host }) * g.Size() / max(len(g.Threads), 1)
}

// count is how many of its threads are such.
func (g *Pool) count(such func(*trace.Thread) bool) (n int) {
	for _, t := range g.Threads {
		if such(t) {
			n++
		}
	}
	return n
}

// PoolReport says what became of a pool.
type PoolReport struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Threads    int    `json:"threads"`
	MaxAlive   int    `json:"max_alive"`
	Modelled   bool   `json:"modelled"`
	NaiveNodes int    `json:"naive_nodes"` // code fragments seen
	NaiveEdges int    `json:"naive_edges"`
	Nodes      int    `json:"nodes"` // of the reduced graph
	Edges      int    `json:"edges"`
	CPU        int64  `json:"cpu_ns"`
	Place      string `json:"-"` // where its threads are started
}

// StandsIn reports whether a pool stands for what threads of others do by turns.
func (g *Pool) StandsIn() bool { return g.Start == trace.LeaderStart }

// Ticks reports whether a pool stands for a ticker or a limiter.
func (g *Pool) Ticks() bool { return g.Start == trace.TickerStart || g.Start == trace.LimiterStart }
