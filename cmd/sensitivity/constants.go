package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module is the path of the module that is looked at.
const module = "tierscope"

// rooms are the packages between a front end and a model.
var rooms = []string{"analysis", "analysis/trace", "analysis/trail", "analysis/normalise", "analysis/pools", "analysis/ownership", "analysis/tasks",
	"analysis/guards", "analysis/waits", "analysis/demand", "analysis/pcg", "analysis/settings", "analysis/assemble", "analysis/trust", "calibrate"}

// Constant is a number in the source.
type Constant struct {
	ID      string // package and name; of a number without a name the function and the number
	Package string // without the module
	Value   string // as the source has it
	Class   Class
	Comment string // that explains it

	file  string // absolute
	spots []spot // of the source; several for a table, and a number that a function has several times
}

// Decides reports whether a constant is a choice that has a source and a weight.
func (c Constant) Decides() bool { return c.Class == Threshold || c.Class == Grid }

// spot is a piece of a file.
type spot struct {
	from, to int // offsets
	value    constant.Value
}

// Find returns the numbers of the rooms below dir, the root of the module, sorted by ID:
// named constants, tables of numbers, and numbers in conditions and limits (min, max) of
// functions, other than 0, 1 and 2.
func Find(dir string, env, rooms []string) ([]Constant, error) {
	patterns := make([]string, len(rooms))
	for i, r := range rooms {
		patterns[i] = module + "/" + r
	}
	list, err := packages.Load(&packages.Config{Dir: dir, Env: env,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var all []Constant
	var errs []error
	for _, p := range list {
		for _, e := range p.Errors {
			errs = append(errs, e)
		}
		for _, file := range p.Syntax {
			f := finder{pkg: p, room: strings.TrimPrefix(p.PkgPath, module+"/"), file: file, named: map[ast.Node]bool{}}
			all = append(all, f.find()...)
		}
	}
	slices.SortFunc(all, func(a, b Constant) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(all); i++ {
		if all[i].ID == all[i-1].ID {
			errs = append(errs, fmt.Errorf("two numbers are %s", all[i].ID))
		}
	}
	return all, errors.Join(errs...)
}

// finder looks at one file.
type finder struct {
	pkg   *packages.Package
	room  string
	file  *ast.File
	named map[ast.Node]bool // literals in the value of a constant or table
	found []Constant
}

func (f *finder) find() []Constant {
	for _, d := range f.file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			f.declared(d, "")
		case *ast.FuncDecl:
			f.function(d)
		}
	}
	return f.found
}

// function finds what a function declares, and numbers without a name in it.
func (f *finder) function(d *ast.FuncDecl) {
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.DeclStmt); ok {
			f.declared(s.Decl.(*ast.GenDecl), nameOf(d)+".")
		}
		return true
	})
	inline := map[string]int{} // index in found
	add := func(e ast.Expr) {
		for _, l := range f.literals(e) {
			value := f.pkg.TypesInfo.Types[l].Value
			if f.named[l] || plain(value) {
				continue
			}
			f.named[l] = true
			id := fmt.Sprintf("%s.%s %s", f.room, nameOf(d), l.Value)
			at, seen := inline[id]
			if !seen {
				at = len(f.found)
				inline[id] = at
				f.found = append(f.found, f.constant(id, l, l.Value, f.commentAt(l)))
			}
			f.found[at].spots = append(f.found[at].spots, f.spot(l))
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if comparison(n.Op) {
				add(n.X)
				add(n.Y)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				add(e)
			}
		case *ast.RangeStmt:
			add(n.X)
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "min" || name.Name == "max") {
				for _, e := range n.Args {
					add(e)
				}
			}
		}
		return true
	})
}

// declared finds named constants and tables; scope is the function, with a dot.
func (f *finder) declared(d *ast.GenDecl, scope string) {
	for _, s := range d.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) {
			continue // of an enumeration, or without a value
		}
		for i, name := range spec.Names {
			id := f.room + "." + scope + name.Name
			comment := d.Doc.Text() + spec.Doc.Text() + spec.Comment.Text()
			switch object := f.pkg.TypesInfo.Defs[name].(type) {
			case *types.Const:
				if quantitative(object.Type()) && !mentionsIota(spec.Values[i]) {
					c := f.constant(id, spec.Values[i], types.ExprString(spec.Values[i]), comment)
					c.spots = []spot{f.spot(spec.Values[i])}
					f.found = append(f.found, c)
				}
			case *types.Var:
				if table, ok := spec.Values[i].(*ast.CompositeLit); ok && d.Tok == token.VAR && scope == "" && f.numbers(table) {
					f.found = append(f.found, f.tableOf(id, table, comment))
				}
			}
			for _, l := range f.literals(spec.Values[i]) {
				f.named[l] = d.Tok == token.CONST
			}
		}
	}
}

// tableOf is a table of numbers: by index, where the elements have keys, otherwise a grid.
func (f *finder) tableOf(id string, table *ast.CompositeLit, comment string) Constant {
	c := f.constant(id, table, tableOf(len(table.Elts)), comment)
	for _, e := range table.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		c.spots = append(c.spots, f.spot(e))
	}
	return c
}

func (f *finder) constant(id string, e ast.Expr, value, comment string) Constant {
	return Constant{ID: id, Package: f.room, Value: value, Class: f.classOf(id, e), Comment: strings.Join(strings.Fields(comment), " "),
		file: f.position(e.Pos()).Filename}
}

func (f *finder) spot(e ast.Expr) spot {
	return spot{f.position(e.Pos()).Offset, f.position(e.End()).Offset, f.pkg.TypesInfo.Types[e].Value}
}

// literals are the number literals in an expression, without those of functions in it.
func (f *finder) literals(e ast.Expr) []*ast.BasicLit {
	var out []*ast.BasicLit
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && (l.Kind == token.INT || l.Kind == token.FLOAT) {
			out = append(out, l)
		}
		_, function := n.(*ast.FuncLit)
		return !function
	})
	return out
}

// numbers reports whether a table has numbers only.
func (f *finder) numbers(table *ast.CompositeLit) bool {
	for _, e := range table.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		if is := f.pkg.TypesInfo.Types[e]; is.Value == nil || !quantitative(is.Type) {
			return false
		}
	}
	return len(table.Elts) > 0
}

// commentAt is the comment on the line of a number, or that ends on the line above.
func (f *finder) commentAt(n ast.Node) string {
	line := f.position(n.Pos()).Line
	text := ""
	for _, g := range f.file.Comments {
		if f.position(g.Pos()).Line == line || f.position(g.End()).Line == line-1 {
			text += g.Text()
		}
	}
	return text
}

func (f *finder) position(p token.Pos) token.Position { return f.pkg.Fset.Position(p) }

func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	return types.ExprString(t) + "." + d.Name.Name
}

func comparison(op token.Token) bool {
	return slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}, op)
}

// plain reports whether a number is 0, 1 or 2: none, one, several.
func plain(v constant.Value) bool {
	for n := range int64(3) {
		if v != nil && constant.Compare(v, token.EQL, constant.MakeInt64(n)) {
			return true
		}
	}
	return false
}

// quantitative reports whether a type is that of a quantity: a number, or a duration. Constants of other
// types are names of cases.
func quantitative(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time"
	}
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func mentionsIota(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		found = found || ok && name.Name == "iota"
		return true
	})
	return found
}
