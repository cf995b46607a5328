//go:build tierscope_probe

package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"internal/runtime/exithook"
	"unsafe"
)

// What to do comes by environment:
//
//	TIERSCOPE_PROBE=file    record operations; the file is there, with magic and full size
//	TIERSCOPE_MUTE=file     return addresses whose operations are not recorded
//	TIERSCOPE_TRACE=file    write an execution trace, with CPU samples at
//	TIERSCOPE_HZ=n          n a second
//	TIERSCOPE_FRAMES=file   print the frames of the return addresses in the file, and exit
func pmInit() {
	text := firstmoduledata.text
	if fd := pmOpen("TIERSCOPE_FRAMES", 0); fd >= 0 {
		pmPrintFrames(fd, text)
	}
	if fd := pmOpen("TIERSCOPE_PROBE", 2 /* O_RDWR */); fd >= 0 && !pmProbeStart(fd, text) {
		return // a child: the execution trace is of its parent, too
	}
	pmTraceStart()
}

// pmProbeStart reports whether this process is the one that records.
func pmProbeStart(fd int32, text uintptr) bool {
	var page [64]uint64
	if read(fd, noescape(unsafe.Pointer(&page)), int32(unsafe.Sizeof(page))) != int32(unsafe.Sizeof(page)) || page[pmHMagic] != pmMagic {
		print("tierscope: TIERSCOPE_PROBE names no probe file\n")
		exit(3)
	}
	size := uintptr(page[pmHSize])
	p, errno := mmap(nil, size, _PROT_READ|_PROT_WRITE, 1 /* MAP_SHARED */, fd, 0)
	closefd(fd)
	if errno != 0 {
		print("tierscope: cannot map the probe file, error ", errno, "\n")
		exit(3)
	}
	h := (*[512]uint64)(p)
	// Children of the program inherit its environment: the first process records, also
	// after it has executed another image in its place.
	me := uint64(getpid())
	if !atomic.Cas64(&h[pmHOwner], 0, me) && h[pmHOwner] != me {
		munmap(p, size)
		return false
	}
	if fd := pmOpen("TIERSCOPE_MUTE", 0); fd >= 0 {
		pmMuteLoad(fd, text)
		closefd(fd)
	}
	pmSites = (*[pmSiteSlots]uint64)(sysAlloc(unsafe.Sizeof(*pmSites), &memstats.other_sys, "tierscope"))
	pmHeader = h
	pmSize = size
	pmFindModules()
	pmClockInit()
	h[pmHText] = uint64(text)
	h[pmHMult] = pmMult
	h[pmHProcs] = uint64(gomaxprocs)
	h[pmHNext] = pmChunk
	h[pmHNano] = uint64(nanotime())
	pmTicks0 = pmTicks()
	h[pmHTicks] = uint64(pmTicks0)
	h[pmHTicksNow], h[pmHNanoNow] = h[pmHTicks], h[pmHNano]
	gp := getg()
	mp := acquirem()
	gp.pm.start = pmCPU(mp, pmTicks())
	gp.pm.began = true
	pmBase = p
	releasem(mp)
	pmRec(pmOpThreadBegin, 0, 0, nil)
	return true
}

// pmWord is a buffer: package runtime may not let variables escape.
var pmWord [1]uintptr

func pmOpen(env string, flags int32) int32 {
	name := gogetenv(env)
	if name == "" {
		return -1
	}
	b := make([]byte, len(name)+1)
	copy(b, name)
	fd := open(&b[0], flags|0x80000 /* O_CLOEXEC */, 0o644)
	if fd < 0 {
		print("tierscope: cannot open ", env, "=", name, "\n")
		exit(3)
	}
	return fd
}

