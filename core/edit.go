package core

import (
	"fmt"
	"math"
	"slices"
)

// EditKind names a structural what-if.
type EditKind string

// Structural what-ifs.
const (
	SplitLock EditKind = "split_lock" // replace a lock by N stripes
	ReadWrite EditKind = "read_write" // replace a mutex by a read-write lock; Share of its sections only read
	FasterCS  EditKind = "faster_cs"  // divide the CPU time spent while a lock is held by Factor
)

// Edit is a what-if that no parameter can express, because it changes what the
// model is made of. It is data, so that a scenario, an undo stack and a command
// line share it.
type Edit struct {
	Kind   EditKind `json:"kind"`
	Lock   string   `json:"lock"`
	N      int      `json:"n,omitempty"`      // split_lock
	Share  float64  `json:"share,omitempty"`  // read_write: probability that a section only reads
	Factor float64  `json:"factor,omitempty"` // faster_cs
}

// Edited returns the model with the edits made, one after the other. The
// receiver is not changed; the result of a valid model is valid.
func (m Model) Edited(edits ...Edit) (Model, error) {
	for _, e := range edits {
		i := -1
		var names []string
		for j, l := range m.Locks {
			names = append(names, l.ID)
			if l.ID == e.Lock {
				i = j
			}
		}
		if i < 0 {
			return Model{}, fmt.Errorf("edit %q: lock %q: no such lock; %s", e.Kind, e.Lock, suggest(e.Lock, names))
		}
		m = m.clone()
		var err error
		switch l := &m.Locks[i]; e.Kind {
		case SplitLock:
			err = l.split(e.N)
		case FasterCS:
			err = l.faster(e.Factor)
		case ReadWrite:
			err = m.readWrite(i, e.Share)
		default:
			err = fmt.Errorf("kind %q is unknown; use one of %s", e.Kind, quoteAll([]EditKind{SplitLock, ReadWrite, FasterCS}))
		}
		if err != nil {
			return Model{}, fmt.Errorf("edit %q of lock %q: %w", e.Kind, e.Lock, err)
		}
	}
	return m, nil
}

func (l *Lock) split(n int) error {
	switch {
	case n < 1:
		return fmt.Errorf("n is %d; give the number of stripes, at least 1", n)
	case !l.Kind.Held():
		return fmt.Errorf("a lock of kind %q guards no data that could be divided; split a %q, %q or %q", l.Kind, Mutex, Monitor, RWLock)
	}
	l.Instances, l.Weights = n, nil
	return nil
}

func (l *Lock) faster(factor float64) error {
	switch {
	case !(factor > 0) || math.IsInf(factor, 1):
		return fmt.Errorf("factor is %v; give a finite number > 0", factor)
	case !l.Kind.Held():
		return fmt.Errorf("threads do not hold a lock of kind %q", l.Kind)
	}
	l.SpeedUp = orOne(l.SpeedUp) * factor
	return nil
}

// readWrite turns lock i, a mutex, into a read-write lock. Every critical
// section (the fragments from an enter to the exits it leads to) is split in
// two copies, one that reads and one that writes, and a dispatch fragment in
// front chooses between them with the given probability of reading.
func (m *Model) readWrite(i int, share float64) error {
	l := &m.Locks[i]
	switch {
	case !(share >= 0 && share <= 1):
		return fmt.Errorf("share is %v; give the probability that a section only reads, in 0…1", share)
	case l.Kind != Mutex:
		return fmt.Errorf("it is of kind %q; only a %q can become a %q", l.Kind, Mutex, RWLock)
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Monitor == l.ID {
				return fmt.Errorf("a condition variable waits with it in graph %q, fragment %q; only a plain mutex can be split into reading and writing", g.ID, f.ID)
			}
		}
	}
	l.Kind, l.Fairness, l.Preference = RWLock, "", GoRW
	for g := range m.Graphs {
		m.Graphs[g].splitSections(l.ID, share)
	}
	return nil
}

