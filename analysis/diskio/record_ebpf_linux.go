package diskio

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/features"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"
)

// EBPF records by small programs in the kernel, at its raw tracepoints. It does
// not need root: the capabilities CAP_BPF and CAP_PERFMON will do. The kernel
// removes the programs when this process ends, however it does.
type EBPF struct{}

const (
	ringBytes   = 16 << 20
	mostThreads = 1 << 14
	kernelTypes = "/sys/kernel/btf/vmlinux"
)

// callNumbers are the system calls of fileCalls that all architectures have.
var callNumbers = map[uint32]string{
	unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_READV: "readv", unix.SYS_PREADV: "preadv",
	unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64", unix.SYS_WRITEV: "writev", unix.SYS_PWRITEV: "pwritev",
	unix.SYS_OPENAT: "openat", unix.SYS_OPENAT2: "openat2", unix.SYS_STATX: "statx", unix.SYS_FSTAT: "newfstat",
	unix.SYS_GETDENTS64: "getdents64", unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync",
	unix.SYS_SENDFILE: "sendfile64", unix.SYS_COPY_FILE_RANGE: "copy_file_range",
	unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RENAMEAT2: "renameat2", unix.SYS_MKDIRAT: "mkdirat",
}

// Name is "ebpf".
func (EBPF) Name() string { return "ebpf" }

// Lacks is nothing that a model needs, unless the program has numbers of its own
// for its threads.
func (EBPF) Lacks() []string {
	return []string{"threads of a container with process numbers of its own: their requests count as those of others"}
}

// Usable tries what it takes.
func (EBPF) Usable() error {
	if err := kernelNumbers(); err != nil {
		return err
	}
	if err := features.HaveProgramType(ebpf.RawTracepoint); err != nil {
		return fmt.Errorf("raw tracepoints: %w; it needs the capabilities CAP_BPF and CAP_PERFMON (setcap cap_bpf,cap_perfmon=ep)", err)
	}
	if err := features.HaveMapType(ebpf.RingBuf); err != nil {
		return fmt.Errorf("ring buffers: %w; they need Linux 5.8", err)
	}
	if err := features.HaveProgramHelper(ebpf.RawTracepoint, asm.FnProbeReadKernel); err != nil {
		return fmt.Errorf("reading the kernel's memory: %w; it needs the capability CAP_PERFMON", err)
	}
	f, err := os.Open(kernelTypes)
	if err != nil {
		return fmt.Errorf("the kernel does not describe its types: %w", err)
	}
	return f.Close()
}

// kernelRecording is a Recording of EBPF.
type kernelRecording struct {
	scope    Scope
	layout   kernelLayout
	maps     []*ebpf.Map
	lost     *ebpf.Map
	programs []*ebpf.Program
	links    []link.Link
	ring     *ringbuf.Reader
	reading  sync.WaitGroup
	capture  capture
	err      error
}

