package analysis

import (
	"cmp"
	"slices"
	"strings"
)

// unwrapStarts gives pools that a function starts for others, as
// (*errgroup.Group).Go does, the place where that is called and the name of the
// function that their threads execute for the caller:
//
//	for range n { g.Go(parse) }    // two pools, parse and pack,
//	for range m { g.Go(pack) }     // of n and m threads
//
// The scan knows such functions: a call of one is a spawn to it.
func unwrapStarts(gs []*group, t *Trace, facts *Facts) {
	known := spawnsOf(facts)
	for _, g := range gs {
		if g.created < 0 || int(g.created) >= len(t.Sites) {
			continue
		}
		wrappers := known.wrappers(t.Sites[g.created].Frames)
		if n := len(wrappers) - 1; n > 0 {
			g.place = wrappers[n]
			g.function = calledBy(t, g, wrappers[:n])
		}
	}
	nameGroups(gs)
}

// spawns are the places that start threads, themselves or through a wrapper, by file without
// its folder and line.
type spawns map[Frame]bool

func spawnsOf(facts *Facts) spawns {
	known := spawns{}
	if facts != nil {
		for _, s := range facts.Sites {
			if s.Op == OpSpawn.String() {
				known[shortFrame(s.Frame)] = true
			}
		}
	}
	return known
}

func shortFrame(f Frame) Frame {
	return Frame{File: f.File[strings.LastIndexByte(f.File, '/')+1:], Line: f.Line}
}

// wrappers returns the frames of the program from the one that started a thread to the one that
// called the outermost wrapper; one if there is no wrapper.
func (s spawns) wrappers(frames []Frame) (out []Frame) {
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

// calledBy returns the outermost function on the stacks of a group that is not of
// the package of a wrapper; the one that calls the wrapper if there is none.
func calledBy(t *Trace, g *group, wrappers []Frame) string {
	own := func(f Frame) bool {
		return !f.Std && !slices.ContainsFunc(wrappers, func(w Frame) bool { return packageOf(f.Function) == packageOf(w.Function) })
	}
	return cmp.Or(outermost(t, g, own), g.place.Function)
}

// packageOf returns the package in the name of a function: "a/b" of "a/b.(*T).F".
func packageOf(function string) string {
	dir := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[dir:], ".")
	return function[:dir] + name
}

// poolThreads makes the groups.
func (b *build) poolThreads() {
	b.groups = groupThreads(b.t, b.in.Facts)
	unwrapStarts(b.groups, b.t, b.in.Facts)
}
