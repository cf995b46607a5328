// Package runtimes has what is known of the run-time systems of the front ends that
// there are, as data (trace.Runtime). Each front end writes its own into its traces;
// here are those that are needed without a trace that has one: for files of older
// versions, and for programs that are measured, not analysed.
package runtimes

import (
	"debug/buildinfo"
	"strings"

	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/trace"
	"tierscope/core"
)

// Go is the run-time system of Go.
func Go() trace.Runtime {
	return trace.Runtime{
		Scheduler:  core.GoScheduler,
		Processors: trace.Processors{Variable: "GOMAXPROCS"},
		Collector: trace.Collector{
			Share:     0.25, // runtime/mgcpacer.go, gcBackgroundUtilization
			WallClock: true, // runtime/mgcwork.go adds up nanotime
			Percent:   trace.Variable{Name: "GOGC", Default: 100},
		},
		Locks:      map[core.LockKind]trace.LockRules{core.Mutex: {Fairness: core.GoMutex}},
		TimerStart: "time.goFunc",
		Starters:   []string{"sync.(*WaitGroup).Go"},
	}
}

// Java is the run-time system of Java: HotSpot with java.util.concurrent.
func Java() trace.Runtime {
	return trace.Runtime{
		Compiler: "JIT compiler",
		// Monitors of HotSpot, and the locks of java.util.concurrent unless they are asked for order.
		Locks: map[core.LockKind]trace.LockRules{
			core.Mutex:     {Fairness: core.Barging},
			core.Semaphore: {Fairness: core.Barging},
			core.Barrier:   {Fairness: core.Barging},
			core.RWLock:    {Preference: core.JavaUnfair},
		},
		Property: "-D",
		Starters: []string{"java/lang/Thread.start"},
		Warm:     true,
	}
}

// Native is what programs have that are compiled for the machine: threads of the kernel, and the locks of
// glibc, which a running thread may take before those that wait, and which readers take while a writer waits.
func Native() trace.Runtime {
	return trace.Runtime{Locks: map[core.LockKind]trace.LockRules{
		core.Mutex:  {Fairness: core.Barging},
		core.RWLock: {Preference: core.ReadFirst},
	}}
}

// byLanguage are the run-time systems by what the front end calls the language.
var byLanguage = map[string]func() trace.Runtime{"go": Go, "java": Java, "native": Native}

// Of returns the run-time system of a language, for traces of versions that do not say
// it; the zero one of a language that had no front end then.
func Of(language string) trace.Runtime {
	if system := byLanguage[language]; system != nil {
		return system()
	}
	return trace.Runtime{}
}

// OfProgram returns the run-time system that the executable of a program, or the command
// that starts it, has to judge by the file; the zero one where that does not tell.
func OfProgram(program string) trace.Runtime {
	if hotspot.Runs(program) {
		return Java()
	}
	if _, err := buildinfo.ReadFile(program); err == nil {
		return Go()
	}
	return trace.Runtime{}
}

// IsProcessors reports whether a setting is the one of some run-time system for the
// number of cores, however it is spelt.
func IsProcessors(name string) bool {
	for _, system := range byLanguage {
		if v := system().Processors.Variable; v != "" && strings.EqualFold(v, name) {
			return true
		}
	}
	return false
}
