package native

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
)

// meanings are the operations that functions of the C library are.
var meanings = map[string]trace.Op{
	"pthread_create": trace.OpSpawn, "thrd_create": trace.OpSpawn, "pthread_join": trace.OpJoin, "thrd_join": trace.OpJoin,
	"pthread_mutex_lock": trace.OpLock, "pthread_mutex_unlock": trace.OpUnlock, "pthread_mutex_trylock": trace.OpTryLock, "pthread_mutex_timedlock": trace.OpLock,
	"pthread_spin_lock": trace.OpLock, "pthread_spin_unlock": trace.OpUnlock, "mtx_lock": trace.OpLock, "mtx_unlock": trace.OpUnlock, "mtx_trylock": trace.OpTryLock,
	"pthread_rwlock_rdlock": trace.OpRLock, "pthread_rwlock_wrlock": trace.OpLock, "pthread_rwlock_unlock": trace.OpRUnlock,
	"pthread_cond_wait": trace.OpCondWait, "pthread_cond_timedwait": trace.OpCondWait, "pthread_cond_clockwait": trace.OpCondWait, "cnd_wait": trace.OpCondWait,
	"pthread_cond_signal": trace.OpSignal, "pthread_cond_broadcast": trace.OpBroadcast, "cnd_signal": trace.OpSignal, "cnd_broadcast": trace.OpBroadcast,
	"sem_wait": trace.OpAcquire, "sem_trywait": trace.OpTryAcquire, "sem_timedwait": trace.OpAcquire, "sem_post": trace.OpRelease,
	"std::condition_variable::wait": trace.OpCondWait, "std::condition_variable::notify_one": trace.OpSignal, "std::condition_variable::notify_all": trace.OpBroadcast,
	"std::thread::_M_start_thread": trace.OpSpawn, "std::thread::join": trace.OpJoin,
	"pthread_barrier_wait": trace.OpBarrier, "GOMP_barrier": trace.OpBarrier, "GOMP_parallel": trace.OpSpawn,
	"read": trace.OpFileRead, "pread": trace.OpFileRead, "pread64": trace.OpFileRead, "readv": trace.OpFileRead, "fread": trace.OpFileRead, "fgets": trace.OpFileRead,
	"write": trace.OpFileWrite, "pwrite": trace.OpFileWrite, "pwrite64": trace.OpFileWrite, "writev": trace.OpFileWrite, "fwrite": trace.OpFileWrite,
	"open": trace.OpOpen, "open64": trace.OpOpen, "openat": trace.OpOpen, "fopen": trace.OpOpen, "fopen64": trace.OpOpen, "stat": trace.OpStat, "stat64": trace.OpStat,
	"fsync": trace.OpFileSync, "fdatasync": trace.OpFileSync, "close": trace.OpFileClose, "fclose": trace.OpFileClose, "sendfile": trace.OpFileSend, "sendfile64": trace.OpFileSend,
	"accept": trace.OpAccept, "accept4": trace.OpAccept, "connect": trace.OpConnect, "recv": trace.OpNetRead, "recvfrom": trace.OpNetRead, "send": trace.OpNetWrite, "sendto": trace.OpNetWrite,
	"poll": trace.OpExternal, "select": trace.OpExternal, "epoll_wait": trace.OpExternal,
	"nanosleep": trace.OpSleep, "clock_nanosleep": trace.OpSleep, "usleep": trace.OpSleep, "sleep": trace.OpSleep, "sched_yield": trace.OpYield,
}

