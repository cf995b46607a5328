package golang

import (
	"fmt"
	"strings"
)

// go126 are the edits for Go 1.26.
func go126() release {
	var r release
	r.scheduler126()
	r.channels126()
	r.sync126()
	r.atomic126()
	r.files126()
	r.network126()
	return r
}

func (r *release) insert(file, fn, anchor, text string) {
	r.inserts = append(r.inserts, insert{File: file, Func: fn, Anchor: anchor, Text: text})
}

// add appends declarations to a file that has wraps.
func (r *release) add(file, text string) {
	r.inserts = append(r.inserts, insert{File: file, Text: "\n" + text})
}

func (r *release) wrap(w wrap) { r.wraps = append(r.wraps, w) }

// scheduler126: what goroutines, threads and Ps carry, the changes of a
// goroutine's state, its birth and end, system calls, collections.
func (r *release) scheduler126() {
	const types, proc = "runtime/runtime2.go", "runtime/proc.go"
	r.insert(types, "", "\tvalgrindStackID uintptr\n", "\tvalgrindStackID uintptr; pm pmG\n")
	r.insert(types, "", "\tself mWeakPointer\n", "\tself mWeakPointer; pm pmM\n")
	r.insert(types, "", "type p struct {\n", "type p struct { pm pmP\n")
	r.insert(proc, "main", "\tgcenable()\n", "\tgcenable(); pmInit()\n")
	r.insert(proc, "casgstatus", "\tif gp.bubble != nil {\n", "\tpmTrans(gp, oldval, newval); if gp.bubble != nil {\n")
	r.insert(proc, "casGToPreemptScan", "\tacquireLockRankAndM(lockRankGscan)\n", "\tpmTrans(gp, _Grunning, _Gpreempted); acquireLockRankAndM(lockRankGscan)\n")
	r.insert("runtime/coro.go", "coroswitch_m", "\tcanCAS := true\n", "\tcanCAS := pmBase == nil\n")
	r.insert(proc, "reentersyscall", "\tgp.syscallsp = sp\n", "\tgp.syscallsp = sp; pmSysBegin(gp)\n")
	r.insert(proc, "entersyscallblock", "\tgp.syscallsp = gp.sched.sp\n", "\tgp.syscallsp = gp.sched.sp; gp.pm.sysStart = pmTicks()\n")
	r.insert(proc, "exitsyscall", "\tgp.waitsince = 0\n", "\tgp.waitsince = 0; pmSysEnd(gp)\n")
	r.insert(proc, "newproc", "\tpc := sys.GetCallerPC()\n", "\tpc := sys.GetCallerPC(); pmfp := getfp()\n")
	r.insert(proc, "newproc", "\t\tnewg := newproc1(fn, gp, pc, false, waitReasonZero)\n",
		"\t\tnewg := newproc1(fn, gp, pc, false, waitReasonZero); if pmBase != nil { pmSpawn(gp, newg, fn, pmfp) }\n")
	r.insert("runtime/coro.go", "newcoro", "\tpc := sys.GetCallerPC()\n", "\tpc := sys.GetCallerPC(); pmfp, pmgp := getfp(), getg()\n")
	r.insert("runtime/coro.go", "newcoro", "\t\tgp = newproc1(startfv, gp, pc, true, waitReasonCoroutine)\n",
		"\t\tgp = newproc1(startfv, gp, pc, true, waitReasonCoroutine); if pmBase != nil { pmSpawn(pmgp, gp, *(**funcval)(unsafe.Pointer(&c.f)), pmfp) }\n")
	r.insert(proc, "newproc1", "\tnewg.parentGoid = callergp.goid\n", "\tnewg.parentGoid = callergp.goid; newg.pm = pmG{}\n")
	r.insert(proc, "goexit1", "\tmcall(goexit0)\n", "\tpmExit(); mcall(goexit0)\n")
	r.insert("runtime/mgc.go", "gcMarkTermination", "\t// Reset assist time and background time stats.\n", "\tpmCollected(now) // Reset assist time and background time stats.\n")
	r.insert("runtime/time.go", "newTimer", "\tt.modify(when, period, f, arg, 0)\n", "\tif period == 0 { pmArm(arg, when, c != nil) }; t.modify(when, period, f, arg, 0)\n")
	r.insert("runtime/time.go", "resetTimer", "\treturn t.reset(when, period)\n", "\tif period == 0 { pmArm(t.arg, when, t.isChan) }; return t.reset(when, period)\n")
	r.wrap(wrap{File: proc, Func: "Gosched", Op: "pmOpYield"})
	r.wrap(wrap{File: "runtime/time.go", Func: "timeSleep", Op: "pmOpSleep", Arg: "uint64(ns)"})
}

