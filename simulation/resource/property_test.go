package resource

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/simulation/des"
)

// TestMain asks for 10 000 random programs per property (1000 with -short)
// unless the command line says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		checks := "10000"
		if testing.Short() {
			checks = "1000"
		}
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// reference is the plain, obvious form of a lock, with the rules of Lock.
type reference interface {
	Call(t Thread, op Op, n int32) Outcome
	Try(t Thread, op Op, n int32) Outcome
	Retry(t Thread) Outcome
	Cancel(t Thread) Outcome
}

// resumed is one call of Host.Resume.
type resumed struct {
	thread Thread
	o      Outcome
	item   int32
}

// journal is a host that writes down what happens.
type journal struct {
	now    des.Time
	events []resumed
}

func (j *journal) Now() des.Time { return j.now }
func (j *journal) Resume(t Thread, o Outcome, item int32) {
	j.events = append(j.events, resumed{t, o, item})
}
func (j *journal) grant(t Thread) { j.Resume(t, Granted, NoItem) }
func (j *journal) wake(t Thread)  { j.Resume(t, Retry, NoItem) }

// action is something that a thread may do.
type action struct {
	op  Op
	n   int32
	try bool
}

// exam is one property: a lock and its reference do the same in every program.
type exam struct {
	lock      func(tab *Table) Lock
	reference func(j *journal) reference
	actions   []action
	patient   bool // no timeouts
	// excess says what is wrong with the number of holders, "" if nothing; free
	// says whether some waiter could go on now. A lock that is free, has
	// waiters, and has woken none of them has lost a wake-up.
	excess func(l Lock) string
	free   func(l Lock) bool
}

// Threads of the random programs; one has a state.
const programThreads = 5

type threadState uint8

const (
	running threadState = iota
	blocked
	woken
)

// TestLocksAgreeWithPlainReferences runs random programs of calls, tries,
// timeouts and passing time. Whatever they do, a lock answers like its
// reference, resumes the same threads in the same order with the same items,
// resumes only threads that are blocked (no double grant), and loses no
// wake-up.
func TestLocksAgreeWithPlainReferences(t *testing.T) {
	t.Parallel()
	for name, e := range exams() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := rapid.SliceOfN(rapid.Uint16(), 20, 60)
			rapid.Check(t, func(t *rapid.T) { e.run(t, program.Draw(t, "program")) })
		})
	}
}

// run executes a program: every word is one step.
func (e *exam) run(t *rapid.T, program []uint16) {
	var sj, rj journal
	tab := NewTable(&sj, programThreads)
	lock, ref := e.lock(tab), e.reference(&rj)
	var states [programThreads]threadState
	for _, word := range program {
		thread := Thread(word % programThreads)
		word /= programThreads
		choice := int(word % 64)
		pause := des.Time(word/64%4) * (starvationThreshold * 2 / 5)
		sj.now += pause
		rj.now += pause
		sj.events, rj.events = sj.events[:0], rj.events[:0]

		var got, want Outcome
		var what string
		switch state := states[thread]; {
		case state == running:
			a := e.actions[choice%len(e.actions)]
			what = fmt.Sprintf("op %d n %d try %t", a.op, a.n, a.try)
			if a.try {
				got, want = lock.Try(thread, a.op, a.n), ref.Try(thread, a.op, a.n)
			} else {
				got, want = lock.Call(thread, a.op, a.n), ref.Call(thread, a.op, a.n)
			}
		case state == woken && (choice%8 > 0 || e.patient):
			what = "retry"
			got, want = lock.Retry(thread), ref.Retry(thread)
		case choice%4 == 0 && !e.patient:
			what = "cancel"
			got, want = lock.Cancel(thread), ref.Cancel(thread)
			if got == Blocked && state == woken {
				got, want = lock.Retry(thread), ref.Retry(thread)
			}
		default:
			continue
		}
		if got != want || !slices.Equal(sj.events, rj.events) {
			t.Fatalf("thread %d, %s: %v %v, the reference says %v %v", thread, what, got, sj.events, want, rj.events)
		}
		states[thread] = after(got)
		for _, r := range sj.events {
			if states[r.thread] != blocked {
				t.Fatalf("thread %d, %s: resumes thread %d, which is not blocked", thread, what, r.thread)
			}
			states[r.thread] = after(r.o)
		}
		if problem := e.excess(lock); problem != "" {
			t.Fatalf("thread %d, %s: %s", thread, what, problem)
		}
		if lock.Waiting() > 0 && e.free(lock) && !slices.Contains(states[:], woken) {
			t.Fatalf("thread %d, %s: the lock is free, %d threads wait and none is woken", thread, what, lock.Waiting())
		}
	}
}

// after is the state of a thread after an outcome.
func after(o Outcome) threadState {
	switch o {
	case Blocked:
		return blocked
	case Retry:
		return woken
	default:
		return running
	}
}
