package trail

import (
	"strings"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Node is a code fragment that is an operation (c_io, c_sync, c_in, c_out, …)
// in one calling context. Computations need no node of their own: a c_cpu
// fragment is the pair of the operations before and after it, because
// coincident probe hits overlap (Tarvo & Reiss 2014, §4.3).
type Node struct {
	Key        string
	Op         trace.Op
	Class      core.FragmentClass
	Site       int32
	Place      trace.Frame // where the analyst looks for it
	Context    []string    // library calls, outermost first
	Virtual    string      // for nodes that Build adds: "fetch", "nofetch", "done", …
	Of         *Node       // of a virtual node: the node that it belongs to
	Copied     *Node       // of a copy: the original
	Child      *Pool       // of a spawn or join
	CaseLock   *Resource   // of the successor of a select
	CaseSends  bool
	CaseClosed bool        // the channel was closed
	Fetches    bool        // a case of a select that takes a task
	Makes      bool        // the object of a call
	Links      bool        // makes one of a chain
	Timed      bool        // of a delay: until the time of a timer of the run-time system, which the thread has asked for
	SetAt      trace.Frame // of such a delay: where the timer is set
	Earlier    int         // of an operation on an object of a call: so many others were made after it
	Loop       *Loop       // of an exact loop
}

// Step is one execution of a node in a thread, with the computation that came
// before it.
type Step struct {
	Node       *Node
	Gap        int64 // ns of CPU used since the previous step
	GapWall    int64 // ns since the previous step
	Start, End int64 // ns
	CPU        int64 // ns of CPU inside the operation, system calls excluded
	sys        int64 // ns inside system calls
	Ready      int64 // ns ready to run without a core
	Off        int64 // ns of the operation that it was off the core, and not for want of one
	Waited     int64 // ns that another thread held the lock that this one asked for
	Wait       int64 // of a delay: ns off the core
	Object     uint64
	Arg        int64 // of the start probe
	Result     int64 // of the end probe
	Value      uint64
	Sends      bool      // the chosen case of a select sends
	TimedOut   bool      // its time was up: it got nothing from a queue that was not closed
	Open       bool      // the operation had not ended when the recording did
	Lock       *Resource // that object belongs to; nil: none
	Starts     int64     // threads that a spawn starts, 0 means 1; tasks that are shared out
	Earlier    int       // of an object of a call: so many others were made after it
	Folded     bool      // no computation before this step: it was insignificant
	OS         int32     // of an operation on files: thread of the system
	Read       int64     // bytes that it read from disks
	Requests   []DiskRequest
}

// Wall is the time that the operation took, ns.
func (s *Step) Wall() int64 { return s.End - s.Start }

// Sequence is the trace of one thread as a sequence of code fragments. The
// first step is the begin of the thread or of the recording; the last one its
// end, unless the thread was alive when the recording stopped (cut).
type Sequence struct {
	Thread *trace.Thread
	Steps  []Step
	Cut    bool
	Left   bool // began before the recording or the phase that is looked at
}

// NodeTable interns nodes: one per operation and context.
type NodeTable struct {
	sites   []trace.Site
	library Library
	ByKey   map[string]*Node
	bySite  map[siteOp]*Node
	Begin   *Node
	End     *Node
	Offers  []trace.Offer // of selects
	Scope   string        // the group whose nodes are asked for: groups share no nodes
}

type siteOp struct {
	site  int32
	op    trace.Op
	scope string
}

// NewNodeTable returns an empty table for a trace with these sites; library splits nodes, nil: by the whole
// calling context.
func NewNodeTable(sites []trace.Site, library Library) *NodeTable {
	if library == nil {
		library = EveryFunction
	}
	t := &NodeTable{sites: sites, library: library, ByKey: map[string]*Node{}, bySite: map[siteOp]*Node{}}
	t.Begin = t.Virtual("begin", nil, core.DispatchFragment)
	t.End = t.Virtual("end", nil, core.DispatchFragment)
	return t
}

// Of returns the node of an operation at a site.
func (t *NodeTable) Of(op trace.Op, site int32) *Node {
	k := siteOp{site, op, t.Scope}
	if n := t.bySite[k]; n != nil {
		return n
	}
	frames := trace.FramesAt(t.sites, site)
	context := CallingContext(frames, t.library)
	at := trace.Frame{}
	if len(frames) > 0 {
		at = frames[0]
	}
	key := t.Scope + "\x00" + op.String() + "\x00" + trace.Spot(at) + "\x00" + strings.Join(context, "\x00")
	place := trace.UserFrame(frames)
	if site >= 0 && int(site) < len(t.sites) && t.sites[site].Fragment != "" {
		place.Function = t.sites[site].Fragment // the name that the programmer gave it
		key += "\x00" + place.Function
	}
	n := t.ByKey[key]
	if n == nil {
		n = &Node{Key: key, Op: op, Class: op.Class(), Site: site, Place: place, Context: context}
		t.ByKey[key] = n
	}
	t.bySite[k] = n
	return n
}

// Virtual returns a node that no probe reported. of may be nil.
func (t *NodeTable) Virtual(name string, of *Node, class core.FragmentClass) *Node {
	key := "virtual\x00" + name
	if of != nil {
		key += "\x00" + of.Key
	}
	n := t.ByKey[key]
	if n == nil {
		n = &Node{Key: key, Class: class, Virtual: name, Of: of, Site: -1}
		if of != nil {
			n.Place, n.Context, n.Site = of.Place, of.Context, of.Site
		}
		t.ByKey[key] = n
	}
	return n
}

// Copy returns the copy of n for some of its executions, which like tells from other copies;
// the node that n belongs to is what belongs makes of it.
func (t *NodeTable) Copy(n *Node, like string, belongs func(of *Node) *Node) *Node {
	key := n.Key + "\x00" + like
	c := t.ByKey[key]
	if c == nil {
		c = new(Node)
		*c = *n
		c.Key, c.Copied = key, n
		t.ByKey[key] = c
		if n.Of != nil {
			c.Of = belongs(n.Of)
		}
	}
	return c
}

// Unmatched counts records that found no partner.
type Unmatched struct {
	Starts int64 `json:"starts"` // operations that never ended, the last one of a living thread excepted
	Ends   int64 `json:"ends"`   // ends without a start
}

// SequenceOf turns the probe hits of a thread into code fragments: a start
// and the next end probe of the same operation form one; the CPU time between
// two of them belongs to the c_cpu fragment between. probe is the cost of one
// record in ns of CPU, which is taken off.
func (t *NodeTable) SequenceOf(th *trace.Thread, probe float64, lost *Unmatched) *Sequence {
	q := &Sequence{Thread: th, Cut: th.Ended == 0}
	if len(th.Records) == 0 {
		return q
	}
	at, cpu := th.Born, int64(0)
	var onces []*Node // that run their function now
	cost := 0.0       // of probes since the last step, not yet taken off
	take := func(d int64) int64 {
		off := min(int64(cost), max(d, 0))
		cost -= float64(off)
		return max(d, 0) - off
	}
	q.Steps = append(q.Steps, Step{Node: t.Begin, Start: at, End: at})
	for i := 0; i < len(th.Records); i++ {
		r := &th.Records[i]
		cost += probe
		switch {
		case r.Op == trace.OpThreadBegin:
			cpu, at = r.CPU, r.Time
			continue
		case r.Op == trace.OpThreadEnd:
			q.Steps = append(q.Steps, Step{Node: t.End, Gap: take(r.CPU - cpu), GapWall: r.Time - at, Start: r.Time, End: r.Time})
			q.Cut = false
			return q
		case r.End && r.Op == trace.OpOnce && len(onces) > 0:
			// The function that Once ran had fragments of its own.
			n := t.Virtual(OnceDone, onces[len(onces)-1], core.SyncFragment)
			n.Place = trace.UserFrame(trace.FramesAt(t.sites, r.Site))
			onces = onces[:len(onces)-1]
			q.Steps = append(q.Steps, Step{Node: n, Gap: take(r.CPU - cpu), GapWall: r.Time - at, Start: r.Time, End: r.Time, Object: r.Object})
			cpu, at = r.CPU, r.Time
			continue
		case r.End && trace.IsPaired(r.Op):
			lost.Ends++
			continue
		}
		s := Step{Node: t.Of(r.Op, r.Site), Gap: take(r.CPU - cpu), GapWall: r.Time - at,
			Start: r.Time, End: r.Time, Object: r.Object, Arg: r.Arg, Value: r.Value, Ready: r.Ready}
		cpu, at = r.CPU, r.Time
		if trace.IsPaired(r.Op) {
			e, ok := trace.EndOf(th.Records, i)
			switch {
			case ok && !(r.Op == trace.OpOnce && e.Arg == 1):
				cost += probe
				s.finish(e, take(e.CPU-r.CPU), max(e.Sys-r.Sys, 0))
				s.Sends = t.sends(&s)
				cpu, at = e.CPU, e.Time
				i++
			case r.Op == trace.OpOnce: // it runs the function
				onces = append(onces, s.Node)
				s.Result = 1
			case i+1 == len(th.Records):
				s.Open = true
			default:
				lost.Starts++
			}
		}
		q.Steps = append(q.Steps, s)
	}
	if th.Ended != 0 {
		q.Steps = append(q.Steps, Step{Node: t.End, Start: th.Ended, End: th.Ended, GapWall: th.Ended - at})
	}
	return q
}

// EndsWith ends the sequence of a main thread with the recording: a batch
// program is over when its main thread is, which no probe reports.
func (q *Sequence) EndsWith(t *trace.Trace, nodes *NodeTable) {
	n := len(q.Steps)
	if !q.Cut || n == 0 || q.Steps[n-1].Open {
		return
	}
	at := max(t.End, q.Steps[n-1].End)
	q.Steps = append(q.Steps, Step{Node: nodes.End, GapWall: at - q.Steps[n-1].End, Start: at, End: at})
	q.Cut = false
}

// sends reports whether a select took a case that sends.
func (t *NodeTable) sends(s *Step) bool {
	if s.Node.Op != trace.OpSelect || s.Arg < 0 || s.Arg >= int64(len(t.Offers)) {
		return false
	}
	cases := t.Offers[s.Arg].Cases
	return s.Result >= 0 && s.Result < int64(len(cases)) && cases[s.Result].Send
}

// finish adds what the end probe reported.
func (s *Step) finish(e *trace.Record, cpu, sys int64) {
	s.End, s.Result, s.CPU, s.sys = e.Time, e.Arg, cpu, sys
	s.OS, s.Read = e.OS, e.Read
	s.Ready = max(e.Ready-s.Ready, 0)
	s.Off = max(s.Wall()-cpu-s.Ready, 0)
	if e.Object != 0 {
		s.Object = e.Object
	}
	if e.Value != 0 {
		s.Value = e.Value
	}
}