func (r *release) channels126() {
	const file = "runtime/chan.go"
	const c = "uintptr(unsafe.Pointer(c))"
	r.insert(file, "", "\tbubble   *synctestBubble\n", "\tbubble   *synctestBubble; pmSent, pmReceived uint64\n")
	r.insert(file, "send", "\tgp := sg.g\n", "\tgp := sg.g; pmPass(c, getg(), gp)\n")
	r.insert(file, "recv", "\tgp := sg.g\n", "\tgp := sg.g; pmPass(c, gp, getg())\n")
	r.insert(file, "chansend", "\t\tc.qcount++\n", "\t\tc.qcount++; pmSent(c)\n")
	r.insert(file, "chanrecv", "\t\tc.qcount--\n", "\t\tc.qcount--; pmReceived(c)\n")
	r.insert(file, "timerchandrain", "\t\tc.qcount--\n", "\t\tc.qcount--; c.pmReceived++\n")
	r.insert("runtime/select.go", "selectgo", "\tc.qcount--\n", "\tc.qcount--; pmReceived(c)\n")
	r.insert("runtime/select.go", "selectgo", "\tc.qcount++\n", "\tc.qcount++; pmSent(c)\n")
	r.insert(file, "makechan", "\treturn c\n", "\tpmMade(c); return c\n")
	for _, w := range []wrap{
		{Func: "chansend1", Op: "pmOpSend"},
		{Func: "chanrecv1", Op: "pmOpReceive", Result: "pmGot()"},
		{Func: "chanrecv2", Op: "pmOpReceive", Result: "pmGot()"},
		{Func: "selectnbsend", Op: "pmOpTrySend", Result: "pmBool(r0)"},
		{Func: "selectnbrecv", Op: "pmOpTryReceive", Result: "pmTried(r0, r1)"},
		{Func: "closechan", Op: "pmOpClose"},
	} {
		w.File, w.Object = file, c
		r.wrap(w)
	}
	r.wrap(wrap{
		File: "runtime/select.go", Func: "selectgo", Op: "pmOpSelect",
		Enter:     "pmEnterSelect(cas0, nsends, nrecvs, block)",
		EndObject: "pmChosen(cas0, nsends+nrecvs, r0)",
		Result:    "uint64(r0)",
	})
}

