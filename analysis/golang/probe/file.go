//go:build tierscope_probe

package runtime

import (
	"internal/goarch"
	"internal/runtime/syscall/linux"
	"unsafe"
)

// What a system call on a file costs the disk, without privilege: the kernel
// counts for every thread the sectors that it caused to be read. It is asked
// before and after the call, on the thread that makes it: after a long call the
// goroutine may go on elsewhere.
const (
	pmSysGetrusage = goarch.IsAmd64*98 + goarch.IsArm64*165
	pmUsageThread  = 1  // RUSAGE_THREAD
	pmInBlock      = 11 // word of struct rusage: blocks of 512 bytes read
)

//go:nosplit
func pmIsFile(op uint32) bool { return op >= pmOpOpen && op <= pmOpFileChange || op == pmOpFileSend }

// pmSysBegin and pmSysEnd bracket a system call.
//
//go:nosplit
func pmSysBegin(gp *g) {
	if gp.pm.inFile && pmBase != nil {
		gp.pm.blocks = pmBlocks(gp.m)
	}
	gp.pm.sysStart = pmTicks()
}

//go:nosplit
func pmSysEnd(gp *g) {
	d := pmTicks() - gp.pm.sysStart
	gp.pm.sys += d
	if gp.pm.inFile && pmBase != nil {
		gp.pm.read += pmBlocks(gp.m) - gp.pm.blocks
		if d >= gp.pm.longest {
			gp.pm.longest, gp.pm.os = d, int64(gp.m.procid)
		}
	}
}

// pmBlocks is ru_inblock of the current thread. Its buffer is not on the stack,
// of which little is left here.
//
//go:nosplit
func pmBlocks(mp *m) int64 {
	linux.Syscall6(pmSysGetrusage, pmUsageThread, uintptr(unsafe.Pointer(&mp.pm.usage)), 0, 0, 0, 0)
	return mp.pm.usage[pmInBlock]
}
