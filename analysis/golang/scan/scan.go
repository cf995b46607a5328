// Package scan is the static analysis of Go programs (Tarvo & Reiss 2014,
// §4.2): it loads a main package with everything that it imports, builds SSA
// form and a call graph, and lists the operations on locks, queues, files and
// connections, the go statements and the points of creation that the program
// can reach.
//
// What an operation works on, and how often, only the run tells. The scan
// says what the run cannot: which flag or environment variable decides the
// number of threads that a go statement starts, or the capacity of a channel;
// where work is divided by that number; and where the program seems to have a
// lock of its own making, which no probe sees.
package scan

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// Program scans the program of a workload. Samples may be nil; their thread
// start functions become roots beside main and the initializers.
func Program(ctx context.Context, w trace.Workload, s *trace.Samples, report func(analysis.Progress)) (*trace.Facts, error) {
	tell := func(done float64, format string, args ...any) {
		if report != nil {
			report(analysis.Progress{Stage: "scan", Done: done, Fact: fmt.Sprintf(format, args...)})
		}
	}
	p, err := load(ctx, w)
	if err != nil {
		return nil, err
	}
	tell(0.4, "%d packages", p.packages)
	reached, method := p.reachable(s)
	tell(0.8, "%d functions can be reached (%s)", len(reached), method)
	p.findStarters(reached)
	f := &trace.Facts{Program: w.Program, Functions: len(reached), Method: method, Code: p.code(reached)}
	for _, fn := range reached {
		if p.isStd(fn) {
			continue
		}
		f.Sites = append(f.Sites, p.sites(fn)...)
		f.Suspects = append(f.Suspects, p.suspects(fn)...)
		f.Stops = append(f.Stops, p.stops(fn)...)
	}
	var flows []*flow
	f.Inputs, flows = p.settings(reached, w.Files)
	f.Repeats = p.repeats(reached, flows)
	slices.SortStableFunc(f.Sites, func(a, b trace.FactSite) int {
		if c := strings.Compare(a.Frame.File, b.Frame.File); c != 0 {
			return c
		}
		return a.Frame.Line - b.Frame.Line
	})
	tell(1, "%d operations, %d settings, %d suspects", len(f.Sites), len(f.Inputs), len(f.Suspects))
	return f, nil
}

// program is a loaded program.
type program struct {
	ssa      *ssa.Program
	mains    []*ssa.Package
	std      map[string]bool // packages of the standard library
	texts    map[string]text // of the files that it is written in
	packages int
	calls    *callgraph.Graph // known once reachable has been asked
	starters map[*ssa.Function]bool
}

// load reads and type-checks the main package and everything it imports: without
// C, so that the standard library has its pure Go parts, unless the program is
// none without.
func load(ctx context.Context, w trace.Workload) (*program, error) {
	p, err := loadWith(ctx, w, "CGO_ENABLED=0")
	if err == nil || ctx.Err() != nil {
		return p, err
	}
	if p, withC := loadWith(ctx, w, "CGO_ENABLED=1"); withC == nil {
		return p, nil
	}
	return nil, err
}

func loadWith(ctx context.Context, w trace.Workload, cgo string) (*program, error) {
	env := append(os.Environ(), cgo)
	for k, v := range w.Env {
		env = append(env, k+"="+v)
	}
	pattern, dir := w.Program, w.Dir
	if info, err := os.Stat(w.Program); err == nil && info.IsDir() {
		pattern, dir = ".", w.Program
	}
	cfg := &packages.Config{Context: ctx, Dir: dir, Env: env,
		Mode: packages.LoadAllSyntax | packages.NeedModule}
	initial, err := packages.Load(cfg, pattern)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", w.Program, err)
	}
	if len(initial) == 0 {
		return nil, fmt.Errorf("load %s: no package matches", w.Program)
	}
	p := &program{std: map[string]bool{}}
	var defects []error
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		p.packages++
		if pkg.Module == nil {
			p.std[pkg.PkgPath] = true
		}
		for _, e := range pkg.Errors {
			defects = append(defects, e)
		}
	})
	if len(defects) > 0 {
		return nil, fmt.Errorf("load %s: %w", w.Program, errors.Join(defects[:min(len(defects), 10)]...))
	}
	prog, pkgs := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	prog.Build()
	p.ssa, p.texts = prog, texts(initial)
	for _, pkg := range pkgs {
		if pkg != nil && pkg.Func("main") != nil {
			p.mains = append(p.mains, pkg)
		}
	}
	if len(p.mains) == 0 {
		return nil, fmt.Errorf("load %s: not a main package", w.Program)
	}
	return p, nil
}

