package java

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/java/agent"
	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// Loop is a loop in the classes that a program loaded: the instructions from
// the target of a backward branch to the last branch that leads there.
type Loop struct {
	Function, File string
	Line           int
}

// LoopCount is how often a loop was entered, and how often control went back to
// its beginning, in one chain of call sites.
type LoopCount struct {
	Loop                int    // in Loops.List
	Chain               string // call sites, innermost first: "Main.norm:12 < Main.main:30"
	Entries, Iterations int64
}

// Loops is a program that counts its loops.
type Loops struct {
	List []Loop
	// Skipped are the methods without counters, and why.
	Skipped []string

	*rewritten
	methods []countedMethod // by number; 0 is none
	sites   []string        // by number; 0 is none
}

// countedMethod is a method with its loops: counts 2k and 2k+1 of it are the
// entries and the iterations of the k-th.
type countedMethod struct {
	name  string
	first int // of its loops in List
	loops int
}

// fileCounts is where the agent writes the counts of a run.
const fileCounts = "loops"

// Loops runs a program once, to see which classes it loads, and puts counters
// into their loops. dir is kept by the caller.
func (t Target) Loops(ctx context.Context, w trace.Workload, dir string) (*Loops, error) {
	r, err := t.rewritten(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	world, err := r.world()
	if err != nil {
		return nil, err
	}
	l := &Loops{rewritten: r, methods: make([]countedMethod, 1), sites: make([]string, 1), Skipped: world.unreadable}
	err = r.replace(world, func(c *loaded) bool { return l.count(c.name, c.file) })
	if err == nil && len(l.List) == 0 {
		err = errors.New("the classes that the program loaded have no loops")
	}
	return l, err
}

// Run runs the program, with other arguments or environment, and returns what it
// counted.
func (l *Loops) Run(ctx context.Context, w trace.Workload) ([]LoopCount, error) {
	name := filepath.Join(l.dir, fileCounts)
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("counts of loops: %w", err)
	}
	if _, err := l.run(ctx, w, map[string]string{"loops": name}); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("the program wrote no counts: does it end by Runtime.halt?")
	}
	if err != nil {
		return nil, fmt.Errorf("counts of loops: %w", err)
	}
	return l.decode(string(text))
}

// decode reads what Loops.java writes.
func (l *Loops) decode(text string) ([]LoopCount, error) {
	damaged := errors.New("the file of counts is damaged")
	text, whole := strings.CutSuffix(text, "end\n")
	if !whole {
		return nil, damaged
	}
	var out []LoopCount
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		number, err := strconv.Atoi(f[0])
		if err != nil || number < 1 || number >= len(l.methods) {
			return nil, damaged
		}
		m := l.methods[number]
		if len(f) != 2+2*m.loops {
			return nil, damaged
		}
		var chain []string
		for _, s := range strings.FieldsFunc(f[1], func(r rune) bool { return r == ',' }) {
			site, err := strconv.Atoi(s)
			if err != nil || site < 1 || site >= len(l.sites) {
				return nil, damaged
			}
			chain = append(chain, l.sites[site])
		}
		for k := range m.loops {
			entries, err1 := strconv.ParseInt(f[2+2*k], 10, 64)
			iterations, err2 := strconv.ParseInt(f[3+2*k], 10, 64)
			if err := errors.Join(err1, err2); err != nil {
				return nil, damaged
			}
			out = append(out, LoopCount{m.first + k, strings.Join(chain, " < "), entries, iterations})
		}
	}
	return out, nil
}

// count puts counters into a class, and reports whether it did.
func (l *Loops) count(name string, class *classfile.File) (changed bool) {
	for i := range class.Methods {
		m := &class.Methods[i]
		code, err := class.Code(m)
		if code == nil {
			continue
		}
		loops, sites, methods := len(l.List), len(l.sites), len(l.methods)
		function := name + "." + class.Pool.String(m.Name)
		var body []byte
		if err == nil {
			body, err = l.method(function, class, code)
		}
		if err != nil {
			l.List, l.sites, l.methods = l.List[:loops], l.sites[:sites], l.methods[:methods]
			l.Skipped = append(l.Skipped, fmt.Sprintf("%s: %v", function, err))
			if errors.Is(err, classfile.ErrPoolFull) {
				return false
			}
			continue
		}
		class.SetCode(m, body)
		changed = true
	}
	return changed
}

