package golang

import "tierscope/analysis/trace"

// objectTable gives the things at addresses identities: 1, 2, … in the order
// of their first use. Memory is used again: what is made at an address, opened
// there, or of another kind than before is another object.
type objectTable struct {
	list    []trace.Object
	current map[objectKey]int // index into list
	flow    []flow            // by index into list
}

// objectKey: a struct and its first field have one address.
type objectKey struct {
	address uint64
	family  string
}

// flow counts the values that went through a channel.
type flow struct{ sent, received uint64 }

func (o *objectTable) add(key objectKey, obj trace.Object) int {
	obj.ID = uint64(len(o.list) + 1)
	o.list = append(o.list, obj)
	o.flow = append(o.flow, flow{})
	o.current[key] = len(o.list) - 1
	return len(o.list) - 1
}

func (o *objectTable) find(key objectKey, kind string) int {
	if i, ok := o.current[key]; ok {
		return i
	}
	return o.add(key, trace.Object{Kind: kind, Capacity: -1, Site: -1})
}

func (o *objectTable) channel(address uint64) uint64 {
	return o.list[o.find(objectKey{address, "chan"}, "chan")].ID
}

// condition remembers which lock a condition variable belongs to.
func (o *objectTable) condition(cond, lock uint64) {
	c := o.find(objectKey{cond, "cond"}, "cond")
	for _, kind := range []string{"rwmutex", "mutex"} {
		if i, ok := o.current[objectKey{lock, kind}]; ok {
			o.list[c].Parent = o.list[i].ID
			return
		}
	}
}

// use returns the identity of the object that an event is about: the start of
// an operation, or the end of an open or a select, which only then know it.
func (o *objectTable) use(e *event, site int32, now int64) uint64 {
	if e.object == 0 {
		return 0
	}
	kind, family := kindOf(e)
	if kind == "" {
		return 0
	}
	key := objectKey{e.object, family}
	switch {
	case e.op == trace.OpMake:
		return o.list[o.add(key, trace.Object{Kind: kind, Capacity: e.arg, Elem: int64(e.seq), Site: site, Time: now})].ID
	case e.op == trace.OpOpen:
		return o.list[o.add(key, trace.Object{Kind: kind, Capacity: -1, Site: site, Time: now})].ID
	}
	i := o.find(key, kind)
	if e.op == trace.OpAccept {
		o.list[i].Kind = "listener"
	}
	return o.list[i].ID
}

// closed forgets a file or connection: its address may become another one.
func (o *objectTable) closed(address uint64) { delete(o.current, objectKey{address, "fd"}) }

// kindOf returns the kind of an event's object, and the word that separates
// objects at one address.
func kindOf(e *event) (kind, family string) {
	switch e.op {
	case trace.OpMake, trace.OpSend, trace.OpReceive, trace.OpTrySend, trace.OpTryReceive, trace.OpSelect, trace.OpClose:
		return "chan", "chan"
	case trace.OpLock, trace.OpTryLock, trace.OpUnlock:
		if e.arg == 1 {
			return "rwmutex", "rwmutex"
		}
		return "mutex", "mutex"
	case trace.OpPark: // at a muted lock of either kind
		return "mutex", "park"
	case trace.OpRLock, trace.OpTryRLock, trace.OpRUnlock:
		return "rwmutex", "rwmutex"
	case trace.OpOnce:
		return "once", "mutex"
	case trace.OpAdd, trace.OpDone, trace.OpWaitGroup:
		return "waitgroup", "waitgroup"
	case trace.OpCondWait, trace.OpSignal, trace.OpBroadcast:
		return "cond", "cond"
	case trace.OpAccept:
		return "listener", "fd"
	case trace.OpConnect, trace.OpNetRead, trace.OpNetWrite, trace.OpNetClose, trace.OpFileSend:
		return "conn", "fd"
	case trace.OpOpen, trace.OpStat, trace.OpFileRead, trace.OpFileWrite, trace.OpFileSync, trace.OpFileClose, trace.OpReadDir, trace.OpFileChange:
		return "file", "fd"
	case trace.OpExternal:
		return "process", "process"
	}
	return "", ""
}

// value is the identity of the value that went through a channel: the file
// has 16 bits of its number, which is near the last one's.
func (o *objectTable) value(object uint64, seq uint16, sent bool) uint64 {
	if object == 0 {
		return 0
	}
	last := &o.flow[object-1].received
	if sent {
		last = &o.flow[object-1].sent
	}
	n := int64(*last) + int64(int16(seq-uint16(*last)))
	if n < 0 {
		n = int64(seq)
	}
	*last = uint64(n)
	return object<<40 | uint64(n)&(1<<40-1)
}
