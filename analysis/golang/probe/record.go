//go:build tierscope_probe

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/syscall/linux"
	"unsafe"
)

// Records go straight into a shared mapping of a file: nothing has to be
// flushed, whichever way the program ends. Each P fills chunks of its own.
//
// A record is 32 bytes:
//
//	w0  ticks since start <<16 | flags <<8 | operation
//	w1  goroutine <<24 | site
//	w2  object <<16 | argument, if it fits 16 bits
//	w3  CPU ns of the goroutine <<16 | sequence number in its channel
//
// and may follow records that belong to it:
//
//	ext   w0 ready ticks <<16 | pmExt    w1 argument    w2 ticks in system calls    w3 ns of assist
//	case  w0 pmCase                      w1…w3 channels offered by a select, bit 0: send
//	disk  w0 pmDisk                      w1 thread of the system  w2 sectors of 512 bytes that it caused to be read in the operation
//	stack w0 frames <<16 | pmStack       w1 site        then the return addresses, padded
const (
	pmChunk  = 64 << 10
	pmFrames = 64 // innermost frames that tell contexts apart

	pmEnd    = 1 // flag: the operation ends
	pmHasExt = 2 // flag: an ext record precedes
	pmHasSeq = 4 // flag: the sequence number is one
	pmTimer  = 8 // flag: a go statement that a timer will execute, or of a sleep: a timer that will send to a channel

	pmExt   = 255
	pmStack = 254
	pmDisk  = 251
	pmCase  = 253
	pmGC    = 252
)

// Words of the file's first page.
const (
	pmHMagic = iota
	pmHOwner // process id, 0: nobody has opened it yet
	pmHNext  // offset of the next free chunk
	pmHTicks // counter and clock at the start, and at the last new chunk
	pmHNano
	pmHTicksNow
	pmHNanoNow
	pmHSize
	pmHDropped
	pmHText  // address of the program's code
	pmHMult  // ns a tick, 32.32
	pmHPlain // 1: no rseq, each reading of the CPU clock was a system call
	pmHSites // contexts not told apart, the table was full
	pmHMuted // operations not recorded because their site is muted
	pmHProcs // GOMAXPROCS at the start
)

const pmMagic = 0x31454f5250535400 // "\0TSPROE1"

var (
	pmBase   unsafe.Pointer
	pmHeader *[512]uint64
	pmSize   uintptr
	pmTicks0 int64

	// site numbers: open addressing over hashes of the calling context
	pmSites *[pmSiteSlots]uint64
)

const (
	pmSiteSlots  = 1 << 18
	pmSiteProbes = 64
)

// pmP is a P's chunk.
type pmP struct {
	pos, end uintptr
	muted    uint64
}

// pmG is what a goroutine carries.
type pmG struct {
	run, start int64 // ns of CPU: until it last stopped; thread clock when it started or stopped
	assist     int64 // ns of CPU of work the runtime made it do: GC assists, stopping the world
	sys        int64 // ticks in system calls
	sysStart   int64
	ready      int64 // ticks runnable but not running
	readyStart int64
	top        uintptr // depth of the frame that reports, 0: none
	topPC      uintptr
	seq        uint64 // of the value last sent or received
	began      bool
	muted      bool
	stopped    int64 // first time it stopped inside a muted operation, ticks
	stoppedCPU int64
	lastSys    int64 // as last written
	lastAssist int64
	lastReady  int64
	inFile     bool  // in an operation on files, so that system calls are asked for their blocks
	blocks     int64 // ru_inblock when the system call began; then of the operation
	read       int64 // sectors read by the operation so far
	os         int64 // the system's number of the thread of its longest system call, 0: none
	longest    int64 // ticks
}