// smallMemory is the free memory in bytes below which the cheaper call graph
// is made: variable type analysis of a large program takes 2.7 GB.
const smallMemory = 3 << 30

// reachable returns the functions that the program can reach, in the order of
// their names, and how the call graph was made.
func (p *program) reachable(s *trace.Samples) ([]*ssa.Function, string) {
	var roots []*ssa.Function
	for _, m := range p.mains {
		roots = append(roots, m.Func("main"), m.Func("init"))
	}
	all := ssautil.AllFunctions(p.ssa)
	if s != nil {
		started := map[string]bool{}
		for _, th := range s.Threads {
			started[th.Start] = true
		}
		for fn := range all {
			if started[runtimeName(fn)] {
				roots = append(roots, fn)
			}
		}
	}
	var graph *callgraph.Graph
	method := "variable type analysis"
	if free := execution.FreeMemory(); free > 0 && free < smallMemory {
		graph, method = rta.Analyze(roots, true).CallGraph, "rapid type analysis, as memory is short"
	} else {
		graph = vta.CallGraph(all, cha.CallGraph(p.ssa))
	}
	p.calls = graph
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		if n := graph.Nodes[fn]; n != nil {
			for _, e := range n.Out {
				visit(e.Callee.Func)
			}
		}
		for _, anonymous := range fn.AnonFuncs {
			visit(anonymous)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	fns := make([]*ssa.Function, 0, len(seen))
	for fn := range seen {
		fns = append(fns, fn)
	}
	slices.SortFunc(fns, func(a, b *ssa.Function) int {
		if c := strings.Compare(a.String(), b.String()); c != 0 {
			return c
		}
		return int(a.Pos() - b.Pos())
	})
	return fns, method
}

// packageOf returns the path of the package that a function belongs to, that
// of the generic function for an instance.
func packageOf(fn *ssa.Function) string {
	for f := fn; f != nil; f = f.Parent() {
		if f.Pkg != nil {
			return f.Pkg.Pkg.Path()
		}
		if o := f.Origin(); o != nil && o.Pkg != nil {
			return o.Pkg.Pkg.Path()
		}
	}
	return ""
}

func (p *program) isStd(fn *ssa.Function) bool {
	path := packageOf(fn)
	return path == "" || p.std[path]
}

// runtimeName is the name of a function as the run-time system writes it.
func runtimeName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		i := slices.Index(parent.AnonFuncs, fn)
		sep := ".func"
		if parent.Parent() != nil {
			sep = "."
		}
		return fmt.Sprintf("%s%s%d", runtimeName(parent), sep, i+1)
	}
	name := fn.String()
	if o := fn.Origin(); o != nil {
		name = o.String() + "[...]"
	}
	if path := packageOf(fn); path != "" && fn.Pkg != nil && fn.Pkg.Pkg.Name() == "main" {
		name = strings.Replace(name, path+".", "main.", 1)
	}
	if strings.HasPrefix(name, "(*") { // (*path.Type).Method → path.(*Type).Method
		if i := strings.Index(name, ")"); i > 0 {
			t := name[2:i]
			if dot := strings.LastIndexByte(t, '.'); dot > 0 {
				return t[:dot] + ".(*" + t[dot+1:] + ")" + name[i+1:]
			}
		}
	}
	if strings.HasPrefix(name, "(") {
		return strings.Replace(strings.TrimPrefix(name, "("), ")", "", 1)
	}
	return name
}

// frame is the place of an instruction.
func (p *program) frame(fn *ssa.Function, pos token.Pos) trace.Frame {
	at := p.ssa.Fset.Position(pos)
	return trace.Frame{Function: runtimeName(fn), File: at.Filename, Line: at.Line}
}
