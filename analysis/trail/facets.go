package trail

import (
	"hash/maphash"
	"maps"
	"slices"

	"tierscope/analysis/trace"
)

// Facet is one aspect of what is known of a program while its model is built. A pass may change
// what it makes and nothing else.
type Facet string

// Facets of the records, of the sequences that are made of them, and of what these mean.
const (
	Threads    Facet = "threads"    // records: which threads there are, and what they do that no other facet has
	Regions    Facet = "regions"    // records: locks taken and freed, calls of a Once
	Conditions Facet = "conditions" // records: waits for conditions, and signals
	Counters   Facet = "counters"   // records: atomic counters, semaphores
	Messages   Facet = "messages"   // records: what is sent, received and closed
	Sleeps     Facet = "sleeps"     // records: sleeps, and joins in their place

	Pools    Facet = "pools"    // threads by their function
	Steps    Facet = "steps"    // what threads did, in their order
	Times    Facet = "times"    // CPU times of steps
	Waited   Facet = "waited"   // at locks, by step
	Objects  Facet = "objects"  // locks, channels and queues, with their kinds and sizes
	Scopes   Facet = "scopes"   // whose they are
	Carries  Facet = "carries"  // whether channels carry tasks, tokens, or what a timer sends
	Guarded  Facet = "guarded"  // the locks of conditions
	Sides    Facet = "sides"    // objects of which one side is outside of the model
	Requests Facet = "requests" // to disks, by step
	Modelled Facet = "modelled" // pools that get a graph
	Roles    Facet = "roles"    // what becomes of fetched tasks
	Loops    Facet = "loops"    // with exact numbers of iterations
	Graphs   Facet = "graphs"   // transitions, counted
)

// recordFacet is where an operation's records belong; those of other operations nobody changes.
func recordFacet(op trace.Op) Facet {
	switch op {
	case trace.OpLock, trace.OpTryLock, trace.OpUnlock, trace.OpRLock, trace.OpTryRLock, trace.OpRUnlock, trace.OpOnce:
		return Regions
	case trace.OpCondWait, trace.OpSignal, trace.OpBroadcast:
		return Conditions
	case trace.OpCount, trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
		return Counters
	case trace.OpSend, trace.OpReceive, trace.OpTrySend, trace.OpTryReceive, trace.OpClose, trace.OpMake:
		return Messages
	case trace.OpSleep, trace.OpRest, trace.OpJoin:
		return Sleeps
	}
	return Threads
}

// digests are hashes of the facets while they are made.
type digests map[Facet]*maphash.Hash

var digestSeed = maphash.MakeSeed()

// add adds names and numbers to the hash of a facet.
func (d digests) add(f Facet, names []string, numbers ...int64) {
	h := d[f]
	if h == nil {
		h = new(maphash.Hash)
		h.SetSeed(digestSeed)
		d[f] = h
	}
	for _, s := range names {
		maphash.WriteComparable(h, s)
	}
	for _, n := range numbers {
		maphash.WriteComparable(h, n)
	}
}

func bits(bs ...bool) (n int64) {
	for _, b := range bs {
		n *= 2
		if b {
			n++
		}
	}
	return n
}

// Digests returns a hash of every facet. Two digests of one trail are equal if nothing changed
// between them; those of other processes are others.
func (tr *Trail) Digests() map[Facet]uint64 {
	d := digests{}
	for i := range tr.Trace.Threads {
		th := &tr.Trace.Threads[i]
		d.add(Threads, []string{th.Start}, th.ID, th.Parent, th.Born, th.Ended)
		for j := range th.Records {
			r := &th.Records[j]
			d.add(recordFacet(r.Op), nil, th.ID, int64(r.Op), bits(r.End), int64(r.Object), r.Arg, int64(r.Value), int64(r.Site), r.Time, r.CPU)
		}
	}
	for _, g := range tr.Pools {
		d.add(Pools, []string{g.Name, g.Kind, g.Function, g.Place.File}, int64(g.MaxAlive), int64(g.Burst), int64(g.Place.Line), bits(g.Lazy, g.Tree))
		for _, q := range g.Sequences {
			d.addSequence(q)
		}
	}
	for _, r := range tr.Resources {
		d.addResource(r)
	}
	for _, g := range tr.Modelled {
		d.add(Modelled, []string{g.Name})
		if f, known := tr.Flows[g]; known {
			d.add(Roles, []string{g.Name}, bits(f.Keeps), int64(len(f.Passes)))
		}
		for _, l := range tr.Forests[g] {
			d.add(Loops, []string{g.Name, l.Header.Key}, int64(len(l.Entries)))
		}
		if p := tr.Graphs[g]; p != nil {
			for _, v := range p.Vertices {
				d.add(Graphs, []string{g.Name}, v.Count, v.CPU, int64(len(v.Next)))
			}
		}
	}
	out := map[Facet]uint64{}
	for f, h := range d {
		out[f] = h.Sum64()
	}
	return out
}

func (d digests) addSequence(q *Sequence) {
	d.add(Steps, nil, q.Thread.ID, bits(q.Cut, q.Left))
	for i := range q.Steps {
		s := &q.Steps[i]
		d.add(Steps, []string{s.Node.Key, string(s.Node.Class)}, int64(s.Object), s.Arg, s.Result, bits(s.Open), s.Starts, s.Wait)
		d.add(Times, nil, s.Gap+s.CPU)
		d.add(Waited, nil, s.Waited)
		for _, r := range s.Requests {
			d.add(Requests, nil, int64(i), int64(r.Index), bits(r.Late))
		}
		if s.Lock != nil {
			d.add(Steps, []string{s.Lock.ID})
		}
	}
}

func (d digests) addResource(r *Resource) {
	d.add(Objects, []string{r.ID, string(r.Kind)}, int64(r.Capacity), int64(r.Together), int64(r.Parties), int64(r.Prefill), int64(r.Spin*1e9))
	d.add(Scopes, []string{r.ID, string(r.Scope)}, bits(r.Chain))
	if r.Task || r.Fed || r.Timer {
		d.add(Carries, []string{r.ID}, bits(r.Task, r.Fed, r.Timer))
	}
	if r.Monitor != nil {
		d.add(Guarded, []string{r.ID, r.Monitor.ID})
	}
	if r.OneSided {
		d.add(Sides, []string{r.ID})
	}
}

// Changed returns the facets that two digests differ in, sorted.
func Changed(before, after map[Facet]uint64) []Facet {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []Facet
	for _, f := range slices.Sorted(maps.Keys(all)) {
		if before[f] != after[f] {
			out = append(out, f)
		}
	}
	return out
}