// Scan lists the calls of the C library in the text of the program that are operations. There is no source: they
// are found as instructions. What the numbers on the command line decide is tried.
func (t Target) Scan(ctx context.Context, w trace.Workload, _ *trace.Samples, dir string, report func(analysis.Progress)) (*trace.Facts, error) {
	_, path, err := find(w)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, notExecutable(path, err)
	}
	defer f.Close()
	im := openImage(path)
	facts := &trace.Facts{Program: w.Program, Functions: len(im.functions), Method: "instructions of the executable that call the C library"}
	for _, c := range libraryCalls(f) {
		op, ok := meanings[readable(c.name)]
		if !ok {
			continue
		}
		frame := trace.UserFrame(im.frames(c.returns-1, c.returns))
		facts.Sites = append(facts.Sites, trace.FactSite{Frame: frame, Op: op.String(), Class: string(op.Class()), Kind: c.name})
	}
	tell := progress("scan", report)
	if w.Load == nil {
		s, err := t.prepare(ctx, w, dir)
		if err != nil {
			return nil, err
		}
		if facts.Inputs, err = t.confirm(ctx, s, w, append(unsaid(f, w), settings.Numbers(&w)...), tell); err != nil {
			return nil, err
		}
	}
	tell(1, "%d functions, %d operations, %d settings tried", facts.Functions, len(facts.Sites), len(facts.Inputs))
	return facts, nil
}

// libraryCall is an instruction that calls a function of a library.
type libraryCall struct {
	name    string
	returns uint64 // address of the instruction after it
}

// libraryCalls finds the instructions of x86-64 that call functions of other files: by way of a stub, or of the table that
// the loader fills. On other machines it finds none.
func libraryCalls(f *elf.File) (out []libraryCall) {
	slots := imports(f)
	if f.Machine != elf.EM_X86_64 || len(slots) == 0 {
		return nil
	}
	stubs := map[uint64]string{}
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".plt") {
			for at, name := range jumps(s, slots) {
				stubs[at] = name
			}
		}
	}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 || strings.HasPrefix(s.Name, ".plt") {
			continue
		}
		b, err := s.Data()
		if err != nil {
			continue
		}
		for i := 0; i+6 <= len(b); i++ {
			at := s.Addr + uint64(i)
			switch {
			case b[i] == 0xe8: // call rel32
				if name, ok := stubs[target(b[i+1:], at+5)]; ok {
					out = append(out, libraryCall{name, at + 5})
				}
			case b[i] == 0xff && b[i+1] == 0x15: // call [rip+disp32]
				if name, ok := slots[target(b[i+2:], at+6)]; ok {
					out = append(out, libraryCall{name, at + 6})
				}
			case i+7 <= len(b) && b[i]&0xfb == 0x48 && b[i+1] == 0x8b && b[i+2]&0xc7 == 0x05: // mov reg, [rip+disp32]: called in a loop
				if name, ok := slots[target(b[i+3:], at+7)]; ok {
					out = append(out, libraryCall{name, at + 7})
				}
			}
		}
	}
	return out
}

// target is the address that a displacement from the next instruction leads to.
func target(displacement []byte, next uint64) uint64 {
	return next + uint64(int64(int32(binary.LittleEndian.Uint32(displacement))))
}

// jumps lists the stubs of a section, which jump to where a slot says, by the address at which they are called.
func jumps(s *elf.Section, slots map[uint64]string) map[uint64]string {
	out := map[uint64]string{}
	b, err := s.Data()
	if err != nil {
		return out
	}
	const stub = 16 // bytes, or 8 in .plt.got
	size := uint64(stub)
	if s.Name == ".plt.got" {
		size = stub / 2
	}
	jump := []byte{0xff, 0x25} // jmp [rip+disp32]
	for i := 0; i+6 <= len(b); i++ {
		if !bytes.HasPrefix(b[i:], jump) {
			continue
		}
		at := s.Addr + uint64(i)
		if name, ok := slots[target(b[i+2:], at+6)]; ok {
			out[at-at%size] = name
		}
	}
	return out
}

// imports are the slots that the loader fills with addresses of functions, by their addresses.
func imports(f *elf.File) map[uint64]string {
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil
	}
	const entry = 24 // bytes of an Elf64_Rela
	out := map[uint64]string{}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		b, err := s.Data()
		if err != nil {
			continue
		}
		for ; len(b) >= entry; b = b[entry:] {
			at, info := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
			if i := elf.R_SYM64(info); i > 0 && int(i) <= len(symbols) {
				name, _, _ := strings.Cut(symbols[i-1].Name, "@")
				out[at] = name
			}
		}
	}
	return out
}
