package diskio

import (
	"encoding/binary"

	"github.com/cilium/ebpf/asm"
)

// An event of the programs of EBPF, on their stack and in the ring buffer; in the
// machine's order of bytes.
const (
	eventTime   = 0  // 8 bytes: ns of CLOCK_MONOTONIC
	eventSector = 8  // 8
	eventDevice = 16 // 4: major<<20 | minor
	eventBytes  = 20 // 4
	eventFlags  = 24 // 4
	eventThread = 28 // 4
	eventKind   = 32 // 4: an action, enters or leaves
	eventCall   = 36 // 4: number of a system call
	eventSize   = 40

	// Below it on the stack: a pointer, and keys and values of maps.
	frame    = -eventSize
	slot     = frame - 8
	slotHigh = slot + 4
)

// Kinds of events beside the actions of requests.
const (
	enters = 100 + iota
	leaves
)

// kernelMaps are the file descriptors of the maps that the programs share with
// us.
type kernelMaps struct {
	events  int // ring buffer
	lost    int // array of one number: events for which there was no room
	threads int // set of the threads whose system calls are recorded
	calls   int // set of the system calls that are
	inside  int // by thread: the system call that it executes
}

// kernelProgram writes a program for a raw tracepoint. Registers: R6 is its
// context, the arguments of the tracepoint; R7 and R8 are pointers into the
// kernel; R1 to R5 do not survive a call. Every program ends at "exit".
type kernelProgram struct {
	asm.Instructions
	layout *kernelLayout
	maps   kernelMaps
}

func (p *kernelProgram) emit(more ...asm.Instruction) {
	p.Instructions = append(p.Instructions, more...)
}

// begin clears the event and fills in what all have.
func (p *kernelProgram) begin(kind int64) {
	p.emit(asm.Mov.Reg(asm.R6, asm.R1))
	p.emit(asm.Mov.Imm(asm.R1, 0))
	for at := int16(slot); at < 0; at += 8 {
		p.emit(asm.StoreMem(asm.R10, at, asm.R1, asm.DWord))
	}
	p.emit(
		asm.FnKtimeGetNs.Call(),
		asm.StoreMem(asm.R10, frame+eventTime, asm.R0, asm.DWord),
		asm.FnGetCurrentPidTgid.Call(), // the lower half is what user space calls a thread
		asm.StoreMem(asm.R10, frame+eventThread, asm.R0, asm.Word),
		asm.StoreImm(asm.R10, frame+eventKind, kind, asm.Word),
	)
}

// argument loads an argument of the tracepoint.
func (p *kernelProgram) argument(to asm.Register, n int16) {
	p.emit(asm.LoadMem(to, asm.R6, 8*n, asm.DWord))
}

// read copies bytes from where a pointer into the kernel points to.
func (p *kernelProgram) read(from asm.Register, at int16, bytes int32, to int16) {
	p.emit(
		asm.Mov.Reg(asm.R1, asm.R10), asm.Add.Imm(asm.R1, int32(to)),
		asm.Mov.Imm(asm.R2, bytes),
		asm.Mov.Reg(asm.R3, from), asm.Add.Imm(asm.R3, int32(at)),
		asm.FnProbeReadKernel.Call(),
	)
}

// follow reads a pointer; without one the program exits.
func (p *kernelProgram) follow(from asm.Register, at int16, to asm.Register) {
	p.read(from, at, 8, slot)
	p.emit(asm.LoadMem(to, asm.R10, slot, asm.DWord), asm.JEq.Imm(to, 0, "exit"))
}

// output sends the event, or counts it as lost.
func (p *kernelProgram) output() {
	p.emit(
		asm.LoadMapPtr(asm.R1, p.maps.events),
		asm.Mov.Reg(asm.R2, asm.R10), asm.Add.Imm(asm.R2, frame),
		asm.Mov.Imm(asm.R3, eventSize),
		asm.Mov.Imm(asm.R4, 0),
		asm.FnRingbufOutput.Call(),
		asm.JEq.Imm(asm.R0, 0, "exit"),
		asm.StoreImm(asm.R10, slot, 0, asm.Word),
	)
	p.lookup(p.maps.lost, slot)
	p.emit(asm.Mov.Imm(asm.R1, 1), asm.StoreXAdd(asm.R0, asm.R1, asm.DWord))
}

// lookup finds the value of a key on the stack: R0 points to it. Without one the
// program exits.
func (p *kernelProgram) lookup(set int, key int32) {
	p.emit(
		asm.LoadMapPtr(asm.R1, set),
		asm.Mov.Reg(asm.R2, asm.R10), asm.Add.Imm(asm.R2, key),
		asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "exit"),
	)
}

// update puts a key and a value on the stack into a map.
func (p *kernelProgram) update(set int, key, value int32) {
	p.emit(
		asm.LoadMapPtr(asm.R1, set),
		asm.Mov.Reg(asm.R2, asm.R10), asm.Add.Imm(asm.R2, key),
		asm.Mov.Reg(asm.R3, asm.R10), asm.Add.Imm(asm.R3, value),
		asm.Mov.Imm(asm.R4, 0),
		asm.FnMapUpdateElem.Call(),
	)
}

