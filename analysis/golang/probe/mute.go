//go:build tierscope_probe

package runtime

import "unsafe"

// Operations called from muted return addresses are not recorded, unless the
// goroutine has to stop in one: then a park is.
const pmMuteSlots = 1 << 13

var pmMute *[pmMuteSlots]uintptr

//go:nosplit
func pmMutes(op uint32) bool { return op >= pmOpLock && op <= pmOpOnce || op == pmOpCount }

//go:nosplit
func pmIsMuted(pc uintptr) bool {
	for i := pc * 0x9E3779B1 >> 8; ; i++ {
		switch pmMute[i&(pmMuteSlots-1)] {
		case pc:
			return true
		case 0:
			return false
		}
	}
}

// pmMuteLoad reads offsets of return addresses, 8 bytes each.
func pmMuteLoad(fd int32, text uintptr) {
	pmMute = (*[pmMuteSlots]uintptr)(sysAlloc(unsafe.Sizeof(*pmMute), &memstats.other_sys, "tierscope"))
	for n := 0; n < pmMuteSlots/2 && read(fd, unsafe.Pointer(&pmWord), 8) == 8; n++ {
		pc := pmWord[0] + text
		i := pc * 0x9E3779B1 >> 8
		for pmMute[i&(pmMuteSlots-1)] != 0 {
			i++
		}
		pmMute[i&(pmMuteSlots-1)] = pc
	}
}

// pmLeaveMuted ends a muted operation: if the goroutine had to stop, a park
// from then until now is recorded.
//
//go:noinline
func pmLeaveMuted(obj uintptr, fp unsafe.Pointer) {
	gp := getg()
	mp := acquirem()
	gp.pm.muted = false
	if pp := mp.p.ptr(); pp != nil {
		pp.pm.muted++
		if t := gp.pm.stopped; t != 0 {
			now := pmTicks()
			cpu := gp.pm.run + pmCPU(mp, now) - gp.pm.start
			site := pmSite(pp, gp, fp)
			gp.pm.seq = 0
			pmPut(pp, gp, t, gp.pm.stoppedCPU, pmOpPark, site, obj, 0, 0)
			pmPut(pp, gp, now, cpu, pmOpPark|pmEnd<<8, 0, obj, 0, 0)
		}
	}
	releasem(mp)
}
