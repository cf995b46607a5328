package native

import (
	"slices"
	"strings"

	"tierscope/analysis/trace"
)

// peel takes calls off the inside of sites that say nothing of what the program does, so that the
// place of an operation is where the program decides on it:
//
//	possess ◂ get_space ◂ read_thread     becomes     get_space ◂ read_thread
//
// Those in the libraries of the language go, and so do the program's own wrappers: short functions that
// execute operations and are called from several places. A function of the language that was compiled into the program may
// have the program's own in it, as the body of a thread of C++ or Rust has the closure: without line numbers nothing tells.
// It counts as the program's where there is no other: in Rust the one that marks in backtraces where the program's begin, and
// where that one is not to be seen, such as before it or far below it, which closure it is nobody knows either.
func peel(sites []trace.Site, short, library map[string]bool) {
	marks := slices.ContainsFunc(sites, func(s trace.Site) bool { return slices.ContainsFunc(s.Frames, beginsProgram) })
	for i := range sites {
		fs := sites[i].Frames
		own := slices.IndexFunc(fs, func(f trace.Frame) bool { return !f.Std })
		if own < 0 {
			if own = slices.IndexFunc(fs, beginsProgram); own < 0 {
				own = slices.IndexFunc(fs, func(f trace.Frame) bool { return !library[f.Function] })
			}
			if own >= 0 {
				fs[own].Std = false
			}
			if own >= 0 && marks {
				fs[own].Function = trace.Closure
			}
		}
		sites[i].Frames = fs[max(own, 0):]
	}
	for range wrappersDeep {
		callers := map[string]map[trace.Frame]bool{}
		for _, s := range sites {
			if len(s.Frames) < 2 || s.Frames[1].Std {
				continue
			}
			f := s.Frames[0].Function
			if callers[f] == nil {
				callers[f] = map[trace.Frame]bool{}
			}
			callers[f][s.Frames[1]] = true
		}
		for i := range sites {
			fs := sites[i].Frames
			if len(fs) > 1 && !fs[1].Std && short[fs[0].Function] && len(callers[fs[0].Function]) > 1 {
				sites[i].Frames = fs[1:]
			}
		}
	}
}

// beginsProgram tells the function of Rust that calls what a thread was given, or has it in itself.
func beginsProgram(f trace.Frame) bool {
	return strings.HasSuffix(f.Function, "_rust_begin_short_backtrace")
}

// wrappersDeep is how many wrappers there may be in each other. Convention, sensitivity none.
const wrappersDeep = 2
