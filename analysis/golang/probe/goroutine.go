//go:build tierscope_probe

package runtime

import "unsafe"

// pmTrans follows the changes of a goroutine's state: CPU time belongs to it
// while it runs, and from ready to running it waits for a P.
//
//go:nosplit
func pmTrans(gp *g, from, to uint32) {
	if pmBase == nil {
		return
	}
	switch {
	case to == _Grunnable:
		now := pmTicks()
		gp.pm.readyStart = now
		if from == _Grunning {
			pmStop(gp, now)
		}
	case to == _Grunning && from == _Grunnable:
		now := pmTicks()
		gp.pm.start = pmCPU(getg().m, now)
		if gp.pm.readyStart != 0 {
			gp.pm.ready += now - gp.pm.readyStart
			gp.pm.readyStart = 0
		}
		if !gp.pm.began {
			gp.pm.began = true
			pmBegin(gp, now)
		}
	case to == _Grunning && from == _Gwaiting:
		// it never left its thread: the runtime worked in its name
		c := pmCPU(getg().m, pmTicks())
		gp.pm.assist += c - gp.pm.start
		gp.pm.start = c
	case from == _Grunning && (to == _Gwaiting || to == _Gdead || to == _Gpreempted):
		pmStop(gp, pmTicks())
	}
}

//go:nosplit
func pmStop(gp *g, now int64) {
	c := pmCPU(getg().m, now)
	gp.pm.run += c - gp.pm.start
	gp.pm.start = c
	if gp.pm.muted && gp.pm.stopped == 0 {
		gp.pm.stopped = now
		gp.pm.stoppedCPU = gp.pm.run
	}
}

// pmBegin records that gp runs for the first time. It is called on g0.
func pmBegin(gp *g, now int64) {
	mp := getg().m
	if mp.p != 0 {
		pmPut(mp.p.ptr(), gp, now, 0, pmOpThreadBegin, 0, 0, 0, 0)
	}
}

// pmSpawn records a go statement of gp, whose frame is fp. It is called on g0,
// or by g0 for the functions of timers, whose records have them in place of a CPU time.
func pmSpawn(gp, child *g, fn *funcval, fp uintptr) {
	mp := getg().m
	if mp.p == 0 {
		return
	}
	now := pmTicks()
	cpu := int64(uintptr(unsafe.Pointer(fn)))
	if gp != mp.g0 {
		cpu = gp.pm.run + pmCPU(mp, now) - gp.pm.start
	}
	pp := mp.p.ptr()
	site := pmSite(pp, gp, unsafe.Pointer(fp))
	gp.pm.seq = 0
	pmPut(pp, gp, now, cpu, pmOpSpawn, site, uintptr(child.goid), uint64(fn.fn-uintptr(pmHeader[pmHText])), 0)
}

// pmArm records that the caller's caller has set a timer that starts a goroutine, or sends to a channel: its function or the channel,
// and how long until then.
//
//go:noinline
func pmArm(arg any, when int64, sends bool) {
	if pmBase == nil || getg() == getg().m.g0 {
		return
	}
	op := uint64(pmOpSpawn)
	if sends {
		op = pmOpSleep
	}
	getg().pm.seq = 0
	pmRec(op|pmTimer<<8, uintptr(efaceOf(&arg).data), uint64(max(when-nanotime(), 0)), unsafe.Pointer(getcallerfp()))
}

// pmExit records the end of the calling goroutine.
func pmExit() {
	if pmBase != nil {
		getg().pm.seq = 0
		pmRec(pmOpThreadEnd, 0, 0, nil)
	}
}
