package timeline

import (
	"fmt"
	"strings"
	"testing"

	"tierscope/simulation/des"
)

// chained is a run of three threads: C computes with lock M for 10 ms; B takes
// lock L at 1 ms and needs M at 2 ms; A needs L at 3 ms. C frees M at 10 ms, B then
// computes with both for 4 ms and frees them, and A computes for 1 ms: it ends at
// 15 ms. A works on task 7 all the time.
func chained() *Recording {
	r := New(100)
	a, b, c := r.Lane(Threads, "A"), r.Lane(Threads, "B"), r.Lane(Threads, "C")
	l, m := r.Lane(Locks, "L"), r.Lane(Locks, "M")
	ms := func(n int) des.Time { return des.Time(n) * 1_000_000 }
	r.Set(c, 0, Running, r.Label("compute"), NoTask)
	r.Set(m, 0, Running, r.Label("C"), NoTask)
	r.Set(a, 0, Running, r.Label("parse"), 7)
	r.Set(b, ms(1), Running, r.Label("take"), NoTask)
	r.Set(l, ms(1), Running, r.Label("B"), NoTask)
	r.Set(b, ms(2), LockWait, r.Label("M"), NoTask)
	r.Set(a, ms(3), LockWait, r.Label("L"), 7)
	r.Clear(c, ms(10))
	r.Woke(b, ms(10), c)
	r.Set(m, ms(10), Running, r.Label("B"), NoTask)
	r.Set(b, ms(10), Running, r.Label("both"), NoTask)
	r.Woke(a, ms(14), b)
	r.Clear(b, ms(14))
	r.Clear(m, ms(14))
	r.Set(l, ms(14), Running, r.Label("A"), 7)
	r.Set(a, ms(14), Running, r.Label("send"), 7)
	r.Clear(a, ms(15))
	r.Clear(l, ms(15))
	r.Finish(ms(15))
	return r
}

func TestTheChainNamesWhoBlocksAndWhoBlocksThose(t *testing.T) {
	t.Parallel()
	r := chained()
	for _, c := range []struct {
		thread string
		at     des.Time
		want   string
	}{
		{"A", 5_000_000, "A waits for L, B waits for M, C"},
		{"A", 12_000_000, "A waits for L, B"}, // B has M and runs
		{"A", 1_000_000, "A"},
		{"nobody", 1_000_000, "nobody"},
	} {
		var words []string
		for _, l := range r.Chain(c.thread, c.at) {
			text := l.Thread
			if l.For != "" {
				text += " waits for " + l.For
			}
			words = append(words, text)
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("%s at %v: %s; want %s", c.thread, c.at, got, c.want)
		}
	}
}

func TestADeadlockEndsTheChainWhereItBegan(t *testing.T) {
	t.Parallel()
	r := New(10)
	a, b, l, m := r.Lane(Threads, "A"), r.Lane(Threads, "B"), r.Lane(Locks, "L"), r.Lane(Locks, "M")
	r.Set(l, 0, Running, r.Label("A"), NoTask)
	r.Set(m, 0, Running, r.Label("B"), NoTask)
	r.Set(a, 0, LockWait, r.Label("M"), NoTask)
	r.Set(b, 0, LockWait, r.Label("L"), NoTask)
	r.Finish(100)
	if chain := r.Chain("A", 50); len(chain) != 3 || chain[2].Thread != "A" {
		t.Errorf("the chain is %+v, want A, B, A", chain)
	}
}

// The last 15 ms: C computes 10, B 4 with what C freed, A 1 with what B freed.
func TestTheCriticalPathGoesByWhoFreedTheLocks(t *testing.T) {
	t.Parallel()
	r := chained()
	var words []string
	for _, s := range r.Critical() {
		words = append(words, fmt.Sprintf("%s %s %d ms", s.Thread, r.LabelText(s.Label), (s.End-s.Start)/1_000_000))
	}
	if got, want := strings.Join(words, ", "), "C compute 10 ms, B both 4 ms, A send 1 ms"; got != want {
		t.Errorf("the critical path is %s; want %s", got, want)
	}
	if s := r.Sum(r.Critical()); len(s) != 1 || s[0].State != Running || s[0].Time != 15_000_000 {
		t.Errorf("its shares are %+v, want 15 ms of computing", s)
	}
}

// 3 ms parse and 1 ms send, 11 ms for the lock.
func TestTheTimeOfATaskIsDividedByWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	r := chained()
	from, to, shares, ok := r.Task(7)
	if !ok || from != 0 || to != 15_000_000 {
		t.Fatalf("task 7 from %v to %v (%v), want 0 to 15 ms", from, to, ok)
	}
	if len(shares) != 2 || shares[0] != (Share{State: LockWait, For: "L", Time: 11_000_000}) || shares[1] != (Share{State: Running, Time: 4_000_000}) {
		t.Errorf("its shares are %+v, want 11 ms for L and 4 ms of computing", shares)
	}
	if _, _, _, ok := r.Task(8); ok {
		t.Error("a task that nobody worked on has a time")
	}
}

// From 2 to 4 ms: A runs 1 ms and waits 1, B waits 2, C runs 2.
func TestARangeIsSummedOverAllThreads(t *testing.T) {
	t.Parallel()
	got := chained().During(Threads, 2_000_000, 4_000_000)
	want := []Share{{State: Running, Time: 3_000_000}, {State: LockWait, For: "M", Time: 2_000_000}, {State: LockWait, For: "L", Time: 1_000_000}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the range is %+v, want %+v", got, want)
	}
}

func TestTwoRecordingsLieSideBySide(t *testing.T) {
	t.Parallel()
	r := Interleave(chained(), chained(), " · A", " · B")
	var names []string
	for _, l := range r.Lanes {
		names = append(names, l.Name)
	}
	if got := strings.Join(names[:4], ", "); got != "A · A, A · B, B · A, B · B" {
		t.Errorf("the lanes are %s …, want each thread twice", got)
	}
	if chain := r.Chain("A · B", 5_000_000); len(chain) != 3 || chain[2].Thread != "C · B" {
		t.Errorf("the chain in B is %+v, want one within B", chain)
	}
}
