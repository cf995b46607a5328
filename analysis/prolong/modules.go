package prolong

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/golang/instrument"
)

// Granularity is what a module is.
type Granularity string

// Granularities of modules.
const (
	Function Granularity = "function"
	File     Granularity = "file"
	Package  Granularity = "package"
)

// structure is what the source says about modules.
type structure struct {
	names   []string
	calls   [][]bool
	callers []map[int]bool // modules that call directly
	// site is a place where a lock is acquired, or a channel used that may be one: the lock as the
	// source writes it, with its package or type.
	site   func(number int) string
	module map[*ast.FuncDecl]int // of a Go program
}

// moduleName returns the module of a declared function.
func moduleName(p *instrument.Program, pkg *packages.Package, d *ast.FuncDecl, by Granularity) string {
	function := instrument.Function(pkg, d)
	path := pkg.PkgPath
	if pkg.Name == "main" {
		path = "main"
	}
	switch by {
	case Package:
		return path
	case File:
		return path + "/" + filepath.Base(p.Fset.Position(d.Pos()).Filename)
	case Function:
	}
	return function
}

// study finds the modules of a program, who calls whom, and where locks are
// acquired. Functions for which keep is false belong to no module.
func study(p *instrument.Program, by Granularity, keep func(name string) bool) *structure {
	s := &structure{module: map[*ast.FuncDecl]int{}}
	index := map[string]int{}
	functions := map[types.Object]*ast.FuncDecl{}
	p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		functions[pkg.TypesInfo.Defs[d.Name]] = d
		name := moduleName(p, pkg, d, by)
		if d.Name.Name == "main" && pkg.Name == "main" && d.Recv == nil || d.Name.Name == "init" && d.Recv == nil || !keep(name) {
			return
		}
		if _, ok := index[name]; !ok {
			index[name] = len(s.names)
			s.names = append(s.names, name)
		}
		s.module[d] = index[name]
	})
	direct := map[*ast.FuncDecl]map[*ast.FuncDecl]bool{}
	p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		direct[d] = map[*ast.FuncDecl]bool{}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if callee := functions[origin(pkg.TypesInfo.Uses[id])]; callee != nil {
					direct[d][callee] = true
				}
			}
			return true
		})
	})
	link(s, s.module, direct)
	return s
}

// origin is the generic function of an instance.
func origin(o types.Object) types.Object {
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

// link fills calls and callers from the calls of functions; functions outside
// of all modules pass calls on.
func link[F comparable](s *structure, module map[F]int, direct map[F]map[F]bool) {
	n := len(s.names)
	s.calls, s.callers = make([][]bool, n), make([]map[int]bool, n)
	for i := range n {
		s.calls[i], s.callers[i] = make([]bool, n), map[int]bool{}
	}
	for d, from := range module {
		seen := map[F]bool{d: true}
		queue := []F{d}
		for len(queue) > 0 {
			next := slices.Collect(maps.Keys(direct[queue[0]]))
			queue = queue[1:]
			for _, callee := range next {
				if seen[callee] {
					continue
				}
				seen[callee] = true
				queue = append(queue, callee)
				if to, ok := module[callee]; ok && to != from {
					s.calls[from][to] = true
					if direct[d][callee] {
						s.callers[to][from] = true
					}
				}
			}
		}
	}
}

// saw adds the calls that a run showed, where the program itself does not tell.
func (s *structure) saw(calls [][2]int) {
	if len(calls) == 0 {
		return
	}
	module, direct := map[int]int{}, map[int]map[int]bool{}
	for i := range s.names {
		module[i], direct[i] = i, map[int]bool{}
	}
	for _, c := range calls {
		direct[c[0]][c[1]] = true
	}
	link(s, module, direct)
}

// instrument inserts the probes of all modules, and of operations on locks in
// the whole program: a module may acquire them in what it calls.
func (s *structure) instrument(p *instrument.Program) {
	var sites []string
	s.site = func(number int) string { return sites[number] }
	p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		if id, ok := s.module[d]; ok {
			p.Insert(d.Body.Lbrace+1, fmt.Sprintf(" defer %s.Exit(%d, %s.Enter(%d));", instrument.ProbeName, id, instrument.ProbeName, id))
		}
		for _, o := range operations(pkg, d) {
			call := fmt.Sprintf("%s.Done(%d, %d, %s);", instrument.ProbeName, len(sites), o.kind, o.object)
			if o.later {
				call = "defer " + call
			} else {
				call = ";" + call
			}
			p.Insert(o.behind, call)
			sites = append(sites, o.text)
		}
	})
}

// lockName names a lock: a variable with its package or function, a field with
// its type.
func lockName(pkg *packages.Package, function string, x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if s := pkg.TypesInfo.Selections[x]; s != nil {
			t := s.Recv()
			if pointer, ok := t.Underlying().(*types.Pointer); ok {
				t = pointer.Elem()
			}
			return types.TypeString(t, func(p *types.Package) string { return p.Name() }) + "." + x.Sel.Name
		}
		return types.ExprString(x)
	case *ast.Ident:
		if o := pkg.TypesInfo.Uses[x]; o != nil && o.Parent() == pkg.Types.Scope() {
			return pkg.Name + "." + x.Name
		}
		return function + "." + x.Name
	}
	return types.ExprString(x)
}

// address returns an expression for a pointer to the lock whose method is
// selected, the embedded one of a struct.
func address(pkg *packages.Package, selector *ast.SelectorExpr) string {
	if !pure(selector.X) {
		return ""
	}
	text := types.ExprString(selector.X)
	selection := pkg.TypesInfo.Selections[selector]
	if selection == nil {
		return ""
	}
	t := selection.Recv()
	for _, field := range selection.Index()[:len(selection.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		text += "." + structure.Field(field).Name()
		t = structure.Field(field).Type()
	}
	switch t.Underlying().(type) {
	case *types.Pointer:
		return text
	case *types.Interface:
		return text
	}
	return "&" + text
}

// pure reports whether an expression can be evaluated once more.
func pure(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return pure(x.X)
	case *ast.ParenExpr:
		return pure(x.X)
	case *ast.StarExpr:
		return pure(x.X)
	case *ast.IndexExpr:
		return pure(x.X) && pure(x.Index)
	case *ast.BinaryExpr:
		return x.Op != token.LAND && x.Op != token.LOR && pure(x.X) && pure(x.Y)
	}
	return false
}

// lockNames joins the names under which one lock is known.
func lockNames(names []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), " = ")
}
