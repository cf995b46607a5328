package recorder

import (
	"fmt"
	"strings"

	"tierscope/analysis/trace"
)

// Records that are not operations of a trace.
const (
	Init      trace.Op = 200 + iota // an object begins; Arg: its kind, as an operation, and a number << 16
	Destroy                         // and ends
	Sample                          // the thread was seen here
	Blocks                          // Arg: of 512 bytes, read from disks by the operation before
	Poll                            // waits for any of several descriptors
	Signalled                       // waits for a signal
	Region                          // a parallel region of OpenMP, in the thread that calls for it; Object: its number
	Team                            // a thread's part in one; start Arg: its function
	Piece                           // iterations of a loop that a thread got; Object: how many, Arg: the first, −1: none are left
	Name                            // a part of a name, Object: its address
	Single                          // Arg: 0 the thread does what one does for all of its team, −1 another one does
	Meet                            // all threads of a team wait for each other
	Task                            // a thread executes a task of OpenMP
	Tasks                           // tasks are made that are not recorded
	TaskWait                        // a thread waits for the tasks that it made
	Option                          // the program takes an option with a value; Object: its name, Arg: the letter it has too, −1: its name is those of several, as getopt(3) is told
	Probe     trace.Op = 220        // and following: what a programmer marked (tierscope.h)
)

// operations are the names by which the source knows operations.
var operations = []struct {
	name string
	op   trace.Op
}{
	{"THREAD_BEGIN", trace.OpThreadBegin}, {"THREAD_END", trace.OpThreadEnd}, {"SPAWN", trace.OpSpawn}, {"JOIN", trace.OpJoin},
	{"LOCK", trace.OpLock}, {"TRY_LOCK", trace.OpTryLock}, {"UNLOCK", trace.OpUnlock},
	{"R_LOCK", trace.OpRLock}, {"TRY_R_LOCK", trace.OpTryRLock}, {"R_UNLOCK", trace.OpRUnlock},
	{"COND_WAIT", trace.OpCondWait}, {"SIGNAL", trace.OpSignal}, {"BROADCAST", trace.OpBroadcast},
	{"ACQUIRE", trace.OpAcquire}, {"TRY_ACQUIRE", trace.OpTryAcquire}, {"RELEASE", trace.OpRelease}, {"BARRIER", trace.OpBarrier},
	{"PARK", trace.OpPark}, {"UNPARK", trace.OpUnpark}, {"SLEEP", trace.OpSleep}, {"YIELD", trace.OpYield},
	{"OPEN", trace.OpOpen}, {"STAT", trace.OpStat}, {"FILE_READ", trace.OpFileRead}, {"FILE_WRITE", trace.OpFileWrite},
	{"FILE_SYNC", trace.OpFileSync}, {"FILE_CLOSE", trace.OpFileClose}, {"READ_DIR", trace.OpReadDir}, {"FILE_CHANGE", trace.OpFileChange},
	{"FILE_SEND", trace.OpFileSend}, {"ACCEPT", trace.OpAccept}, {"CONNECT", trace.OpConnect}, {"NET_READ", trace.OpNetRead},
	{"NET_WRITE", trace.OpNetWrite}, {"NET_CLOSE", trace.OpNetClose}, {"EXTERNAL", trace.OpExternal}, {"COUNT", trace.OpCount},
	{"DONE", trace.OpDone}, {"AWAIT", trace.OpWaitGroup},
	{"INIT", Init}, {"DESTROY", Destroy}, {"SAMPLE", Sample}, {"BLOCKS", Blocks}, {"POLL", Poll}, {"SIGNALLED", Signalled},
	{"REGION", Region}, {"TEAM", Team}, {"PIECE", Piece}, {"NAME", Name}, {"SINGLE", Single}, {"MEET", Meet}, {"TASK", Task}, {"TASKS", Tasks}, {"TASK_WAIT", TaskWait}, {"OPTION", Option},
	{"PROBE", Probe},
}

// header is operations.h: one list of numbers for the library and for who reads what it wrote.
func header() string {
	var b strings.Builder
	fmt.Fprintf(&b, "enum { VERSION = %d };\nenum {\n", Version)
	for _, o := range operations {
		fmt.Fprintf(&b, "\tOP_%s = %d,\n", o.name, o.op)
	}
	b.WriteString("};\n")
	return b.String()
}
