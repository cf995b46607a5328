package trail

import (
	"tierscope/analysis/trace"
)

// Kinds of thread groups.
const (
	GroupMain       = "main"           // the program's first thread
	GroupFixed      = "fixed"          // a pool: all its threads live together
	GroupPerTask    = "per_task"       // short-lived threads, one for each piece of work
	GroupConnection = "per_connection" // one for each connection that an accept loop gets
	GroupHelper     = "helper"         // does something for an operation of its parent: runs library code only
	GroupTimer      = "timer"          // started by a timer
	GroupRuntime    = "runtime"        // belongs to the run-time system
)

// Group is a set of threads with the same function: born at the same place of
// the program and started with the same function.
type Group struct {
	Name      string
	Kind      string
	Start     string
	Function  string      // start, or the program's function that a start in a library calls
	Created   int32       // site of creation, −1: unknown
	Place     trace.Frame // of the go statement or thread constructor, or of what wraps it (wrappers.go)
	Threads   []*trace.Thread
	Sequences []*Sequence // in the order of threads
	MaxAlive  int
	Parent    *Group // of most of its threads; nil for main
	Burst     int    // so many are always started together; 0: it varies
	Lazy      bool   // a thread is started when there is work for it, until there are enough
	Tree      bool   // its threads start threads of the same group
}

// Size is how many threads one statement starts, or else how many there were at
// once.
func (g *Group) Size() int {
	if g.Burst > 0 {
		return g.Burst
	}
	return g.MaxAlive
}

// GroupReport says what became of a thread group.
type GroupReport struct {
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
}

// Ticks reports whether a group stands for a ticker or a limiter.
func (g *Group) Ticks() bool { return g.Start == trace.TickerStart || g.Start == trace.LimiterStart }
