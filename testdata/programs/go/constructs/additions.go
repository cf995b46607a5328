package main

import "sync/atomic"

// What an atomic addition returns may be a share of the work. One whose result nobody uses only counts.
//
// WANT main.main: count=4 count=6 count=5 count=-1
func additions() {
	var next atomic.Int64
	var free int32
	var ids atomic.Uint64
	next.Add(1)
	if i := next.Add(3) - 1; i >= 10 {
		return
	}
	take := func(n *atomic.Int64) int64 { return n.Add(2) }
	take(&next)
	atomic.AddInt32(&free, 3)
	if atomic.AddInt32(&free, 2) > 10 || (ids.Add)(^uint64(0)) == 0 {
		return
	}
}