// method puts counters into a method: calls that keep the chain of call sites,
// and one on each edge of the control flow into a loop or back to its beginning.
func (l *Loops) method(function string, class *classfile.File, code *classfile.Code) ([]byte, error) {
	list := code.Instructions()
	loops, err := loopsOf(code, list)
	if err != nil {
		return nil, err
	}
	number := len(l.methods)
	call := func(name string, operands ...int) []byte {
		a := classfile.Assembler{Pool: &class.Pool}
		for _, v := range operands {
			a.Push(int32(v))
		}
		a.Call(agent.LoopClass, name, "("+strings.Repeat("I", len(operands))+")V")
		return a.Code
	}
	code.Prologue(call("enter", number, 2*len(loops)))
	for k, p := range loops {
		if p.begin == 0 {
			code.Prologue(call("more", number, 2*k))
		}
	}
	for _, in := range list {
		switch {
		case classfile.IsReturn(in.Op):
			code.Before(in.PC, call("leave", number))
		case in.Op >= classfile.OpInvokeVirtual && in.Op <= classfile.OpInvokeIface:
			l.sites = append(l.sites, fmt.Sprintf("%s:%d", function, code.Line(in.PC)))
			code.Before(in.PC, call("site", number, len(l.sites)-1))
		}
	}
	for i, in := range list {
		for k, p := range loops {
			p.edges(code, list, i, func(kind int, jump bool) {
				which := 2*k + kind
				switch {
				case !jump:
					code.After(in.PC, call("more", number, which))
				case classfile.FallsThrough(in.Op):
					code.Before(in.PC, call("more", number, which))
					code.After(in.PC, call("less", number, which))
				default:
					code.Before(in.PC, call("more", number, which))
				}
			})
		}
	}
	if _, err := code.Reserve(0, stackRoom); err != nil {
		return nil, err
	}
	body, err := code.Relocate()
	if err != nil {
		return nil, err
	}
	l.methods = append(l.methods, countedMethod{name: function, first: len(l.List), loops: len(loops)})
	for _, p := range loops {
		l.List = append(l.List, Loop{Function: function, File: class.Source(), Line: code.Line(p.begin)})
	}
	return body, nil
}

// region is a loop in a method: from the target of backward branches to the
// last of these.
type region struct{ begin, end int }

// loopsOf finds the loops of a method, outer ones first. Backward branches to
// the same target are one loop.
func loopsOf(code *classfile.Code, list []classfile.Instruction) ([]region, error) {
	ends := map[int]int{}
	for _, in := range list {
		if classfile.CallsSubroutine(in.Op) {
			return nil, errors.New("subroutines of Java before version 6 are not understood")
		}
		for _, t := range code.Targets(in.PC) {
			if t <= in.PC {
				ends[t] = max(ends[t], in.PC)
			}
		}
	}
	var out []region
	for begin, end := range ends {
		out = append(out, region{begin, end})
	}
	slices.SortFunc(out, func(a, b region) int { return a.begin - b.begin })
	return out, nil
}

// Kinds of edges.
const (
	entry = iota
	iteration
)

// edges calls f for every edge of the control flow from an instruction that
// enters the loop or goes back to its beginning. A switch has many targets, and
// which one it takes is not seen: it counts as if it took each of these.
func (p region) edges(code *classfile.Code, list []classfile.Instruction, i int, f func(kind int, jump bool)) {
	pc := list[i].PC
	within := func(at int) bool { return p.begin <= at && at <= p.end }
	seen := [2]bool{}
	for _, t := range code.Targets(pc) {
		switch {
		case t == p.begin && t <= pc && !seen[iteration]:
			seen[iteration] = true
			f(iteration, true)
		case within(t) && !within(pc) && !seen[entry]:
			seen[entry] = true
			f(entry, true)
		}
	}
	if i+1 < len(list) && classfile.FallsThrough(list[i].Op) && within(list[i+1].PC) && !within(pc) {
		f(entry, false)
	}
}
