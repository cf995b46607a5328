package analysis

import (
	"strings"

	"tierscope/core"
)

// node is a code fragment that is an operation (c_io, c_sync, c_in, c_out, …)
// in one calling context. Computations need no node of their own: a c_cpu
// fragment is the pair of the operations before and after it, because
// coincident probe hits overlap (Tarvo & Reiss 2014, §4.3).
type node struct {
	key        string
	op         Op
	class      core.FragmentClass
	site       int32
	place      Frame     // where the analyst looks for it
	context    []string  // library calls, outermost first
	virtual    string    // for nodes that Build adds: "fetch", "nofetch", "done", …
	of         *node     // of a virtual node: the node that it belongs to
	copied     *node     // of a copy: the original
	child      *group    // of a spawn or join
	caseLock   *resource // of the successor of a select
	caseSends  bool
	caseClosed bool  // the channel was closed
	fetches    bool  // a case of a select that takes a task
	makes      bool  // the object of a call
	links      bool  // makes one of a chain
	earlier    int   // of an operation on an object of a call: so many others were made after it
	loop       *loop // of an exact loop
}

// step is one execution of a node in a thread, with the computation that came
// before it.
type step struct {
	node       *node
	gap        int64 // ns of CPU used since the previous step
	gapWall    int64 // ns since the previous step
	start, end int64 // ns
	cpu        int64 // ns of CPU inside the operation, system calls excluded
	sys        int64 // ns inside system calls
	ready      int64 // ns ready to run without a core
	off        int64 // ns of the operation that it was off the core, and not for want of one
	waited     int64 // ns that another thread held the lock that this one asked for
	wait       int64 // of a delay: ns off the core
	object     uint64
	arg        int64 // of the start probe
	result     int64 // of the end probe
	value      uint64
	sends      bool      // the chosen case of a select sends
	open       bool      // the operation had not ended when the recording did
	lock       *resource // that object belongs to; nil: none
	starts     int64     // threads that a spawn starts, 0 means 1; tasks that are shared out
	earlier    int       // of an object of a call: so many others were made after it
	folded     bool      // no computation before this step: it was insignificant
	os         int32     // of an operation on files: thread of the system
	read       int64     // bytes that it read from disks
	requests   []diskRequest
}

// wall is the time that the operation took, ns.
func (s *step) wall() int64 { return s.end - s.start }

// sequence is the trace of one thread as a sequence of code fragments. The
// first step is the begin of the thread or of the recording; the last one its
// end, unless the thread was alive when the recording stopped (cut).
type sequence struct {
	thread *Thread
	steps  []step
	cut    bool
	left   bool // began before the recording or the phase that is looked at
}

// nodeTable interns nodes: one per operation and context.
type nodeTable struct {
	sites   []Site
	library Library
	byKey   map[string]*node
	bySite  map[siteOp]*node
	begin   *node
	end     *node
	offers  []Offer // of selects
	scope   string  // the group whose nodes are asked for: groups share no nodes
}

type siteOp struct {
	site  int32
	op    Op
	scope string
}

func newNodeTable(sites []Site, library Library) *nodeTable {
	if library == nil {
		library = EveryFunction
	}
	t := &nodeTable{sites: sites, library: library, byKey: map[string]*node{}, bySite: map[siteOp]*node{}}
	t.begin = t.virtual("begin", nil, core.DispatchFragment)
	t.end = t.virtual("end", nil, core.DispatchFragment)
	return t
}

// of returns the node of an operation at a site.
func (t *nodeTable) of(op Op, site int32) *node {
	k := siteOp{site, op, t.scope}
	if n := t.bySite[k]; n != nil {
		return n
	}
	frames := framesAt(t.sites, site)
	context := callingContext(frames, t.library)
	at := Frame{}
	if len(frames) > 0 {
		at = frames[0]
	}
	key := t.scope + "\x00" + op.String() + "\x00" + spot(at) + "\x00" + strings.Join(context, "\x00")
	n := t.byKey[key]
	if n == nil {
		n = &node{key: key, op: op, class: op.Class(), site: site, place: userFrame(frames), context: context}
		t.byKey[key] = n
	}
	t.bySite[k] = n
	return n
}

// virtual returns a node that no probe reported. of may be nil.
func (t *nodeTable) virtual(name string, of *node, class core.FragmentClass) *node {
	key := "virtual\x00" + name
	if of != nil {
		key += "\x00" + of.key
	}
	n := t.byKey[key]
	if n == nil {
		n = &node{key: key, class: class, virtual: name, of: of, site: -1}
		if of != nil {
			n.place, n.context, n.site = of.place, of.context, of.site
		}
		t.byKey[key] = n
	}
	return n
}

// framesAt returns the calls that led to a site, the innermost first; none if it
// is not known.
func framesAt(sites []Site, site int32) []Frame {
	if site < 0 || int(site) >= len(sites) {
		return nil
	}
	return sites[site].Frames
}