// TierscopeEnter and TierscopeLeave bracket an operation. They are called from
// a wrapper; what is recorded is where the wrapper was called.
//
//go:nosplit
func TierscopeEnter(op uint32, obj uintptr, arg uint64) {
	if pmBase == nil {
		return
	}
	gp := getg()
	fp := getcallerfp()
	if pmNested(gp, fp) {
		return
	}
	if pmMute != nil && pmMutes(op) && pmIsMuted(gp.pm.topPC) {
		gp.pm.muted = true
		gp.pm.stopped = 0
		return
	}
	if op == pmOpLock || op == pmOpUnlock {
		switch pc := gp.pm.topPC; {
		case pc > pmSemaphore.first && pc <= pmSemaphore.past:
			arg = pmPermits(op, obj, pc)
		case pc > pmLimiter.first && pc <= pmLimiter.past:
			arg = pmRate(op, obj)
		}
	}
	if pmIsFile(op) {
		gp.pm.inFile, gp.pm.read, gp.pm.os, gp.pm.longest = true, 0, 0, 0
	}
	pmRec(uint64(op), obj, arg, unsafe.Pointer(fp))
}

//go:nosplit
func TierscopeLeave(op uint32, obj uintptr, arg uint64) {
	if pmBase == nil {
		return
	}
	gp := getg()
	fp := getcallerfp()
	if gp.stack.hi-fp != gp.pm.top {
		return
	}
	gp.pm.top = 0
	if gp.pm.muted {
		pmLeaveMuted(obj, unsafe.Pointer(fp))
		return
	}
	gp.pm.inFile = false
	pmRec(uint64(op)|pmEnd<<8, obj, arg, nil)
}

// pmNested says whether the frame fp runs inside an operation that is already
// being reported, and otherwise makes it the one that reports. Depths, not
// addresses: stacks move. A panic may have unwound the frame remembered; then
// its return address has gone from the stack too.
//
//go:nosplit
func pmNested(gp *g, fp uintptr) bool {
	if gp == gp.m.g0 {
		return true
	}
	depth := gp.stack.hi - fp
	if top := gp.pm.top; top != 0 && depth > top && *(*uintptr)(unsafe.Pointer(gp.stack.hi - top + 8)) == gp.pm.topPC {
		return true
	}
	gp.pm.top = depth
	gp.pm.topPC = *(*uintptr)(unsafe.Pointer(fp + 8))
	gp.pm.seq = 0
	gp.pm.muted = false
	return false
}

// TierscopeEvent records an event that brackets nothing, at the caller's caller.
//
//go:nosplit
func TierscopeEvent(op uint32, obj uintptr, arg, value uint64) {
	if pmBase == nil {
		return
	}
	gp := getg()
	if gp == gp.m.g0 {
		return
	}
	fp := getcallerfp()
	if top := gp.pm.top; top != 0 && gp.stack.hi-fp > top && *(*uintptr)(unsafe.Pointer(gp.stack.hi - top + 8)) == gp.pm.topPC {
		return
	}
	gp.pm.seq = value
	pmRec(uint64(op), obj, arg, unsafe.Pointer(fp))
}

//go:noinline
func pmRec(kf uint64, obj uintptr, arg uint64, fp unsafe.Pointer) {
	gp := getg()
	mp := acquirem()
	if mp.p != 0 && gp != mp.gsignal {
		now := pmTicks()
		cpu := gp.pm.run + pmCPU(mp, now) - gp.pm.start
		pp := mp.p.ptr()
		site := pmSite(pp, gp, fp)
		pmPut(pp, gp, now, cpu, kf, site, obj, arg, 0)
	}
	releasem(mp)
}