func (r *release) sync126() {
	one := func(file, recv, fn, op, arg, result string) {
		self := map[string]string{"Mutex": "m", "RWMutex": "rw", "WaitGroup": "wg", "Cond": "c"}[recv]
		r.wrap(wrap{File: "sync/" + file, Recv: recv, Func: fn, Op: operation(op), Object: "uintptr(unsafe.Pointer(" + self + "))", Arg: arg, Result: result})
	}
	const got = "tierscopeBool(r0)"
	one("mutex.go", "Mutex", "Lock", "Lock", "", "")
	one("mutex.go", "Mutex", "TryLock", "TryLock", "", got)
	one("mutex.go", "Mutex", "Unlock", "Unlock", "", "")
	one("rwmutex.go", "RWMutex", "Lock", "Lock", "1", "")
	one("rwmutex.go", "RWMutex", "TryLock", "TryLock", "1", got)
	one("rwmutex.go", "RWMutex", "Unlock", "Unlock", "1", "")
	one("rwmutex.go", "RWMutex", "RLock", "RLock", "", "")
	one("rwmutex.go", "RWMutex", "TryRLock", "TryRLock", "", got)
	one("rwmutex.go", "RWMutex", "RUnlock", "RUnlock", "", "")
	one("waitgroup.go", "WaitGroup", "Add", "Add", "uint64(delta)", "")
	one("waitgroup.go", "WaitGroup", "Done", "Done", "", "")
	one("waitgroup.go", "WaitGroup", "Wait", "WaitGroup", "", "")
	one("cond.go", "Cond", "Wait", "CondWait", "uint64((*[2]uintptr)(unsafe.Pointer(&c.L))[1])", "")
	one("cond.go", "Cond", "Signal", "Signal", "", "")
	one("cond.go", "Cond", "Broadcast", "Broadcast", "", "")
	// Once: the wait for its mutex, not the function, which may do anything.
	const once = "sync/once.go"
	r.inserts = append(r.inserts, insert{once, "Once.doSlow", "\to.m.Lock()\n",
		"\truntime.TierscopeEnter(" + operation("Once") + ", uintptr(unsafe.Pointer(&o.m)), 0); o.m.Lock(); " +
			"runtime.TierscopeLeave(" + operation("Once") + ", uintptr(unsafe.Pointer(&o.m)), tierscopeBool(!o.done.Load()))\n", true})
	r.add("sync/mutex.go", "func tierscopeBool(b bool) uint64 {\n\tif b {\n\t\treturn 1\n\t}\n\treturn 0\n}\n")
}

// atomic126: the additions that are recorded, which the program's own files call (additions.go).
func (r *release) atomic126() {
	const file = "sync/atomic/type.go"
	for _, of := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
		typ := strings.ToLower(of)
		for _, fn := range [][2]string{{"(x *" + of + ") Add" + recorded + "(", "x.Add(delta)"}, {"Add" + of + recorded + "(x *" + typ + ", ", "Add" + of + "(x, delta)"}} {
			r.inserts = append(r.inserts, insert{File: file, Calls: true, Text: fmt.Sprintf(
				"\n//go:noinline\nfunc %[1]sdelta %[2]s) (r0 %[2]s) {\n\truntime.TierscopeEnter(%[3]s, uintptr(unsafe.Pointer(x)), uint64(delta))\n\tr0 = %[4]s\n"+
					"\truntime.TierscopeLeave(%[3]s, uintptr(unsafe.Pointer(x)), uint64(r0))\n\treturn\n}\n",
				fn[0], typ, operation("Count"), fn[1])})
		}
	}
}

