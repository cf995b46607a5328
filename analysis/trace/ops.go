package trace

import (
	"fmt"

	"tierscope/core"
)

// opInfo is what Build needs to know of an operation.
type opInfo struct {
	name  string
	class core.FragmentClass // before roles are known: a send may turn out to be an out
	sync  core.SyncOp        // for the sync class
}

// ops is the meaning of every operation. Operations on channels are listed as
// synchronization; those on channels that carry tasks become in and out.
var ops = map[Op]opInfo{
	OpThreadBegin: {"begin", core.DispatchFragment, ""},
	OpThreadEnd:   {"end", core.DispatchFragment, ""},
	OpSpawn:       {"spawn", core.SpawnFragment, ""},
	OpJoin:        {"join", core.JoinFragment, ""},
	OpTaskBegin:   {"task-begin", core.InFragment, ""},
	OpTaskEnd:     {"task-end", core.OutFragment, ""},
	OpSend:        {"send", core.SyncFragment, core.Send},
	OpReceive:     {"receive", core.SyncFragment, core.Receive},
	OpTrySend:     {"try-send", core.SyncFragment, core.Send},
	OpTryReceive:  {"try-receive", core.SyncFragment, core.Receive},
	OpSelect:      {"select", core.SyncFragment, core.Select},
	OpClose:       {"close", core.SyncFragment, core.Close},
	OpLock:        {"lock", core.SyncFragment, core.Enter},
	OpTryLock:     {"try-lock", core.SyncFragment, core.Enter},
	OpUnlock:      {"unlock", core.SyncFragment, core.Exit},
	OpRLock:       {"rlock", core.SyncFragment, core.EnterRead},
	OpTryRLock:    {"try-rlock", core.SyncFragment, core.EnterRead},
	OpRUnlock:     {"runlock", core.SyncFragment, core.ExitRead},
	OpAdd:         {"add", core.SyncFragment, core.Add},
	OpDone:        {"done", core.SyncFragment, core.CountDown},
	OpWaitGroup:   {"wait", core.SyncFragment, core.Await},
	OpCondWait:    {"cond-wait", core.SyncFragment, core.Wait},
	OpSignal:      {"signal", core.SyncFragment, core.Notify},
	OpBroadcast:   {"broadcast", core.SyncFragment, core.NotifyAll},
	OpOnce:        {"once", core.SyncFragment, core.Do},
	OpAcquire:     {"acquire", core.SyncFragment, core.Enter},
	OpTryAcquire:  {"try-acquire", core.SyncFragment, core.Enter},
	OpRelease:     {"release", core.SyncFragment, core.Exit},
	OpBarrier:     {"barrier", core.SyncFragment, core.Await},
	OpPark:        {"park", core.SyncFragment, core.ParkOp},
	OpUnpark:      {"unpark", core.SyncFragment, core.Unpark},
	OpSleep:       {"sleep", core.DelayFragment, ""},
	OpRest:        {"rest of a sleep", core.DelayFragment, ""},
	OpYield:       {"yield", core.DispatchFragment, ""},
	OpOpen:        {"open", core.IOFragment, ""},
	OpStat:        {"stat", core.IOFragment, ""},
	OpFileRead:    {"read", core.IOFragment, ""},
	OpFileWrite:   {"write", core.IOFragment, ""},
	OpFileSync:    {"fsync", core.IOFragment, ""},
	OpFileClose:   {"close-file", core.IOFragment, ""},
	OpReadDir:     {"read-dir", core.IOFragment, ""},
	OpFileChange:  {"change-file", core.IOFragment, ""},
	OpAccept:      {"accept", core.InFragment, ""},
	OpConnect:     {"connect", core.DelayFragment, ""},
	OpNetRead:     {"net-read", core.DelayFragment, ""},
	OpNetWrite:    {"net-write", core.DelayFragment, ""},
	OpNetClose:    {"net-close", core.DelayFragment, ""},
	OpMake:        {"make", core.DispatchFragment, ""},
	OpExternal:    {"external", core.DelayFragment, ""},
	OpFileSend:    {"sendfile", core.IOFragment, ""},
	OpCount:       {"count", core.DispatchFragment, ""},

	OpFragmentBegin: {"begin-fragment", core.DispatchFragment, ""},
	OpFragmentEnd:   {"end-fragment", core.DispatchFragment, ""},
}

// String returns the word that names op in facts, fragments and reports.
func (op Op) String() string {
	if i, ok := ops[op]; ok {
		return i.name
	}
	return fmt.Sprintf("op-%d", uint8(op))
}

// Class returns the class of the code fragment that op makes, before it is
// known which channels carry tasks.
func (op Op) Class() core.FragmentClass { return ops[op].class }

// Sync returns the operation on a lock that op is; "" if it is none.
func (op Op) Sync() core.SyncOp { return ops[op].sync }

// Wakes reports whether an operation can make another thread ready.
func Wakes(op Op) bool {
	switch op {
	case OpSend, OpReceive, OpTrySend, OpTryReceive, OpSelect, OpClose, OpUnlock, OpRUnlock, OpDone, OpSignal,
		OpBroadcast, OpRelease, OpBarrier, OpUnpark, OpSpawn:
		return true
	}
	return false
}

// Releases reports whether an operation ends a region.
func Releases(op Op) bool { return op == OpUnlock || op == OpRUnlock || op == OpRelease }

// Acquires reports whether an operation begins a region, with the operation
// that ends it.
func Acquires(op Op) (Op, bool) {
	switch op {
	case OpLock, OpTryLock:
		return OpUnlock, true
	case OpRLock, OpTryRLock:
		return OpRUnlock, true
	case OpAcquire, OpTryAcquire:
		return OpRelease, true
	}
	return OpNone, false
}

// Tries reports whether an operation may end without having done anything.
func Tries(op Op) bool {
	switch op {
	case OpTryLock, OpTryRLock, OpTryAcquire, OpTrySend, OpTryReceive, OpOnce:
		return true
	}
	return false
}

// IsPaired reports whether an operation has a start and an end probe. Marks
// are single hits.
func IsPaired(op Op) bool {
	switch op {
	case OpSpawn, OpMake, OpTaskBegin, OpTaskEnd, OpThreadBegin, OpThreadEnd, OpFragmentBegin, OpFragmentEnd:
		return false
	}
	return true
}

// EndOf returns the end probe of the start probe at i, which is the next
// record: nothing else happens in a thread inside an operation.
func EndOf(rs []Record, i int) (*Record, bool) {
	if i+1 < len(rs) && rs[i+1].End && rs[i+1].Op == rs[i].Op {
		return &rs[i+1], true
	}
	return nil, false
}