// pmPut writes a record after room bytes that the caller fills; it returns
// where they begin, nil if the file is full.
//
//go:nosplit
func pmPut(pp *p, gp *g, now, cpu int64, kf, site uint64, obj uintptr, arg uint64, room uintptr) unsafe.Pointer {
	s := &gp.pm
	ext := int64(int16(arg)) != int64(arg) || s.sys != s.lastSys || s.assist != s.lastAssist || s.ready != s.lastReady
	n := 32 + room
	if ext {
		n += 32
	}
	disk := s.os != 0 && kf>>8&pmEnd != 0
	if disk {
		n += 32
	}
	b := pmSpace(pp, n)
	if b == nil {
		return nil
	}
	at := add(b, room)
	if disk {
		w := (*[4]uint64)(at)
		w[1], w[2] = uint64(s.os), uint64(s.read)
		w[0] = pmDisk
		s.os = 0
		at = add(at, 32)
	}
	if ext {
		w := (*[4]uint64)(at)
		w[1] = arg
		w[2] = uint64(s.sys)
		w[3] = uint64(s.assist)
		w[0] = uint64(s.ready)<<16 | pmExt
		s.lastSys, s.lastAssist, s.lastReady = s.sys, s.assist, s.ready
		kf |= pmHasExt << 8
		at = add(at, 32)
	}
	if s.seq != 0 {
		kf |= pmHasSeq << 8
	}
	w := (*[4]uint64)(at)
	w[1] = gp.goid<<24 | site
	w[2] = uint64(obj)<<16 | arg&0xffff
	w[3] = uint64(cpu)<<16 | s.seq&0xffff
	w[0] = uint64(now-pmTicks0)<<16 | kf
	return b
}

// pmSite is the number of the calling context whose innermost frame is fp, 0
// if there is none. A new context is written out.
func pmSite(pp *p, gp *g, fp unsafe.Pointer) uint64 {
	if fp == nil {
		return 0
	}
	var pcs [pmFrames]uintptr
	n := 0
	h := uint64(1)
	lo, hi := gp.stack.lo, gp.stack.hi-16
	for f := uintptr(fp); n < len(pcs) && f >= lo && f <= hi; n++ {
		pc := *(*uintptr)(unsafe.Pointer(f + 8))
		if pc == 0 {
			break
		}
		pcs[n] = pc
		h = (h ^ uint64(pc)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
		next := *(*uintptr)(unsafe.Pointer(f))
		if next <= f {
			n++
			break
		}
		f = next
	}
	if h == 0 {
		h = 1
	}
	for i := uint64(0); i < pmSiteProbes; i++ {
		k := (h + i) & (pmSiteSlots - 1)
		v := atomic.Load64(&pmSites[k])
		if v == 0 && atomic.Cas64(&pmSites[k], 0, h) {
			if b := pmSpace(pp, uintptr(16+n*8+31)&^31); b != nil {
				w := (*[2 + pmFrames]uint64)(b)
				w[1] = k + 1
				for j := range n {
					w[2+j] = uint64(pcs[j])
				}
				w[0] = uint64(n)<<16 | pmStack
			}
			return k + 1
		}
		if v == 0 {
			v = atomic.Load64(&pmSites[k])
		}
		if v == h {
			return k + 1
		}
	}
	atomic.Xadd64(&pmHeader[pmHSites], 1)
	return 0
}

// pmSpace returns n bytes of pp's chunk, nil if the file is full.
//
//go:nosplit
func pmSpace(pp *p, n uintptr) unsafe.Pointer {
	if pp.pm.pos+n > pp.pm.end && !pmNewChunk(pp) {
		atomic.Xadd64(&pmHeader[pmHDropped], 1)
		return nil
	}
	b := unsafe.Pointer(pp.pm.pos)
	pp.pm.pos += n
	return b
}

//go:nosplit
func pmNewChunk(pp *p) bool {
	h := pmHeader
	if uintptr(atomic.Load64(&h[pmHNext]))+pmChunk > pmSize {
		return false
	}
	off := uintptr(atomic.Xadd64(&h[pmHNext], pmChunk)) - pmChunk
	if off+pmChunk > pmSize {
		return false
	}
	pp.pm.pos = uintptr(pmBase) + off
	pp.pm.end = pp.pm.pos + pmChunk
	atomic.Xadd64(&h[pmHMuted], int64(pp.pm.muted))
	pp.pm.muted = 0
	// all pages of the chunk in one call, not a fault each
	linux.Syscall6(pmSysMadvise, pp.pm.pos, pmChunk, 23 /* MADV_POPULATE_WRITE */, 0, 0, 0)
	h[pmHTicksNow], h[pmHNanoNow] = uint64(pmTicks()), uint64(nanotime())
	return true
}