func pmNumber(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// The execution trace is written by a goroutine and stopped by an exit hook.
var (
	pmTraceFD   int32
	pmTraceDone chan bool
	pmTraceEnds bool // somebody waits for the end of the trace
)

func pmTraceStart() {
	fd := pmOpen("TIERSCOPE_TRACE", 0x241 /* O_WRONLY|O_CREAT|O_TRUNC */)
	if fd < 0 {
		return
	}
	if hz := pmNumber(gogetenv("TIERSCOPE_HZ")); hz > 0 {
		SetCPUProfileRate(hz)
	}
	if StartTrace() != nil {
		print("tierscope: cannot start the execution trace\n")
		return
	}
	pmTraceFD = fd
	pmTraceDone = make(chan bool)
	go pmTraceWrite()
	exithook.Add(exithook.Hook{RunOnFailure: true, F: pmTraceStop})
}

func pmTraceWrite() {
	failed := false
	for {
		b := ReadTrace()
		if b == nil {
			break
		}
		for len(b) > 0 && !failed {
			n := write1(uintptr(pmTraceFD), unsafe.Pointer(&b[0]), int32(len(b)))
			if n <= 0 {
				print("tierscope: cannot write the execution trace, error ", -n, "\n")
				failed = true // go on reading: the tracer waits for that
				break
			}
			b = b[n:]
		}
		if pmDeadlocked() {
			systemstack(func() { fatal("all goroutines are asleep - deadlock!") }) // with all stacks
		}
	}
	closefd(pmTraceFD)
	close(pmTraceDone)
}

func pmTraceStop() {
	if traceEnabled() {
		pmTraceEnds = true
		StopTrace()
		SetCPUProfileRate(0)
		<-pmTraceDone
	}
}

// pmDeadlocked reports whether nothing can wake the program. The run-time system itself
// sees no deadlock while the tracer has timers, and a thread that waits for them. What it
// looks at first may change meanwhile; then the world stands still.
func pmDeadlocked() bool {
	if iscgo || islibrary || isarchive || pmTraceEnds || !pmAsleep() {
		return false
	}
	stw := stopTheWorld(stwUnknown)
	dead := !pmTraceEnds && pmAsleep()
	startTheWorld(stw)
	return dead
}

// pmAsleep reports whether all goroutines of the program wait for each other: not for the
// network, the system, a timer, or one of the run-time system, as signal.Notify does.
func pmAsleep() bool {
	if netpollAnyWaiters() {
		return false
	}
	asleep, some := true, false
	reader := getg()
	forEachG(func(gp *g) {
		if gp == reader {
			return
		}
		switch readgstatus(gp) &^ _Gscan {
		case _Gwaiting:
			some = some || !isSystemGoroutine(gp, false)
		case _Grunnable, _Grunning, _Gsyscall, _Gpreempted:
			asleep = false
		}
	})
	if !asleep || !some {
		return false
	}
	for _, pp := range allp {
		lock(&pp.timers.mu)
		for _, t := range pp.timers.heap {
			if _, tracer := t.timer.arg.(*wakeableSleep); !tracer { // only the tracer has these
				asleep = false
			}
		}
		unlock(&pp.timers.mu)
	}
	return asleep
}

// pmPrintFrames writes a line for every return address in the file: its
// offset, then function, file and line of each frame, innermost first.
func pmPrintFrames(fd int32, text uintptr) {
	out := make([]byte, 0, 1<<16)
	for {
		if len(out) > 1<<15 {
			pmFlush(out)
			out = out[:0]
		}
		if read(fd, unsafe.Pointer(&pmWord), 8) != 8 {
			break
		}
		out = pmAppendUint(out, uint64(pmWord[0]))
		pmWord[0] += text
		if f := findfunc(pmWord[0]); f.valid() {
			// not CallersFrames: it leaves out callers that were inlined, for the last address
			u, uf := newInlineUnwinder(f, pmWord[0]-1)
			for n := 0; uf.valid(); uf = u.next(uf) {
				fn := u.srcFunc(uf)
				if fn.funcID == abi.FuncIDWrapper && (n > 0 || u.isInlined(uf)) {
					continue // made by the compiler: method values, embedded methods
				}
				n++
				file, line := u.fileLine(uf)
				out = append(out, '\t')
				out = append(out, funcNameForPrint(fn.name())...)
				out = append(out, 0)
				out = append(out, file...)
				out = append(out, 0)
				out = pmAppendUint(out, uint64(line))
			}
		}
		out = append(out, '\n')
	}
	pmFlush(out)
	exit(0)
}

func pmFlush(b []byte) {
	for len(b) > 0 {
		n := write1(1, unsafe.Pointer(&b[0]), int32(len(b)))
		if n <= 0 {
			exit(3)
		}
		b = b[n:]
	}
}

func pmAppendUint(b []byte, v uint64) []byte {
	var d [20]byte
	i := len(d)
	for {
		i--
		d[i] = byte('0' + v%10)
		v /= 10
		if v == 0 {
			return append(b, d[i:]...)
		}
	}
}
