//go:build tierscope_probe

package runtime

import (
	"internal/goarch"
	"internal/runtime/syscall/linux"
	"unsafe"
)

// The CPU clock of a thread without a system call.
//
// CLOCK_THREAD_CPUTIME_ID is exact on a busy machine but always costs a system
// call. The time stamp counter costs a few nanoseconds but also runs while
// the kernel has given the core to somebody else. So the clock is read once,
// and from there the counter is used for as long as the thread has not lost
// its core. Restartable sequences (rseq(2), Linux 4.18) tell whether it has:
// after every context switch the kernel clears the thread's rseq_cs field if
// the thread was not inside the critical section described there. Ours
// describes one that is never executed.
const (
	pmSysRseq         = goarch.IsAmd64*334 + goarch.IsArm64*293
	pmSysClockGettime = goarch.IsAmd64*228 + goarch.IsArm64*113
	pmSysMadvise      = goarch.IsAmd64*28 + goarch.IsArm64*233

	pmThreadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	pmSignature = 0x53564354

	pmAnchorTicks = 1 << 25 // read the clock again at least so often, ≈ 10 ms
)

// pmM is the clock of one thread.
type pmM struct {
	cs    uintptr // address of the thread's rseq_cs; 0: not registered yet
	plain bool    // rseq refused: every reading is a system call
	ticks int64   // at the last reading of the clock
	cpu   int64   // ns, the last reading
	usage [18]int64
}

// pmIdle is the critical section that is never executed (struct rseq_cs). The
// kernel wants its signature before the abort address.
type pmIdle struct {
	version, flags    uint32
	start, size, abrt uint64
	code              [2]uint32
	signature         uint32
	abort             uint32
}

var (
	pmSection *pmIdle
	pmMult    uint64 // ns a tick, 32.32 fixed point
)

func pmClockInit() {
	s := (*pmIdle)(persistentalloc(unsafe.Sizeof(pmIdle{}), 64, &memstats.other_sys))
	s.start = uint64(uintptr(unsafe.Pointer(&s.code)))
	s.size = 4
	s.abrt = uint64(uintptr(unsafe.Pointer(&s.abort)))
	s.signature = pmSignature
	pmSection = s
	// half a millisecond of both clocks: 2e-4 of error at most
	n0, t0 := nanotime(), pmTicks()
	n1, t1 := n0, t0
	for n1-n0 < 5e5 {
		n1, t1 = nanotime(), pmTicks()
	}
	pmMult = uint64((float64(n1-n0) / float64(t1-t0)) * (1 << 32))
}

// pmCPU is the CPU time of the thread mp, the current one, in ns, at the tick now.
//
//go:nosplit
func pmCPU(mp *m, now int64) int64 {
	if c := mp.pm.cs; c != 0 && *(*uint64)(unsafe.Pointer(c)) != 0 {
		if d := now - mp.pm.ticks; uint64(d) < pmAnchorTicks {
			return mp.pm.cpu + int64(uint64(d)*(pmMult>>8)>>24)
		}
	}
	return pmAnchor(mp)
}

//go:nosplit
func pmAnchor(mp *m) int64 {
	if mp.pm.cs == 0 && !mp.pm.plain {
		systemstack(pmRegister)
	}
	if c := mp.pm.cs; c != 0 {
		*(*uint64)(unsafe.Pointer(c)) = uint64(uintptr(unsafe.Pointer(pmSection)))
	}
	var ts [2]int64
	linux.Syscall6(pmSysClockGettime, pmThreadCPU, uintptr(noescape(unsafe.Pointer(&ts))), 0, 0, 0, 0)
	mp.pm.ticks = pmTicks()
	mp.pm.cpu = ts[0]*1e9 + ts[1]
	return mp.pm.cpu
}

// pmRegister gives the current thread its rseq area, once.
func pmRegister() {
	mp := getg().m
	area := persistentalloc(64, 32, &memstats.other_sys) // struct rseq
	_, _, errno := linux.Syscall6(pmSysRseq, uintptr(area), 32, 0, pmSignature, 0, 0)
	if errno != 0 {
		mp.pm.plain = true // the C library has taken it, or an old kernel
		if h := pmHeader; h != nil {
			h[pmHPlain] = 1
		}
		return
	}
	mp.pm.cs = uintptr(area) + 8
}
