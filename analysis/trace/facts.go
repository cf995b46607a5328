package trace

import (
	"strings"

	"tierscope/core"
)

// Facts are the result of the static analysis (§4.2): every operation on
// locks and queues, every I/O call and creation point that the program can
// reach.
type Facts struct {
	Program   string     `json:"program"`
	Functions int        `json:"functions"` // reachable
	Sites     []FactSite `json:"sites"`
	Suspects  []Suspect  `json:"suspects,omitempty"`
	Inputs    []Setting  `json:"inputs,omitempty"`
	Stops     []Stop     `json:"stops,omitempty"`
	Repeats   []Frame    `json:"repeats,omitempty"` // start threads that do as much each however many there are
	Method    string     `json:"method,omitempty"`  // how the call graph was made
	Code      []Function `json:"code,omitempty"`    // the program's own functions
}

// Stop is a loop that is left when a variable, or the clock, says so.
type Stop struct {
	Frame Frame `json:"frame"` // where it asks
	Clock bool  `json:"clock,omitempty"`
}

// Setting is a number that the program is given from outside, with what it
// decides inside.
type Setting struct {
	Name    string       `json:"name"` // as it is written: "-workers", "WORKERS"
	Env     bool         `json:"env,omitempty"`
	Machine Machine      `json:"machine,omitempty"` // the program asks for it itself
	Initial float64      `json:"initial,omitempty"` // the number that it has if it is not given; 0: not known
	Tried   bool         `json:"tried,omitempty"`   // a run with another number showed what it decides, and that it decides nothing else of it
	Uses    []SettingUse `json:"uses,omitempty"`
	// Unit is written behind the number: "ms" of a flag that is a duration, whose number is in it.
	Unit string `json:"unit,omitempty"`
	// Unfollowed says that nobody looked for what the setting decides.
	Unfollowed bool `json:"unfollowed,omitempty"`
}

// Machine is a number that a program asks the machine or its run time for.
type Machine string

// What programs ask for.
const (
	MachineCPUs  Machine = "cpus"  // the CPUs that it may run on (Go: runtime.NumCPU)
	MachineCores Machine = "cores" // the cores that it may use at a time, by Runtime.Processors too
)

// UseKind is what a setting decides.
type UseKind string

// Uses of settings.
const (
	UseSpawn    UseKind = "spawn"    // how many threads the statement at Frame starts
	UseCapacity UseKind = "capacity" // of the channel made at Frame
	UseLimit    UseKind = "limit"    // of the semaphore or group made at Frame
	UseDivisor  UseKind = "divisor"  // something is divided by it: work is shared out
	UseStride   UseKind = "stride"   // a loop counts in steps of it: work is shared out
	UseOwn      UseKind = "own"      // every thread that is started at Frame has work of its own, however many there are
	UseRate     UseKind = "rate"     // of the limiter made at Frame, per second
	UseCores    UseKind = "cores"    // how many cores the program may use
	UseLoop     UseKind = "loop"     // how often the loop at Frame goes round
	UseSleep    UseKind = "sleep"    // how long threads sleep at Frame, s
)

// SettingUse is a place where a setting decides something.
type SettingUse struct {
	Kind  UseKind `json:"kind"`
	Frame Frame   `json:"frame"`
	// Value is the number there, as a function of the setting, if it is not
	// Loose: one that depends on other things too.
	Value core.Linear `json:"value,omitzero"`
	Loose bool        `json:"loose,omitempty"`
	// Default names the flag whose default value the number is: it decides
	// nothing in a run that is given the flag.
	Default string `json:"default,omitempty"`
}

// FactSite is one operation in the program's text.
type FactSite struct {
	Frame   Frame    `json:"frame"` // where, in which function
	Op      string   `json:"op"`    // name of an Op
	Class   string   `json:"class"` // core.FragmentClass
	Kind    string   `json:"kind,omitempty"`
	Name    string   `json:"name,omitempty"` // what the text calls the lock, channel or started function: a variable, or type.field
	Args    []string `json:"args,omitempty"` // constant arguments, "?" where unknown
	InLoop  bool     `json:"in_loop,omitempty"`
	Library bool     `json:"library,omitempty"` // in a library function
	Std     bool     `json:"std,omitempty"`     // in the standard library
}

// Suspect is a home-made primitive: a spin loop, a barrier of a mutex and a
// condition variable, …
type Suspect struct {
	Frame  Frame  `json:"frame"`
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// InFile stands in the name of a setting that is a number in a file between the argument that names the file and what the file calls
// the number: "argument 2 file cache.size".
const InFile = " file "

// KeyInFile is what its file calls a setting, in lower case; "" if it is in none.
func KeyInFile(name string) string {
	_, key, _ := strings.Cut(name, InFile)
	return strings.ToLower(key)
}