// Start begins to record.
func (e EBPF) Start(s Scope) (_ Recording, err error) {
	if err := e.Usable(); err != nil {
		return nil, fmt.Errorf("ebpf: %w", err)
	}
	r := &kernelRecording{scope: s, capture: capture{source: e.Name(), blocks: make([][]event, 1), calls: make([][]callEvent, 1)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	// Kernels before 5.11 count maps as locked memory; without the right to have
	// more of it, making the maps fails and says so.
	_ = rlimit.RemoveMemlock()
	types, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, fmt.Errorf("ebpf: %w", err)
	}
	if r.layout, err = layoutOf(types); err != nil {
		return nil, err
	}
	maps, err := r.makeMaps()
	if err != nil {
		return nil, fmt.Errorf("ebpf: %w", err)
	}
	r.reading.Go(r.read)
	programs := []struct {
		tracepoint string
		text       asm.Instructions
	}{
		{"block_rq_complete", requestProgram(&r.layout, maps, completed)}, // first, so that no end is missed
		{"block_rq_requeue", requestProgram(&r.layout, maps, requeued)},
		{"block_rq_issue", requestProgram(&r.layout, maps, issued)},
		{"block_rq_insert", requestProgram(&r.layout, maps, inserted)},
		{"block_bio_queue", bioProgram(&r.layout, maps)},
	}
	if len(s.Threads) > 0 {
		programs = append(programs, []struct {
			tracepoint string
			text       asm.Instructions
		}{
			{"sys_exit", leaveProgram(&r.layout, maps)},
			{"sys_enter", enterProgram(&r.layout, maps)},
			{"sched_process_fork", forkProgram(&r.layout, maps)},
		}...)
	}
	for _, p := range programs {
		if err := r.attach(p.tracepoint, p.text); err != nil {
			return nil, fmt.Errorf("ebpf: %s: %w", p.tracepoint, err)
		}
	}
	return r, nil
}

// makeMaps makes the maps and fills in what is to be recorded.
func (r *kernelRecording) makeMaps() (kernelMaps, error) {
	make := func(m ebpf.MapSpec) (*ebpf.Map, error) {
		n, err := ebpf.NewMap(&m)
		if err == nil {
			r.maps = append(r.maps, n)
		}
		return n, err
	}
	hash := ebpf.MapSpec{Type: ebpf.Hash, KeySize: 4, ValueSize: 4, MaxEntries: mostThreads}
	events, err1 := make(ebpf.MapSpec{Type: ebpf.RingBuf, MaxEntries: ringBytes})
	lost, err2 := make(ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1})
	threads, err3 := make(hash)
	calls, err4 := make(hash)
	inside, err5 := make(hash)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return kernelMaps{}, err
	}
	r.lost = lost
	for _, t := range r.scope.Threads {
		if err := threads.Put(uint32(t), uint32(1)); err != nil {
			return kernelMaps{}, err
		}
	}
	for _, numbers := range []map[uint32]string{callNumbers, ownCalls} {
		for number := range numbers {
			if err := calls.Put(number, uint32(1)); err != nil {
				return kernelMaps{}, err
			}
		}
	}
	var err error
	r.ring, err = ringbuf.NewReader(events)
	return kernelMaps{events.FD(), lost.FD(), threads.FD(), calls.FD(), inside.FD()}, err
}

// attach loads a program and hooks it to a tracepoint.
func (r *kernelRecording) attach(tracepoint string, text asm.Instructions) error {
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.RawTracepoint, Instructions: text, License: "GPL"})
	if err != nil {
		return err
	}
	r.programs = append(r.programs, p)
	l, err := link.AttachRawTracepoint(link.RawTracepointOptions{Name: tracepoint, Program: p})
	if err == nil {
		r.links = append(r.links, l)
	}
	return err
}

// read collects events until the ring is flushed.
func (r *kernelRecording) read() {
	var record ringbuf.Record
	for {
		err := r.ring.ReadInto(&record)
		switch {
		case errors.Is(err, ringbuf.ErrFlushed), errors.Is(err, os.ErrClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
			continue
		case err != nil:
			r.err = fmt.Errorf("ebpf: %w", err)
			return
		}
		e, ok := parseKernelEvent(record.RawSample)
		switch {
		case !ok:
		case len(r.capture.blocks[0])+len(r.capture.calls[0]) >= mostEvents:
			r.capture.missed++
		default:
			r.capture.add(&e, &r.layout)
		}
	}
}

// add keeps an event.
func (c *capture) add(e *kernelEvent, l *kernelLayout) {
	if e.kind >= enters {
		name, ok := callNumbers[e.number]
		if !ok {
			name = ownCalls[e.number]
		}
		c.calls[0] = append(c.calls[0], callEvent{int64(e.time), int64(e.thread), name, e.kind == leaves})
		return
	}
	if e.sector == 1<<64-1 {
		e.sector = 0 // a flush has none
	}
	c.blocks[0] = append(c.blocks[0], event{
		action: action(e.kind), time: int64(e.time), thread: int64(e.thread),
		device: uint64(e.device), sector: e.sector, bytes: int64(e.bytes), rwbs: l.rwbs(e.flags),
	})
}

// Stop ends the recording.
func (r *kernelRecording) Stop() (Log, error) {
	var errs []error
	for _, l := range r.links {
		errs = append(errs, l.Close())
	}
	r.links = nil
	errs = append(errs, r.ring.Flush())
	r.reading.Wait()
	var lost uint64
	errs = append(errs, r.err, r.lost.Lookup(uint32(0), &lost))
	r.capture.missed += int64(lost)
	errs = append(errs, r.close())
	log := r.capture.log(r.scope, wholeDisks())
	log.Devices = describeDevices(log.Requests)
	return log, errors.Join(errs...)
}

// close gives everything back to the kernel.
func (r *kernelRecording) close() error {
	var errs []error
	for _, l := range r.links {
		errs = append(errs, l.Close())
	}
	if r.ring != nil {
		errs = append(errs, r.ring.Close())
	}
	r.reading.Wait()
	for _, p := range r.programs {
		errs = append(errs, p.Close())
	}
	for _, m := range r.maps {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
