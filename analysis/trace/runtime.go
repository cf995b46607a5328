package trace

import (
	"strconv"

	"tierscope/core"
)

// Runtime is what a model has to know of the run-time system that a program
// runs on. The front end writes it into the trace, so that Build and everything
// after it need not know the language. The zero value is a native program's: threads
// of the kernel, locks that are given in the order of asking, no collector, no compiler.
type Runtime struct {
	Scheduler  core.CPUPolicy              `json:",omitempty"` // who puts its threads on cores; "": the kernel
	Processors Processors                  `json:",omitzero"`
	Collector  Collector                   `json:",omitzero"`
	Compiler   string                      `json:",omitempty"` // what is called that compiles beside the program; "": nothing does
	Locks      map[core.LockKind]LockRules `json:",omitempty"` // of the kinds whose rules differ from the zero ones
	// Property begins the settings that are given as one word with their value, as
	// -Dname=value is to a JVM, before the arguments of the program. "": there are none.
	Property string `json:",omitempty"`
	// TimerStart is the function in which threads begin that a timer starts. "": there is none.
	TimerStart string `json:",omitempty"`
	// Starters are the functions of the library that start a thread for who calls them.
	Starters []string `json:",omitempty"`
	// Warm says that servers have to be warmed up before each measurement.
	Warm bool `json:",omitempty"`
}

// LooksForTimers reports whether the scheduler itself looks for timers whose time has come, now and then: how much later than
// they asked for those who sleep go on is for the simulation to find out.
func (r Runtime) LooksForTimers() bool { return r.Scheduler == core.GoScheduler }

// Processors is how a program is told on how many cores to run. Without being told
// it takes those that it may run on.
type Processors struct {
	Variable string `json:",omitempty"` // of the environment; "": there is none
}

// How is the template that sets the number, as core.Parameter.How; "": there is none.
func (p Processors) How() string {
	if p.Variable == "" {
		return ""
	}
	return p.Variable + "={value}"
}

// Collector is how garbage is collected beside the program.
type Collector struct {
	// Share is the share of the cores that it takes while it works; 0: its threads compete
	// for cores as all do.
	Share float64 `json:",omitempty"`
	// WallClock says that its CPU time is charged by the clock on the wall, so that it has
	// what other programs used on a busy machine too.
	WallClock bool `json:",omitempty"`
	// Percent is how much is allocated between two collections, in percent of what lives.
	Percent Variable `json:",omitzero"`
}

// Variable is a number in the environment of a program. The zero value: there is none.
type Variable struct {
	Name    string  `json:",omitempty"`
	Default float64 `json:",omitempty"` // where it is not set
}

// In returns the number in an environment. ok is false where there is no such variable,
// or what it says is not a positive number: what it drives is off.
func (v Variable) In(env map[string]string) (number float64, ok bool) {
	text, set := env[v.Name]
	if v.Name == "" || !set {
		return v.Default, v.Name != ""
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil && number > 0
}

// LockRules say who gets a freed lock of a kind.
type LockRules struct {
	Fairness   core.Fairness   `json:",omitempty"`
	Preference core.Preference `json:",omitempty"` // of readers and writers
}
