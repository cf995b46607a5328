package resource

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A join resumes a thread when the last of those that it waits for has ended,
// whoever started and ended in which order; a thread index that is used again
// does not inherit children.
func TestJoinWaitsForExactlyTheThreadsItShould(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var host journal
		tab := NewTable(&host, 20)
		j := NewJoin(tab)
		type child struct{ id, parent Thread }
		var alive []child
		free := []Thread{}
		for c := Thread(5); c < 20; c++ {
			free = append(free, c)
		}
		waiting := map[Thread]Op{}
		mine := func(p Thread) bool { return slices.ContainsFunc(alive, func(c child) bool { return c.parent == p }) }
		for _, word := range rapid.SliceOfN(rapid.Uint16(), 20, 60).Draw(t, "program") {
			p := Thread(word % 5)
			word /= 5
			host.events = nil
			var want []Thread
			switch _, asleep := waiting[p]; {
			case word%8 < 3 && len(free) > 0 && !asleep:
				c := free[0]
				free = free[1:]
				alive = append(alive, child{c, p})
				j.Start(p, c)
			case word%8 < 5 && len(alive) > 0:
				i := int(word/8) % len(alive)
				c := alive[i]
				alive = slices.Delete(alive, i, i+1)
				free = append(free, c.id)
				j.End(c.id)
				if waiting[c.parent] == Await && !mine(c.parent) {
					if _, ok := waiting[c.parent]; ok {
						want = append(want, c.parent)
						delete(waiting, c.parent)
					}
				}
				for w := range Thread(5) {
					if op, ok := waiting[w]; ok && op == AwaitAll && len(alive) == 0 {
						want = append(want, w)
						delete(waiting, w)
					}
				}
			case word%8 < 7 && !asleep:
				op := []Op{Await, AwaitAll}[word/8%2]
				done := op == Await && !mine(p) || op == AwaitAll && len(alive) == 0
				switch o := j.Call(p, op, 0); {
				case o == Granted != done:
					t.Fatalf("thread %d, join %d: %v with threads %v alive", p, op, o, alive)
				case o == Blocked:
					waiting[p] = op
				}
			case asleep && word/8%2 == 0:
				j.Cancel(p)
				delete(waiting, p)
			case !asleep: // ends, and a new thread gets its number
				j.Forget(p)
				for i := range alive {
					if alive[i].parent == p {
						alive[i].parent = NoThread
					}
				}
			}
			var got []Thread
			for _, r := range host.events {
				got = append(got, r.thread)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("resumed %v, want %v; alive %v, waiting %v", got, want, alive, waiting)
			}
		}
	})
}

// Threads meet in pairs and each gets the other's item; one that gives up
// meets nobody.
func TestExchangerPairsThreadsAndSwapsTheirItems(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var host journal
		tab := NewTable(&host, programThreads)
		x := newExchanger(tab)
		waits, offered := NoThread, int32(0)
		for item, word := range rapid.SliceOfN(rapid.Byte(), 20, 60).Draw(t, "program") {
			host.events = nil
			me := Thread(word % programThreads)
			mine := int32(item)
			switch {
			case me == waits:
				if word > 128 {
					x.Cancel(me)
					waits = NoThread
				}
			case waits == NoThread && word > 200:
				if o := x.Try(me, Exchange, mine); o != Failed {
					t.Fatalf("a try met somebody: %v", o)
				}
			case waits == NoThread:
				if o := x.Call(me, Exchange, mine); o != Blocked {
					t.Fatalf("the first of a pair: %v", o)
				}
				waits, offered = me, mine
			default:
				o := x.Call(me, Exchange, mine)
				want := []resumed{{waits, Granted, mine}}
				if o != Granted || tab.Item(me) != offered || !slices.Equal(host.events, want) {
					t.Fatalf("the second of a pair: %v with item %d and %v, want item %d and %v", o, tab.Item(me), host.events, offered, want)
				}
				waits = NoThread
			}
		}
	})
}