// userFrame is the innermost frame outside the standard library, or the
// innermost one of all.
func userFrame(frames []Frame) Frame {
	for _, f := range frames {
		if !f.Std {
			return f
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return Frame{}
}

// unmatched counts records that found no partner.
type unmatched struct {
	Starts int64 `json:"starts"` // operations that never ended, the last one of a living thread excepted
	Ends   int64 `json:"ends"`   // ends without a start
}

// sequenceOf turns the probe hits of a thread into code fragments: a start
// and the next end probe of the same operation form one; the CPU time between
// two of them belongs to the c_cpu fragment between. probe is the cost of one
// record in ns of CPU, which is taken off.
func (t *nodeTable) sequenceOf(th *Thread, probe float64, lost *unmatched) *sequence {
	q := &sequence{thread: th, cut: th.Ended == 0}
	if len(th.Records) == 0 {
		return q
	}
	at, cpu := th.Born, int64(0)
	var onces []*node // that run their function now
	cost := 0.0       // of probes since the last step, not yet taken off
	take := func(d int64) int64 {
		off := min(int64(cost), max(d, 0))
		cost -= float64(off)
		return max(d, 0) - off
	}
	q.steps = append(q.steps, step{node: t.begin, start: at, end: at})
	for i := 0; i < len(th.Records); i++ {
		r := &th.Records[i]
		cost += probe
		switch {
		case r.Op == OpThreadBegin:
			cpu, at = r.CPU, r.Time
			continue
		case r.Op == OpThreadEnd:
			q.steps = append(q.steps, step{node: t.end, gap: take(r.CPU - cpu), gapWall: r.Time - at, start: r.Time, end: r.Time})
			q.cut = false
			return q
		case r.End && r.Op == OpOnce && len(onces) > 0:
			// The function that Once ran had fragments of its own.
			n := t.virtual(onceDone, onces[len(onces)-1], core.SyncFragment)
			n.place = userFrame(framesAt(t.sites, r.Site))
			onces = onces[:len(onces)-1]
			q.steps = append(q.steps, step{node: n, gap: take(r.CPU - cpu), gapWall: r.Time - at, start: r.Time, end: r.Time, object: r.Object})
			cpu, at = r.CPU, r.Time
			continue
		case r.End && isPaired(r.Op):
			lost.Ends++
			continue
		}
		s := step{node: t.of(r.Op, r.Site), gap: take(r.CPU - cpu), gapWall: r.Time - at,
			start: r.Time, end: r.Time, object: r.Object, arg: r.Arg, value: r.Value, ready: r.Ready}
		cpu, at = r.CPU, r.Time
		if isPaired(r.Op) {
			e, ok := endOf(th.Records, i)
			switch {
			case ok && !(r.Op == OpOnce && e.Arg == 1):
				cost += probe
				s.finish(e, take(e.CPU-r.CPU), max(e.Sys-r.Sys, 0))
				s.sends = t.sends(&s)
				cpu, at = e.CPU, e.Time
				i++
			case r.Op == OpOnce: // it runs the function
				onces = append(onces, s.node)
				s.result = 1
			case i+1 == len(th.Records):
				s.open = true
			default:
				lost.Starts++
			}
		}
		q.steps = append(q.steps, s)
	}
	if th.Ended != 0 {
		q.steps = append(q.steps, step{node: t.end, start: th.Ended, end: th.Ended, gapWall: th.Ended - at})
	}
	return q
}

// endsWith ends the sequence of a main thread with the recording: a batch
// program is over when its main thread is, which no probe reports.
func (q *sequence) endsWith(t *Trace, nodes *nodeTable) {
	n := len(q.steps)
	if !q.cut || n == 0 || q.steps[n-1].open {
		return
	}
	at := max(t.End, q.steps[n-1].end)
	q.steps = append(q.steps, step{node: nodes.end, gapWall: at - q.steps[n-1].end, start: at, end: at})
	q.cut = false
}

// isPaired reports whether an operation has a start and an end probe. Marks
// are single hits.
func isPaired(op Op) bool {
	switch op {
	case OpSpawn, OpMake, OpTaskBegin, OpTaskEnd, OpThreadBegin, OpThreadEnd:
		return false
	}
	return true
}

// endOf returns the end probe of the start probe at i, which is the next
// record: nothing else happens in a thread inside an operation.
func endOf(rs []Record, i int) (*Record, bool) {
	if i+1 < len(rs) && rs[i+1].End && rs[i+1].Op == rs[i].Op {
		return &rs[i+1], true
	}
	return nil, false
}

// sends reports whether a select took a case that sends.
func (t *nodeTable) sends(s *step) bool {
	if s.node.op != OpSelect || s.arg < 0 || s.arg >= int64(len(t.offers)) {
		return false
	}
	cases := t.offers[s.arg].Cases
	return s.result >= 0 && s.result < int64(len(cases)) && cases[s.result].Send
}

// finish adds what the end probe reported.
func (s *step) finish(e *Record, cpu, sys int64) {
	s.end, s.result, s.cpu, s.sys = e.Time, e.Arg, cpu, sys
	s.os, s.read = e.OS, e.Read
	s.ready = max(e.Ready-s.ready, 0)
	s.off = max(s.wall()-cpu-s.ready, 0)
	if e.Object != 0 {
		s.object = e.Object
	}
	if e.Value != 0 {
		s.value = e.Value
	}
}

// fragments makes sequences of code fragments of the records.
func (b *build) fragments() {
	b.nodes = newNodeTable(b.t.Sites, b.opt.Library)
	b.nodes.offers = b.t.Offers
	probe := b.t.probeCost()
	wake := int64(meanOf(b.t.Calibration.WakerCost) * 1e9)
	for _, g := range b.groups {
		b.nodes.scope = g.name
		for _, th := range g.threads {
			q := b.nodes.sequenceOf(th, probe, &b.unmatched)
			if g.kind == GroupMain && !b.server {
				q.endsWith(b.t, b.nodes)
			}
			chargeOperations(q, wake)
			g.seqs = append(g.seqs, q)
		}
		naive := countGroup(g)
		b.reports = append(b.reports, GroupReport{Name: g.name, Kind: g.kind, Threads: len(g.threads),
			MaxAlive: g.maxAlive, NaiveNodes: len(naive.vertices), NaiveEdges: naive.edges(), CPU: naive.cpuTime()})
	}
}
