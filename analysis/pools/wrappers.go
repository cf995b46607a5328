package pools

import (
	"cmp"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// UnwrapStarts gives pools that a function starts for others, as
// (*errgroup.Group).Go does, the place where that is called and the name of the
// function that their threads execute for the caller:
//
//	for range n { g.Go(parse) }    // two pools, parse and pack,
//	for range m { g.Go(pack) }     // of n and m threads
//
// The scan knows such functions: a call of one is a spawn to it.
func UnwrapStarts(gs []*trail.Pool, t *trace.Trace, facts *trace.Facts) {
	known := spawnsOf(facts)
	for _, g := range gs {
		if g.Created < 0 || int(g.Created) >= len(t.Sites) {
			continue
		}
		wrappers := known.wrappers(t.Sites[g.Created].Frames)
		if n := len(wrappers) - 1; n > 0 {
			g.Place = wrappers[n]
			g.Function = calledBy(t, g, wrappers[:n])
		}
	}
	nameGroups(gs)
}

// spawns are the places that start threads, themselves or through a wrapper, by file without
// its folder and line.
type spawns map[trace.Frame]bool

func spawnsOf(facts *trace.Facts) spawns {
	known := spawns{}
	if facts != nil {
		for _, s := range facts.Sites {
			if s.Op == trace.OpSpawn.String() {
				known[shortFrame(s.Frame)] = true
			}
		}
	}
	return known
}

func shortFrame(f trace.Frame) trace.Frame {
	return trace.Frame{File: f.File[strings.LastIndexByte(f.File, '/')+1:], Line: f.Line}
}

// wrappers returns the frames of the program from the one that started a thread to the one that
// called the outermost wrapper; one if there is no wrapper.
func (s spawns) wrappers(frames []trace.Frame) (out []trace.Frame) {
	for _, f := range frames {
		if f.Std {
			continue
		}
		if len(out) > 0 && !s[shortFrame(f)] {
			break
		}
		out = append(out, f)
	}
	return out
}

// calledBy returns the outermost function on the stacks of a pool that is not of
// a wrapper, nor of another package that a wrapper is of; the one that calls the wrapper if there is none.
func calledBy(t *trace.Trace, g *trail.Pool, wrappers []trace.Frame) string {
	home := packageOf(g.Place.Function)
	own := func(f trace.Frame) bool {
		in, _ := trace.Enclosing(f.Function)
		return !f.Std && !slices.ContainsFunc(wrappers, func(w trace.Frame) bool {
			of := packageOf(w.Function)
			wrapper, _ := trace.Enclosing(w.Function)
			return of != home && of == packageOf(f.Function) || of == home && in == wrapper
		})
	}
	return cmp.Or(outermost(t, g, own), g.Place.Function)
}

// packageOf returns the package in the name of a function: "a/b" of "a/b.(*T).F".
func packageOf(function string) string {
	dir := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[dir:], ".")
	return function[:dir] + name
}

// Threads makes the pools.
func Threads(tr *trail.Trail) {
	tr.Pools = GroupThreads(tr.Trace, tr.Input.Facts)
	UnwrapStarts(tr.Pools, tr.Trace, tr.Input.Facts)
}
