package prolong

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tierscope/core"
)

// Granularity is what a module is.
type Granularity string

// Granularities of modules.
const (
	Function Granularity = "function"
	File     Granularity = "file"
	Package  Granularity = "package"
)

// Module is a part of the program as the model shows it.
type Module struct {
	Name  string
	Locks []string // that it or what it calls acquires
	// fragments that are executed in the module, by graph.
	fragments map[string]map[string]bool
	sites     []site          // where it or what it calls acquires locks
	calls     map[string]bool // modules called, directly or not
	callers   map[string]bool // modules that call it directly
}

// sharedRoutine is the number of modules from which a function that they all
// call counts as part of its callers (the library functions of Tarvo & Reiss
// 2014, §4.3.1).
const sharedRoutine = 3

// Modules returns the modules of a model in the order of their names. A
// routine that three or more others call is part of its callers.
//
// A model that names no function has modules all the same (withFunctions).
func Modules(m *core.Model, by Granularity) []Module {
	whole, named := withFunctions(m)
	m = &whole
	files := filesOf(m)
	found := map[string]*Module{}
	for gi := range m.Graphs {
		g := &m.Graphs[gi]
		chains := chainsOf(g, by, files)
		if !named { // every fragment says where it belongs
			for fi := range g.Fragments {
				if chains[fi] = nil; g.Fragments[fi].Origin.Function != "" {
					chains[fi] = []string{g.Fragments[fi].Origin.Function}
				}
			}
		}
		for fi := range g.Fragments {
			chain := chains[fi]
			for k, name := range chain {
				found[name] = orNew(found[name], name)
				found[name].add(g.ID, g.Fragments[fi].ID)
				for _, callee := range chain[k+1:] {
					found[name].calls[callee] = true
				}
				if k > 0 {
					found[name].callers[chain[k-1]] = true
				}
			}
		}
	}
	var modules []Module
	for _, module := range found {
		if len(module.callers) >= sharedRoutine {
			continue
		}
		module.findSites(m, by, files)
		modules = append(modules, *module)
	}
	slices.SortFunc(modules, func(a, b Module) int { return strings.Compare(a.Name, b.Name) })
	return modules
}

func orNew(m *Module, name string) *Module {
	if m != nil {
		return m
	}
	return &Module{Name: name, fragments: map[string]map[string]bool{}, calls: map[string]bool{}, callers: map[string]bool{}}
}

func (m *Module) add(graph, fragment string) {
	if m.fragments[graph] == nil {
		m.fragments[graph] = map[string]bool{}
	}
	m.fragments[graph][fragment] = true
}

// chainsOf returns, for every fragment of a graph, the modules in which it is
// executed, outermost first. A computation between two operations is executed
// in what the two have in common.
func chainsOf(g *core.Graph, by Granularity, files map[string]string) [][]string {
	chains := make([][]string, len(g.Fragments))
	index := map[string]int{}
	for i := range g.Fragments {
		f := &g.Fragments[i]
		index[f.ID] = i
		if f.Class != core.CPUFragment {
			chains[i] = chainOf(f, by, files)
		}
	}
	after := make([][]int, len(g.Fragments))
	before := make([][]int, len(g.Fragments))
	for i := range g.Fragments {
		for _, s := range g.Successors(&g.Fragments[i]) {
			after[i] = append(after[i], index[s.To])
			before[index[s.To]] = append(before[index[s.To]], i)
		}
	}
	for i := range g.Fragments {
		if g.Fragments[i].Class != core.CPUFragment {
			continue
		}
		var common []string
		first := true
		for _, j := range append(slices.Clone(before[i]), after[i]...) {
			if first {
				common, first = chains[j], false
				continue
			}
			n := 0
			for n < len(common) && n < len(chains[j]) && common[n] == chains[j][n] {
				n++
			}
			common = common[:n]
		}
		chains[i] = common
	}
	return chains
}

// chainOf returns the modules of a fragment's calling context and origin. The
// body of a thread that is a closure is no execution of the function around it.
func chainOf(f *core.Fragment, by Granularity, files map[string]string) []string {
	var chain []string
	root := by == Function
	add := func(function string) {
		name := moduleOf(function, by, files)
		if name == "" || root && part.MatchString(function) {
			return
		}
		root = false
		if !slices.Contains(chain, name) {
			chain = append(chain, name)
		}
	}
	for _, frame := range f.Context {
		if i := strings.LastIndexByte(frame, ':'); i >= 0 {
			frame = frame[:i]
		}
		add(frame)
	}
	add(f.Origin.Function)
	return chain
}

// part is the suffix of a function that the compiler made of a part of
// another: a closure, a deferred call, the body of a range-over-func loop.
var part = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|\.\d+|-fm)+$`)

// moduleOf returns the module of a function, "" for the standard library.
func moduleOf(function string, by Granularity, files map[string]string) string {
	function = part.ReplaceAllString(function, "")
	path := packageOf(function)
	root, _, _ := strings.Cut(path, "/")
	if function == "" || standardLibrary[root] {
		return ""
	}
	switch by {
	case Package:
		return path
	case File:
		if file := files[function]; file != "" {
			return file
		}
	case Function:
	}
	return function
}

// packageOf returns the import path of a function's package: what comes before
// the first dot after the last slash.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}

// filesOf returns the file of every function that the model names one of.
func filesOf(m *core.Model) map[string]string {
	files := map[string]string{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Origin.File != "" {
				name := part.ReplaceAllString(f.Origin.Function, "")
				files[name] = packageOf(name) + "/" + filepath.Base(f.Origin.File)
			}
		}
	}
	return files
}

// standardLibrary are the roots of the import paths of Go's own packages.
var standardLibrary = map[string]bool{"archive": true, "bufio": true, "bytes": true, "cmp": true, "compress": true, "container": true,
	"context": true, "crypto": true, "database": true, "debug": true, "embed": true, "encoding": true, "errors": true, "expvar": true,
	"flag": true, "fmt": true, "go": true, "hash": true, "html": true, "image": true, "index": true, "internal": true, "io": true,
	"iter": true, "log": true, "maps": true, "math": true, "mime": true, "net": true, "os": true, "path": true, "plugin": true,
	"reflect": true, "regexp": true, "runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true, "structs": true,
	"sync": true, "syscall": true, "testing": true, "text": true, "time": true, "unicode": true, "unique": true, "unsafe": true,
	"vendor": true, "weak": true}