// splitSections gives every critical section of the lock a reading copy.
func (g *Graph) splitSections(lock string, share float64) {
	index := make(map[string]int, len(g.Fragments))
	for i, f := range g.Fragments {
		index[f.ID] = i
	}
	is := func(i int, op SyncOp) bool {
		s := g.Fragments[i].Sync
		return s != nil && s.Lock == lock && s.Op == op
	}
	fresh := func(id string) string {
		for {
			if _, taken := index[id]; !taken {
				index[id] = -1
				return id
			}
			id += "'"
		}
	}
	for e := range len(g.Fragments) {
		if !is(e, Enter) {
			continue
		}
		section := map[string]string{g.Fragments[e].ID: fresh(g.Fragments[e].ID + " (read)")} // original → copy
		queue := []int{e}
		for ; len(queue) > 0; queue = queue[1:] {
			if i := queue[0]; !is(i, Exit) {
				for _, s := range g.Successors(&g.Fragments[i]) {
					if i == e && s.To == g.Fragments[e].Sync.OnTimeout {
						continue // the lock was not got
					}
					if _, seen := section[s.To]; !seen {
						section[s.To] = fresh(s.To + " (read)")
						queue = append(queue, index[s.To])
					}
				}
			}
		}
		choose := fresh(g.Fragments[e].ID + " (read or write)")
		enter := g.Fragments[e].ID
		var copies []Fragment
		for i := range g.Fragments {
			f := &g.Fragments[i]
			id, inside := section[f.ID]
			if !inside {
				f.Retarget(func(to string) string { return rename(to, enter, choose) })
				continue
			}
			f.drawAnew()
			c := *f
			c.ID = id
			if is(i, Exit) {
				// Control leaves the section: both copies go on as before.
				f.Retarget(func(to string) string { return rename(to, enter, choose) })
				c.Next = f.Next
			} else {
				c.Retarget(func(to string) string {
					if copied, inside := section[to]; inside {
						return copied
					}
					return rename(to, enter, choose)
				})
			}
			if i == e {
				c.Sync.OnTimeout = f.Sync.OnTimeout
			}
			if is(i, Enter) || is(i, Exit) {
				s := *f.Sync
				s.Op = map[SyncOp]SyncOp{Enter: EnterRead, Exit: ExitRead}[s.Op]
				c.Sync = &s
			}
			copies = append(copies, c)
		}
		g.Fragments = append(g.Fragments, copies...)
		g.Fragments = append(g.Fragments, Fragment{ID: choose, Class: DispatchFragment,
			Next: []Edge{{To: section[enter], Probability: share}, {To: enter, Probability: 1 - share}}})
		g.Entry = rename(g.Entry, enter, choose)
		for i, f := range g.Fragments {
			index[f.ID] = i
		}
	}
}

func rename(id, from, to string) string {
	if id == from {
		return to
	}
	return id
}

// drawAnew forgets in which order f made its transitions and which was the last: a copy
// makes some of them now.
func (f *Fragment) drawAnew() {
	f.Next, f.Order = slices.Clone(f.Next), nil
	for i := range f.Next {
		f.Next[i].Last = false
	}
	if f.Loop != nil {
		l := *f.Loop
		l.Order = nil
		f.Loop = &l
	}
}

// Retarget replaces every reference of f to another fragment, without changing
// what f shares with a copy of itself.
func (f *Fragment) Retarget(name func(string) string) {
	next := make([]Edge, len(f.Next))
	for i, e := range f.Next {
		e.To = name(e.To)
		next[i] = e
	}
	if f.Next != nil {
		f.Next = next
	}
	if f.Since != nil {
		s := Since{From: name(f.Since.From)}
		if f.Since.First != "" {
			s.First = name(f.Since.First)
		}
		f.Since = &s
	}
	if f.Loop != nil {
		l := *f.Loop
		l.Body = name(l.Body)
		f.Loop = &l
	}
	if f.Out != nil && f.Out.OnTimeout != "" {
		o := *f.Out
		o.OnTimeout = name(o.OnTimeout)
		f.Out = &o
	}
	if f.Sync != nil {
		s := *f.Sync
		if s.Default != "" {
			s.Default = name(s.Default)
		}
		if s.OnTimeout != "" {
			s.OnTimeout = name(s.OnTimeout)
		}
		cases := make([]SelectCase, len(s.Cases))
		for i, k := range s.Cases {
			k.To = name(k.To)
			if k.Closed != "" {
				k.Closed = name(k.Closed)
			}
			cases[i] = k
		}
		if s.Cases != nil {
			s.Cases = cases
		}
		f.Sync = &s
	}
}
