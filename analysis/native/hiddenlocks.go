package native

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// Of a lock that is a number in memory, as Rust's Mutex is, only what happens when it is held is seen: a thread changes the number
// from free to held without the kernel, and asks that for a wait, or a wake-up of one who waits, where it finds, or has made, the number
// "held, and somebody waits" (mutex 2 of Drepper 2011, Futexes are tricky, §6):
//
//	lock:   0 → 1, or: while (swap 2) ≠ 0 { wait while it is 2 }
//	unlock: if (swap 0) = 2 { wake one }
//
// Such a wait is owed to nobody in particular, and in another run there is none: in a model it would wait for a wake-up that nobody owes it.
// So both are left out, and it is said how long threads waited.

// heldAndWanted is what the number is while somebody waits.
const heldAndWanted = 2

// hiddenLocks leaves the waits and wake-ups of such locks out.
func hiddenLocks(t *trace.Trace) {
	type use struct {
		another bool
		owes    map[int]bool // threads that waited there, and have not woken anybody since
		waited  int64
	}
	uses := map[uint64]*use{}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			r := &rs[k]
			if r.Op != trace.OpPark && r.Op != trace.OpUnpark {
				continue
			}
			u := uses[r.Object]
			if u == nil {
				u = &use{owes: map[int]bool{}}
				uses[r.Object] = u
			}
			switch {
			case r.Op == trace.OpUnpark && r.End:
				u.another = u.another || r.Arg != 1
				delete(u.owes, i)
			case r.Op == trace.OpPark && !r.End:
				u.another = u.another || r.Arg != heldAndWanted
				if e, ended := trace.EndOf(rs, k); ended {
					u.owes[i] = true
					u.waited += e.Time - r.Time
				}
			}
		}
	}
	hidden, waited := map[uint64]bool{}, int64(0)
	for o, u := range uses {
		if !u.another && len(u.owes) == 0 && u.waited > 0 {
			hidden[o] = true
			waited += u.waited
		}
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		if len(hidden) > 0 {
			rs = slices.DeleteFunc(rs, func(r trace.Record) bool {
				return hidden[r.Object] && (r.Op == trace.OpPark || r.Op == trace.OpUnpark)
			})
		}
		for k := range rs {
			if rs[k].Op == trace.OpPark && !rs[k].End {
				rs[k].Arg = 0 // nobody else needs to know what was found
			}
		}
		t.Threads[i].Records = rs
	}
	if len(hidden) > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("of %d locks, such as Mutexes of Rust, only waits are seen, not who has them: threads waited there for %.1f ms in all, of which the model knows nothing", len(hidden), 1e-6*float64(waited)))
	}
}
