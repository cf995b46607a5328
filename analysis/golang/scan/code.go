package scan

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// code lists the program's own functions among those that it can reach, by name: what each does, as the text of
// its SSA form without places, and whom it calls in the same goroutine. Instances of
// a generic function are one.
func (p *program) code(reached []*ssa.Function) []trace.Function {
	index := map[string]int{}
	var own []*ssa.Function
	var out []trace.Function
	for _, fn := range reached {
		if p.isStd(fn) {
			continue
		}
		name := runtimeName(fn)
		if _, ok := index[name]; !ok {
			index[name] = len(out)
			out = append(out, trace.Function{Name: name})
		}
		own = append(own, fn)
	}
	for _, fn := range own {
		f := &out[index[runtimeName(fn)]]
		f.Code = hash(f.Code, textOf(fn))
		p.calledBy(fn, func(callee *ssa.Function) {
			if i, ok := index[runtimeName(callee)]; ok && !slices.Contains(f.Calls, i) {
				f.Calls = append(f.Calls, i)
			}
		})
		slices.Sort(f.Calls)
	}
	return out
}

// throughLibrary is how many library functions may stand between two of the program that call each other: three
// between what calls sort.Sort and its Less. More lead to every String method from whoever prints.
const throughLibrary = 3

// calledBy visits the program's own functions that a function calls in its goroutine, or has called by the library.
func (p *program) calledBy(fn *ssa.Function, visit func(*ssa.Function)) {
	seen := map[*ssa.Function]bool{fn: true}
	callers := []*ssa.Function{fn}
	for range throughLibrary + 1 {
		var library []*ssa.Function
		for _, caller := range callers {
			n := p.calls.Nodes[caller]
			if n == nil {
				continue
			}
			for _, e := range n.Out {
				callee := e.Callee.Func
				if _, other := e.Site.(*ssa.Go); other || seen[callee] {
					continue
				}
				if seen[callee] = true; p.isStd(callee) {
					library = append(library, callee)
				} else {
					visit(callee)
				}
			}
		}
		callers = library
	}
}

// textOf is the SSA form without the comments, which say where it stands.
func textOf(fn *ssa.Function) []byte {
	var text bytes.Buffer
	ssa.WriteFunction(&text, fn)
	lines := slices.DeleteFunc(bytes.Split(text.Bytes(), []byte("\n")), func(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) })
	return bytes.Join(lines, []byte("\n"))
}

func hash(before string, text []byte) string {
	h := fnv.New64a()
	h.Write([]byte(before))
	h.Write(text)
	return fmt.Sprintf("%x", h.Sum64())
}
