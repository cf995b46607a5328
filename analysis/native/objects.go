package native

import (
	"tierscope/analysis/trace"
)

// objectTable gives the things at addresses identities: 1, 2, … in the order of their first
// use. Memory is used again: what is made there anew is another object.
type objectTable struct {
	list    []trace.Object
	current map[objectKey]int // index into list
}

// objectKey: a struct and its first field have one address.
type objectKey struct {
	address uint64
	family  string
}

// families are the words that separate objects at one address, and their kinds.
var families = map[trace.Op]struct{ family, kind string }{
	trace.OpLock: {"lock", "mutex"}, trace.OpTryLock: {"lock", "mutex"}, trace.OpUnlock: {"lock", "mutex"},
	trace.OpRLock: {"lock", "rwmutex"}, trace.OpTryRLock: {"lock", "rwmutex"}, trace.OpRUnlock: {"lock", "rwmutex"},
	trace.OpCondWait: {"cond", "cond"}, trace.OpSignal: {"cond", "cond"}, trace.OpBroadcast: {"cond", "cond"},
	trace.OpAcquire: {"semaphore", "semaphore"}, trace.OpTryAcquire: {"semaphore", "semaphore"}, trace.OpRelease: {"semaphore", "semaphore"},
	trace.OpBarrier: {"barrier", "barrier"}, trace.OpPark: {"futex", "futex"}, trace.OpUnpark: {"futex", "futex"},
	trace.OpAdd: {"future", "future"}, trace.OpDone: {"future", "future"}, trace.OpWaitGroup: {"future", "future"},
	trace.OpSend: {"queue", "queue"}, trace.OpReceive: {"queue", "queue"}, trace.OpClose: {"queue", "queue"}, trace.OpCount: {"counter", "counter"},
	trace.OpAccept: {"fd", "listener"}, trace.OpConnect: {"fd", "conn"}, trace.OpNetRead: {"fd", "conn"}, trace.OpNetWrite: {"fd", "conn"}, trace.OpNetClose: {"fd", "conn"},
	trace.OpFileRead: {"fd", "file"}, trace.OpFileWrite: {"fd", "file"}, trace.OpFileSync: {"fd", "file"}, trace.OpFileClose: {"fd", "file"}, trace.OpFileSend: {"fd", "file"},
}

func newObjectTable() *objectTable { return &objectTable{current: map[objectKey]int{}} }

func (o *objectTable) add(key objectKey, kind string, capacity int64, site int32, now int64) int {
	object := trace.Object{ID: uint64(len(o.list) + 1), Kind: kind, Capacity: capacity, Site: site, Time: now}
	if kind == "queue" { // that a programmer marked: it carries something
		object.Elem = 8
	}
	o.list = append(o.list, object)
	o.current[key] = len(o.list) - 1
	return len(o.list) - 1
}

// of returns the object of an operation.
func (o *objectTable) of(op trace.Op, address uint64) *trace.Object {
	f, ok := families[op]
	if !ok || address == 0 {
		return nil
	}
	key := objectKey{address, f.family}
	i, known := o.current[key]
	if !known {
		kind := f.kind
		if f.family == "fd" && address>>32 == pipeKind {
			kind = trace.Pipe
		}
		i = o.add(key, kind, -1, -1, 0)
	}
	if f.kind == "rwmutex" { // what was only written so far looked like a mutex
		o.list[i].Kind = f.kind
	}
	return &o.list[i]
}

// made notes a constructor: what lies at its address from now on is a new object.
func (o *objectTable) made(h *hit, site int32) {
	const bits = 16
	op, n := trace.Op(h.arg), h.arg>>bits
	f := families[op]
	switch op {
	case trace.OpAcquire, trace.OpBarrier:
	default:
		n = -1
	}
	o.add(objectKey{h.object, f.family}, f.kind, n, site, h.time)
}

// What a descriptor is: recorder/source/descriptors.h.
const (
	fileKind = 1
	pipeKind = 3
)

// opened notes a descriptor of a file that the program has opened itself; less than 0: there was none.
func (o *objectTable) opened(fd int64, site int32, now int64) {
	if fd >= 0 {
		o.add(objectKey{fileKind<<32 | uint64(fd), "fd"}, "file", -1, site, now)
	}
}

// gone forgets what lay at an address.
func (o *objectTable) gone(address uint64, fd bool) {
	if fd {
		delete(o.current, objectKey{address, "fd"})
		return
	}
	for _, family := range []string{"lock", "cond", "semaphore", "barrier"} {
		delete(o.current, objectKey{address, family})
	}
}
