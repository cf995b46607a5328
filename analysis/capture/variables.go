package capture

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/golang/instrument"
)

// recorder inserts the probes and remembers what they are about.
type recorder struct {
	p       *instrument.Program
	sites   []string // names of variables
	threads []string // kinds of threads
	only    purpose
	wanted  map[string]bool // names of variables; nil: all
}

// insert instruments the whole program.
func (r *recorder) insert() {
	bodies := map[*ast.FuncDecl]int{} // named functions that go statements start
	declared := map[types.Object]*ast.FuncDecl{}
	r.p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) { declared[pkg.TypesInfo.Defs[d.Name]] = d })
	r.p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		f := function{r, pkg, instrument.Function(pkg, d), d.Body}
		if r.only == steps {
			r.steps(d)
		}
		if isBarrier(d.Body, pkg.TypesInfo) {
			r.mark(d.Body.Lbrace+1, fmt.Sprintf(" defer %s.Passed(1);", instrument.ProbeName))
		}
		f.parameters(d.Type, d.Body)
		f.statements(d.Body, func(callee types.Object, kind int) {
			if target := declared[callee]; target != nil {
				if _, ok := bodies[target]; !ok {
					bodies[target] = kind
					r.mark(measured(target.Body), fmt.Sprintf("; defer %s.Exit(%s.StartRoot(%d));", instrument.ProbeName, instrument.ProbeName, kind))
				}
			}
		})
	})
	for _, pkg := range r.p.Packages {
		if r.variables() {
			r.globals(pkg)
		}
	}
}

// purpose is what a build is for.
type purpose int

const (
	everything  purpose = iota // variables, clocks, accesses to memory
	steps                      // counters of loops and calls, no variables
	bare                       // threads alone, whose instructions a simulator counts
	predictions                // wanted variables, and predictions where threads are about to be created
)

// variables reports whether variables are recorded.
func (r *recorder) variables() bool { return r.only == everything || r.only == predictions }

// mark inserts what measures threads.
func (r *recorder) mark(pos token.Pos, text string) {
	if r.only != predictions {
		r.p.Insert(pos, text)
	}
}

// function is a function whose statements are instrumented.
type function struct {
	*recorder
	pkg  *packages.Package
	name string
	body *ast.BlockStmt
}

func numeric(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0 && b.Info()&types.IsUntyped == 0
}

func (r *recorder) site(name string) int {
	r.sites = append(r.sites, name)
	return len(r.sites) - 1
}

func (r *recorder) set(name, value string) string {
	if r.wanted != nil && !r.wanted[name] {
		return ""
	}
	return fmt.Sprintf(" %s.Set(%d, float64(%s));", instrument.ProbeName, r.site(name), value)
}

func (r *recorder) ref(name, value string) string {
	if r.wanted != nil && !r.wanted[name] {
		return ""
	}
	return fmt.Sprintf(" %s.Ref(%d, func() float64 { return float64(%s) });", instrument.ProbeName, r.site(name), value)
}

// record returns the statements that record a variable: a number, what a
// pointer to a number points at, the length of a slice, the numeric fields of a
// structure.
func (f function) record(text string, t types.Type) string {
	if !f.variables() {
		return ""
	}
	name := f.name + "." + text
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if numeric(t) {
			return f.set(name, text)
		}
	case *types.Slice:
		return f.set(f.name+".len("+text+")", "len("+text+")")
	case *types.Pointer:
		if numeric(u.Elem()) {
			return f.ref(f.name+".*"+text, "*"+text)
		}
		if s, ok := u.Elem().Underlying().(*types.Struct); ok {
			return f.fields(text, s)
		}
	case *types.Struct:
		return f.fields(text, u)
	}
	return ""
}

// fields records the numeric fields of a structure of the program.
func (f function) fields(text string, s *types.Struct) string {
	out := ""
	for field := range s.Fields() {
		if field.Pkg() == nil || !f.own(field.Pkg()) || field.Name() == "_" {
			continue
		}
		switch t := field.Type().Underlying().(type) {
		case *types.Basic:
			if numeric(t) {
				out += f.ref(f.name+"."+text+"."+field.Name(), text+"."+field.Name())
			}
		case *types.Slice:
			out += f.ref(f.name+".len("+text+"."+field.Name()+")", "len("+text+"."+field.Name()+")")
		}
	}
	return out
}

// own reports whether a package's unexported fields can be named here: it is
// this package.
func (f function) own(p *types.Package) bool { return p.Path() == f.pkg.Types.Path() }

func (f function) parameters(t *ast.FuncType, body *ast.BlockStmt) {
	for _, field := range t.Params.List {
		for _, id := range field.Names {
			if o := f.pkg.TypesInfo.Defs[id]; o != nil && id.Name != "_" {
				f.p.Insert(body.Lbrace+1, f.record(id.Name, o.Type()))
			}
		}
	}
}

// variable returns the record of an assigned expression that is a variable or a
// field of one.
func (f function) variable(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		o := f.pkg.TypesInfo.ObjectOf(x)
		if v, ok := o.(*types.Var); ok && x.Name != "_" {
			return f.record(x.Name, v.Type())
		}
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && f.variables() && numeric(f.pkg.TypesInfo.TypeOf(x)) {
			return f.set(f.name+"."+id.Name+"."+x.Sel.Name, id.Name+"."+x.Sel.Name)
		}
	}
	return ""
}

