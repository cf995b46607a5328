package analysis

import (
	"testing"

	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// packages is a program that starts a thread for each of two packages, which starts one for
// each of its two files; these compute under the lock of their package. A thread of a file
// uses the lock that lock says.
func packages(t *testing.T, lock func(pkg, file int) uint64) *core.Model {
	t.Helper()
	s := newScript()
	main := s.thread("main", nil, 0)
	var all []*actor
	for range 2 {
		all = append(all, s.thread("package", main, main.now+1_000))
	}
	for pkg, p := range all[:2] {
		for file := range 2 {
			f := s.thread("file", p.compute(1_000), p.now)
			f.now += int64(file) * 1_000_000
			id := lock(pkg, file)
			f.does(trace.OpLock, "lock", id, 0, 10).compute(1_000_000).does(trace.OpUnlock, "unlock", id, 0, 10).compute(10_000)
			f.ends()
			all = append(all, f)
		}
	}
	for _, a := range all {
		main.now = max(main.now, a.now)
	}
	for _, p := range all[:2] {
		p.now = main.now
		p.ends()
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	return m
}

// Nobody but the threads of the files of one package uses its lock: it is made by the
// thread of the package, before it starts them.
func TestALockThatOnlyADescentSharesBelongsToWhoBeganIt(t *testing.T) {
	t.Parallel()
	m := packages(t, func(pkg, _ int) uint64 { return uint64(1 + pkg) })
	if len(m.Locks) != 1 || m.Locks[0].Scope != core.PerCall {
		t.Fatalf("locks %v, want one of scope %q", m.Locks, core.PerCall)
	}
	for _, g := range m.Graphs {
		makes := 0
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Make {
				makes++
			}
		}
		if (g.ID == "package") != (makes == 1) {
			t.Errorf("graph %s makes %d locks", g.ID, makes)
		}
	}
}

// If a file of one package uses the lock of the other one, the locks belong to neither.
func TestLocksThatOthersUseTooAreStripes(t *testing.T) {
	t.Parallel()
	m := packages(t, func(pkg, file int) uint64 { return uint64(1 + (pkg+file)%2) })
	if len(m.Locks) != 1 || m.Locks[0].Scope == core.PerCall || m.Locks[0].Instances != 2 {
		t.Fatalf("locks %v, want one of two stripes", m.Locks)
	}
}

// The lock of a package that is done with has gone with a collection; that of the next one has
// its address. Without the collection it would be the same lock.
func TestAfterACollectionAnAddressMayBeAnotherLock(t *testing.T) {
	t.Parallel()
	threads := []trace.Thread{{ID: 1}, {ID: 2, Parent: 1, Ended: 20}, {ID: 3, Parent: 1, Born: 30, Ended: 60}}
	lock := &trail.Resource{Objects: []*trail.Object{{ID: 7}}}
	for i, at := range []int64{10, 40} {
		q := &trail.Sequence{Thread: &threads[i+1], Steps: []trail.Step{{Node: &trail.Node{Op: trace.OpLock}, Object: 7, Start: at, End: at + 1}}}
		lock.Uses = append(lock.Uses, trail.Use{Sequence: q})
	}
	for name, c := range map[string]struct {
		ends []int64
		want int
	}{"a collection between": {[]int64{25}, 2}, "none": {nil, 1}, "before": {[]int64{5}, 1}, "while it was used": {[]int64{10}, 1}} {
		k := ownership.Kin{Threads: map[int64]*trace.Thread{1: &threads[0], 2: &threads[1], 3: &threads[2]}, Ends: c.ends}
		if got := len(k.LivesOf(lock)); got != c.want {
			t.Errorf("%s: %d lives, want %d", name, got, c.want)
		}
	}
}
