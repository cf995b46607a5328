package native

import "tierscope/analysis/trace"

// patient makes one wait of those for a condition whose time is up again and again, with nothing but looks under locks in
// between:
//
//	lock; wait, 300 ms in vain; unlock; … lock; wait, signalled; unlock
//
// How often the time is up depends on how long others take, which no other run repeats.
func patient(t *trace.Trace) {
	for i := range t.Threads {
		rs := t.Threads[i].Records
		out := rs[:0] // what is looked at lies ahead
		for k := 0; k < len(rs); k++ {
			if r := &rs[k]; r.Op == trace.OpCondWait && r.End && r.Arg == 0 {
				if again := nextTry(rs, k); again > 0 {
					k = again // which goes on with the wait
					continue
				}
			}
			out = append(out, rs[k])
		}
		t.Threads[i].Records = out
	}
}

// nextTry returns the index of the start of the wait with which a thread goes on after one in vain that ended at k; 0: it
// does something else.
func nextTry(rs []trace.Record, k int) int {
	had := map[uint64]bool{} // locks that it has no longer, or in addition
	for i := k + 1; i < len(rs); i++ {
		switch r := &rs[i]; {
		case r.Op == trace.OpCondWait && !r.End && r.Object == rs[k].Object && r.Site == rs[k].Site && len(had) == 0:
			return i
		case (r.Op == trace.OpLock || r.Op == trace.OpUnlock) && r.End:
			toggle(had, r.Object)
		case r.Op == trace.OpLock, r.Op == trace.OpUnlock:
		default:
			return 0
		}
	}
	return 0
}

// toggle notes that a lock was given back or taken: the one undoes the other.
func toggle(had map[uint64]bool, lock uint64) {
	if had[lock] {
		delete(had, lock)
		return
	}
	had[lock] = true
}
