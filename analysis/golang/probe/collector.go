//go:build tierscope_probe

package runtime

// pmCollected records a cycle of the garbage collector that ends now: three
// records that count as one.
func pmCollected(now int64) {
	if pmBase == nil {
		return
	}
	mp := acquirem()
	if mp.p != 0 {
		if b := pmSpace(mp.p.ptr(), 96); b != nil {
			w := (*[12]uint64)(b)
			w[1] = uint64(work.tSweepTerm)
			w[2] = uint64(now)
			w[3] = uint64(work.pauseNS)
			w[5] = uint64(gcController.assistTime.Load())
			w[6] = uint64(gcController.dedicatedMarkTime.Load() + gcController.fractionalMarkTime.Load())
			w[7] = uint64(gcController.idleMarkTime.Load())
			w[9] = gcController.heapMarked
			w[10] = work.heap0
			w[11] = uint64(gcController.gcPercent.Load())
			w[4], w[8] = pmGC, pmGC
			w[0] = pmGC
		}
	}
	releasem(mp)
}
