package golang

import (
	"fmt"

	"tierscope/analysis"
)

// probeOps are the operations that the probes report, by the name that the
// overlay uses. Package runtime gets them as constants pmOpNAME; mute.go there
// relies on Lock … Once being contiguous, file.go on Open … FileChange.
var probeOps = map[string]analysis.Op{
	"ThreadBegin": analysis.OpThreadBegin,
	"ThreadEnd":   analysis.OpThreadEnd,
	"Spawn":       analysis.OpSpawn,
	"Send":        analysis.OpSend,
	"Receive":     analysis.OpReceive,
	"TrySend":     analysis.OpTrySend,
	"TryReceive":  analysis.OpTryReceive,
	"Select":      analysis.OpSelect,
	"Close":       analysis.OpClose,
	"Lock":        analysis.OpLock,
	"TryLock":     analysis.OpTryLock,
	"Unlock":      analysis.OpUnlock,
	"RLock":       analysis.OpRLock,
	"TryRLock":    analysis.OpTryRLock,
	"RUnlock":     analysis.OpRUnlock,
	"Add":         analysis.OpAdd,
	"Done":        analysis.OpDone,
	"WaitGroup":   analysis.OpWaitGroup,
	"CondWait":    analysis.OpCondWait,
	"Signal":      analysis.OpSignal,
	"Broadcast":   analysis.OpBroadcast,
	"Once":        analysis.OpOnce,
	"Park":        analysis.OpPark,
	"Sleep":       analysis.OpSleep,
	"Yield":       analysis.OpYield,
	"Open":        analysis.OpOpen,
	"Stat":        analysis.OpStat,
	"FileRead":    analysis.OpFileRead,
	"FileWrite":   analysis.OpFileWrite,
	"FileSync":    analysis.OpFileSync,
	"FileClose":   analysis.OpFileClose,
	"ReadDir":     analysis.OpReadDir,
	"FileChange":  analysis.OpFileChange,
	"Accept":      analysis.OpAccept,
	"Connect":     analysis.OpConnect,
	"NetRead":     analysis.OpNetRead,
	"NetWrite":    analysis.OpNetWrite,
	"NetClose":    analysis.OpNetClose,
	"Make":        analysis.OpMake,
	"External":    analysis.OpExternal,
	"FileSend":    analysis.OpFileSend,
}

// operation is the number of an operation as Go source.
func operation(name string) string {
	op, ok := probeOps[name]
	if !ok {
		panic("golang: no operation " + name)
	}
	return fmt.Sprint(uint8(op))
}