func (r *release) files126() {
	const poll = "internal/poll/"
	fd := func(file, fn, regular, other, arg, result string) {
		op := operation(regular)
		if other != regular {
			op = "tierscopeOp(fd, " + operation(regular) + ", " + operation(other) + ")"
		}
		r.wrap(wrap{File: poll + file, Recv: "FD", Func: fn, Op: op, Object: "uintptr(unsafe.Pointer(fd))", Arg: arg, Result: result})
	}
	const n, bytes = "uint64(r0)", "uint64(len(p))"
	fd("fd_unix.go", "Read", "FileRead", "NetRead", bytes, n)
	fd("fd_unix.go", "Pread", "FileRead", "NetRead", bytes, n)
	fd("fd_unix.go", "Write", "FileWrite", "NetWrite", bytes, n)
	fd("fd_unix.go", "Pwrite", "FileWrite", "NetWrite", bytes, n)
	fd("fd_unix.go", "Close", "FileClose", "NetClose", "", "")
	fd("fd_unix.go", "Fstat", "Stat", "Stat", "", "")
	fd("fd_fsync_posix.go", "Fsync", "FileSync", "FileSync", "", "")
	fd("fd_unixjs.go", "ReadDirent", "ReadDir", "ReadDir", "uint64(len(buf))", n)
	fd("writev.go", "Writev", "FileWrite", "NetWrite", "", n)
	r.add(poll+"fd_unix.go", "func tierscopeOp(fd *FD, file, other uint32) uint32 {\n\tif fd.isFile {\n\t\treturn file\n\t}\n\treturn other\n}\n")

	const open = "os/file_unix.go"
	const opened = "tierscopeFD(r0)"
	r.wrap(wrap{File: open, Func: "openFileNolog", Op: operation("Open"), EndObject: opened})
	r.wrap(wrap{File: open, Func: "openDirNolog", Op: operation("Open"), EndObject: opened})
	r.wrap(wrap{File: "os/root_unix.go", Func: "rootOpenFileNolog", Op: operation("Open"), EndObject: opened})
	r.add(open, "func tierscopeFD(f *File) uintptr {\n\tif f == nil {\n\t\treturn 0\n\t}\n\treturn uintptr(unsafe.Pointer(&f.pfd))\n}\n")
	r.wrap(wrap{File: "os/stat.go", Func: "Stat", Op: operation("Stat")})
	r.wrap(wrap{File: "os/stat.go", Func: "Lstat", Op: operation("Stat")})
	r.wrap(wrap{File: open, Func: "Remove", Op: operation("FileChange")})
	r.wrap(wrap{File: "os/file.go", Func: "Rename", Op: operation("FileChange")})
	r.wrap(wrap{File: "os/file.go", Func: "Mkdir", Op: operation("FileChange")})
	r.wrap(wrap{File: "os/exec.go", Func: "StartProcess", Op: operation("External")})
	r.wrap(wrap{File: "os/exec.go", Recv: "Process", Func: "Wait", Op: operation("External"), Object: "uintptr(unsafe.Pointer(p))", Result: "tierscopeUsed(r0)"})
	r.add("os/exec.go", "func tierscopeUsed(p *ProcessState) uint64 {\n\tif p == nil {\n\t\treturn 0\n\t}\n\treturn uint64(p.UserTime() + p.SystemTime())\n}\n")
}

func (r *release) network126() {
	const poll = "internal/poll/"
	fd := func(file, fn, op, result string) {
		r.wrap(wrap{File: poll + file, Recv: "FD", Func: fn, Op: operation(op), Object: "uintptr(unsafe.Pointer(fd))", Result: result})
	}
	fd("fd_unix.go", "Accept", "Accept", "uint64(r0)")
	for _, f := range []string{"ReadFrom", "ReadFromInet4", "ReadFromInet6", "ReadMsg", "ReadMsgInet4", "ReadMsgInet6"} {
		fd("fd_unix.go", f, "NetRead", "uint64(r0)")
	}
	for _, f := range []string{"WriteTo", "WriteToInet4", "WriteToInet6", "WriteMsg", "WriteMsgInet4", "WriteMsgInet6"} {
		fd("fd_unix.go", f, "NetWrite", "uint64(r0)")
	}
	for _, w := range []wrap{
		{File: "sendfile_unix.go", Func: "SendFile", Op: operation("FileSend"), Object: "uintptr(unsafe.Pointer(dstFD))", Arg: "uint64(size)"},
		{File: "splice_linux.go", Func: "Splice", Op: operation("NetWrite"), Object: "uintptr(unsafe.Pointer(dst))", Arg: "uint64(remain)"},
	} {
		w.File, w.Result = poll+w.File, "uint64(r0)"
		r.wrap(w)
	}
	r.wrap(wrap{File: poll + "copy_file_range_unix.go", Func: "CopyFileRange", Op: operation("FileWrite"), Object: "uintptr(unsafe.Pointer(dst))", Arg: "uint64(remain)", Result: "uint64(r0)"})
	r.wrap(wrap{File: "net/fd_unix.go", Recv: "netFD", Func: "connect", Op: operation("Connect"), Object: "uintptr(unsafe.Pointer(&fd.pfd))"})
}