// statements instruments assignments, go statements and joins. started is
// called for named functions that a go statement starts.
func (f function) statements(body *ast.BlockStmt, started func(types.Object, int)) {
	plain := map[ast.Stmt]bool{} // statements of a list: others stand where none can be added
	ast.Inspect(body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			plain[s] = true
		}
		return true
	})
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok || !plain[s] {
			return true
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, x := range s.Lhs {
				f.after(s, f.variable(x))
			}
		case *ast.IncDecStmt:
			f.after(s, f.variable(s.X))
		case *ast.DeclStmt:
			if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						f.after(s, f.declared(id))
					}
				}
			}
		case *ast.GoStmt:
			f.goes(s, s.Call, started)
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				f.call(s, call)
			}
		}
		return true
	})
}

// declared records a variable of a declaration, by reference: flag.IntVar and
// the like set it through a pointer.
func (f function) declared(id *ast.Ident) string {
	o := f.pkg.TypesInfo.Defs[id]
	if o == nil || id.Name == "_" {
		return ""
	}
	if numeric(o.Type()) && f.variables() {
		return f.ref(f.name+"."+id.Name, id.Name)
	}
	return f.record(id.Name, o.Type())
}

func (f function) after(s ast.Stmt, text string) {
	if text != "" {
		f.p.Insert(s.End(), ";"+strings.TrimSuffix(text, ";"))
	}
}

// call recognises joins and threads that a method starts.
func (f function) call(s *ast.ExprStmt, call *ast.CallExpr) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	method, ok := f.pkg.TypesInfo.Uses[selector.Sel].(*types.Func)
	if !ok || method.Pkg() == nil || !slices.Contains([]string{"sync", "golang.org/x/sync/errgroup"}, method.Pkg().Path()) {
		return
	}
	switch {
	case method.Name() == "Wait" && strings.Contains(method.FullName(), "Group)"):
		f.mark(s.End(), fmt.Sprintf("; %s.Joined(); %s.Passed(0)", instrument.ProbeName, instrument.ProbeName))
	case method.Name() == "Go" && len(call.Args) == 1:
		if literal, ok := call.Args[0].(*ast.FuncLit); ok {
			kind := f.kind(s)
			f.predict(s, kind)
			f.thread(s, literal, kind)
		}
	}
}

// kind returns the number of a new kind of thread.
func (f function) kind(s ast.Stmt) int {
	at := f.p.Fset.Position(s.Pos())
	f.recorder.threads = append(f.recorder.threads, fmt.Sprintf("%s:%s:%d", f.name, filepath.Base(at.Filename), at.Line))
	return len(f.recorder.threads) - 1
}

// thread instruments the body of a thread.
func (f function) thread(s ast.Stmt, literal *ast.FuncLit, kind int) {
	f.mark(s.Pos(), fmt.Sprintf("%s.Created(%d); ", instrument.ProbeName, kind))
	f.mark(measured(literal.Body), fmt.Sprintf("; defer %s.Exit(%s.Start(%d));", instrument.ProbeName, instrument.ProbeName, kind))
}

// measured returns where the measurement of a thread begins: behind the first
// defer statements of its body, so that it ends before they tell others that
// the thread has ended.
func measured(body *ast.BlockStmt) token.Pos {
	at := body.Lbrace + 1
	for _, s := range body.List {
		if _, ok := s.(*ast.DeferStmt); !ok {
			break
		}
		at = s.End()
	}
	return at
}

// goes instruments a go statement.
func (f function) goes(s ast.Stmt, call *ast.CallExpr, started func(types.Object, int)) {
	kind := f.kind(s)
	f.predict(s, kind)
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		f.thread(s, fun, kind)
		return
	case *ast.Ident:
		started(f.pkg.TypesInfo.Uses[fun], kind)
	case *ast.SelectorExpr:
		started(f.pkg.TypesInfo.Uses[fun.Sel], kind)
	}
	f.mark(s.Pos(), fmt.Sprintf("%s.Created(%d); ", instrument.ProbeName, kind))
}

// globals records the numeric variables of a package.
func (r *recorder) globals(pkg *packages.Package) {
	for _, file := range pkg.Syntax {
		text := ""
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					o := pkg.TypesInfo.Defs[id]
					if o == nil || id.Name == "_" {
						continue
					}
					f := function{r, pkg, pkg.Name, nil}
					switch u := o.Type().Underlying().(type) {
					case *types.Basic:
						if numeric(o.Type()) {
							text += r.ref(pkg.Name+"."+id.Name, id.Name)
						}
					case *types.Pointer:
						if numeric(u.Elem()) {
							text += r.ref(pkg.Name+".*"+id.Name, "*"+id.Name)
						}
					case *types.Slice:
						text += r.ref(pkg.Name+".len("+id.Name+")", "len("+id.Name+")")
					case *types.Struct:
						text += f.fields(id.Name, u)
					}
				}
			}
		}
		if text != "" && len(file.Decls) > 0 {
			r.p.Insert(file.Decls[len(file.Decls)-1].End(), "; func init() {"+text+" }")
		}
	}
}
