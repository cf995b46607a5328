package trail

import (
	"tierscope/analysis/trace"
)

// Library decides whether a function belongs to the program's libraries: the
// functions with more than one caller (Tarvo & Reiss 2014, §4.1).
type Library func(function string) bool

// EveryFunction treats all functions as library functions, so that a fragment
// is split by its whole calling context. It is the finest splitting, possible
// where the probes record whole stacks.
func EveryFunction(string) bool { return true }

// LibraryOf returns the Library of the given function names.
func LibraryOf(functions []string) Library {
	set := make(map[string]bool, len(functions))
	for _, f := range functions {
		set[f] = true
	}
	return func(f string) bool { return set[f] }
}

// CallingContext returns the chain of library calls that led to an operation,
// outermost first: the prefix by which Tarvo & Reiss 2014, §4.3.1 split
// nodes. A call is named by its place, "function:line" of the caller: this is
// the identity of the paper's entry library probe. frames are innermost
// first. Recursion is folded: of a cycle of equal calls one turn is kept, or
// a recursive program would have a node for every depth.
func CallingContext(frames []trace.Frame, library Library) []string {
	var calls []string
	at := map[string]int{}
	for i := len(frames) - 1; i > 0; i-- {
		if !library(frames[i-1].Function) {
			continue
		}
		call := trace.Place(frames[i])
		if j, ok := at[call]; ok {
			for _, dropped := range calls[j+1:] {
				delete(at, dropped)
			}
			calls = calls[:j+1]
			continue
		}
		at[call] = len(calls)
		calls = append(calls, call)
	}
	return calls
}