// end returns the program.
func (p *kernelProgram) end() asm.Instructions {
	p.emit(asm.Mov.Imm(asm.R0, 0).WithSymbol("exit"), asm.Return())
	return p.Instructions
}

// bioProgram is for block_bio_queue(struct bio *).
func bioProgram(l *kernelLayout, maps kernelMaps) asm.Instructions {
	p := &kernelProgram{layout: l, maps: maps}
	p.begin(int64(queued))
	p.argument(asm.R7, 0)
	p.read(asm.R7, l.bioSector, 8, frame+eventSector)
	p.read(asm.R7, l.bioLength, 4, frame+eventBytes)
	p.read(asm.R7, l.bioFlags, 4, frame+eventFlags)
	p.follow(asm.R7, l.bioDevice, asm.R8)
	p.read(asm.R8, l.number, 4, frame+eventDevice)
	p.output()
	return p.end()
}

// requestProgram is for block_rq_insert, block_rq_issue and block_rq_requeue(struct
// request *), and for block_rq_complete(struct request *, blk_status_t, unsigned
// bytes).
func requestProgram(l *kernelLayout, maps kernelMaps, a action) asm.Instructions {
	p := &kernelProgram{layout: l, maps: maps}
	p.begin(int64(a))
	p.argument(asm.R7, 0)
	p.read(asm.R7, l.sector, 8, frame+eventSector)
	p.read(asm.R7, l.length, 4, frame+eventBytes)
	p.read(asm.R7, l.flags, 4, frame+eventFlags)
	if a == completed { // a part of it, perhaps
		p.argument(asm.R1, 2)
		p.emit(asm.StoreMem(asm.R10, frame+eventBytes, asm.R1, asm.Word))
	}
	p.follow(asm.R7, l.queue, asm.R8)
	p.follow(asm.R8, l.disk, asm.R8)
	p.read(asm.R8, l.major, 4, slot)
	p.read(asm.R8, l.minor, 4, slotHigh)
	p.emit(
		asm.LoadMem(asm.R1, asm.R10, slot, asm.Word),
		asm.LSh.Imm(asm.R1, 20),
		asm.LoadMem(asm.R2, asm.R10, slotHigh, asm.Word),
		asm.Or.Reg(asm.R1, asm.R2),
		asm.StoreMem(asm.R10, frame+eventDevice, asm.R1, asm.Word),
	)
	p.output()
	return p.end()
}

// enterProgram is for sys_enter(struct pt_regs *, long number).
func enterProgram(l *kernelLayout, maps kernelMaps) asm.Instructions {
	p := &kernelProgram{layout: l, maps: maps}
	p.begin(enters)
	p.argument(asm.R7, 1)
	p.emit(asm.StoreMem(asm.R10, frame+eventCall, asm.R7, asm.Word))
	p.lookup(maps.threads, frame+eventThread)
	p.lookup(maps.calls, frame+eventCall)
	p.update(maps.inside, frame+eventThread, frame+eventCall)
	p.output()
	return p.end()
}

// leaveProgram is for sys_exit(struct pt_regs *, long result).
func leaveProgram(l *kernelLayout, maps kernelMaps) asm.Instructions {
	p := &kernelProgram{layout: l, maps: maps}
	p.begin(leaves)
	p.lookup(maps.inside, frame+eventThread)
	p.emit(
		asm.LoadMem(asm.R1, asm.R0, 0, asm.Word),
		asm.StoreMem(asm.R10, frame+eventCall, asm.R1, asm.Word),
		asm.LoadMapPtr(asm.R1, maps.inside),
		asm.Mov.Reg(asm.R2, asm.R10), asm.Add.Imm(asm.R2, frame+eventThread),
		asm.FnMapDeleteElem.Call(),
	)
	p.output()
	return p.end()
}

// forkProgram is for sched_process_fork(struct task_struct *parent, *child): the
// children of threads that are recorded are recorded.
func forkProgram(l *kernelLayout, maps kernelMaps) asm.Instructions {
	p := &kernelProgram{layout: l, maps: maps}
	p.begin(0)
	p.lookup(maps.threads, frame+eventThread)
	p.argument(asm.R7, 1)
	p.read(asm.R7, l.thread, 4, frame+eventCall)
	p.update(maps.threads, frame+eventCall, frame+eventKind)
	return p.end()
}

// kernelEvent is an event as the programs wrote it.
type kernelEvent struct {
	time, sector                               uint64
	device, bytes, flags, thread, kind, number uint32
}

// parseKernelEvent reads an event; it reports false for anything else.
func parseKernelEvent(b []byte) (kernelEvent, bool) {
	if len(b) < eventSize {
		return kernelEvent{}, false
	}
	o := binary.NativeEndian
	return kernelEvent{
		time: o.Uint64(b[eventTime:]), sector: o.Uint64(b[eventSector:]),
		device: o.Uint32(b[eventDevice:]), bytes: o.Uint32(b[eventBytes:]), flags: o.Uint32(b[eventFlags:]),
		thread: o.Uint32(b[eventThread:]), kind: o.Uint32(b[eventKind:]), number: o.Uint32(b[eventCall:]),
	}, true
}
