package golang

import (
	"fmt"

	"tierscope/analysis/trace"
)

// probeOps are the operations that the probes report, by the name that the
// overlay uses. Package runtime gets them as constants pmOpNAME; mute.go there
// relies on Lock … Once being contiguous, file.go on Open … FileChange.
var probeOps = map[string]trace.Op{
	"ThreadBegin": trace.OpThreadBegin,
	"ThreadEnd":   trace.OpThreadEnd,
	"Spawn":       trace.OpSpawn,
	"Send":        trace.OpSend,
	"Receive":     trace.OpReceive,
	"TrySend":     trace.OpTrySend,
	"TryReceive":  trace.OpTryReceive,
	"Select":      trace.OpSelect,
	"Close":       trace.OpClose,
	"Lock":        trace.OpLock,
	"TryLock":     trace.OpTryLock,
	"Unlock":      trace.OpUnlock,
	"RLock":       trace.OpRLock,
	"TryRLock":    trace.OpTryRLock,
	"RUnlock":     trace.OpRUnlock,
	"Add":         trace.OpAdd,
	"Done":        trace.OpDone,
	"WaitGroup":   trace.OpWaitGroup,
	"CondWait":    trace.OpCondWait,
	"Signal":      trace.OpSignal,
	"Broadcast":   trace.OpBroadcast,
	"Once":        trace.OpOnce,
	"Count":       trace.OpCount,
	"Park":        trace.OpPark,
	"Sleep":       trace.OpSleep,
	"Yield":       trace.OpYield,
	"Open":        trace.OpOpen,
	"Stat":        trace.OpStat,
	"FileRead":    trace.OpFileRead,
	"FileWrite":   trace.OpFileWrite,
	"FileSync":    trace.OpFileSync,
	"FileClose":   trace.OpFileClose,
	"ReadDir":     trace.OpReadDir,
	"FileChange":  trace.OpFileChange,
	"Accept":      trace.OpAccept,
	"Connect":     trace.OpConnect,
	"NetRead":     trace.OpNetRead,
	"NetWrite":    trace.OpNetWrite,
	"NetClose":    trace.OpNetClose,
	"Make":        trace.OpMake,
	"External":    trace.OpExternal,
	"FileSend":    trace.OpFileSend,
}

// operation is the number of an operation as Go source.
func operation(name string) string {
	op, ok := probeOps[name]
	if !ok {
		panic("golang: no operation " + name)
	}
	return fmt.Sprint(uint8(op))
}
