package scan

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// text is a file of the program as it is written.
type text struct {
	file *ast.File
	info *types.Info
}

// texts keeps the files of packages by their names.
func texts(initial []*packages.Package) map[string]text {
	all := map[string]text{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		for _, f := range pkg.Syntax {
			all[pkg.Fset.Position(f.Package).Filename] = text{f, pkg.TypesInfo}
		}
	})
	return all
}

// called is what the text calls the lock or channel that the operation at pos works on, or the
// function that it starts: a variable, or a field with the type that has it ("lru.mu"). "" if it
// has no name: what a function returned, a channel that is made to be passed on, a literal.
func (p *program) called(pos token.Pos) string {
	t, ok := p.texts[p.ssa.Fset.Position(pos).Filename]
	if !ok {
		return ""
	}
	path, _ := astutil.PathEnclosingInterval(t.file, pos, pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.SendStmt:
			return t.name(n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return t.name(n.X)
			}
		case *ast.GoStmt:
			if _, literal := ast.Unparen(n.Call.Fun).(*ast.FuncLit); literal {
				return ""
			}
			return t.name(n.Call.Fun)
		case *ast.RangeStmt:
			return t.name(n.X)
		case *ast.CallExpr:
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.SelectorExpr:
				return t.name(f.X)
			case *ast.Ident:
				if f.Name == "close" && len(n.Args) == 1 {
					return t.name(n.Args[0])
				}
				if f.Name == "make" && i+1 < len(path) {
					return t.target(path[i+1], n)
				}
			}
			return ""
		case *ast.ValueSpec, *ast.AssignStmt: // the variable is the lock, or holds it
			return t.target(n, nil)
		case *ast.BlockStmt:
			return ""
		}
	}
	return ""
}

// target is what a statement stores value in; without a value the only thing that it stores.
func (t text) target(in ast.Node, value ast.Expr) string {
	at := func(values []ast.Expr) int {
		for i, v := range values {
			if v == value {
				return i
			}
		}
		return 0
	}
	switch n := in.(type) {
	case *ast.AssignStmt:
		if i := at(n.Rhs); i < len(n.Lhs) && (value != nil || len(n.Lhs) == 1) {
			return t.name(n.Lhs[i])
		}
	case *ast.ValueSpec:
		if i := at(n.Values); i < len(n.Names) && (value != nil || len(n.Names) == 1) {
			return t.name(n.Names[i])
		}
	case *ast.KeyValueExpr:
		if field, ok := n.Key.(*ast.Ident); ok && n.Value == value {
			return t.field(field)
		}
	}
	return ""
}

// name is the name of what an expression denotes.
func (t text) name(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return ""
		}
		return e.Name
	case *ast.SelectorExpr:
		if s, ok := t.info.Selections[e]; ok {
			return join(typeName(s.Recv()), e.Sel.Name)
		}
		return t.name(e.X) + "." + e.Sel.Name // of a package
	case *ast.IndexExpr:
		return t.name(e.X)
	case *ast.StarExpr:
		return t.name(e.X)
	case *ast.UnaryExpr:
		return t.name(e.X)
	}
	return ""
}

// field is the name of a field where a literal of its type sets it.
func (t text) field(key *ast.Ident) string {
	v, ok := t.info.Uses[key].(*types.Var)
	if !ok || !v.IsField() {
		return ""
	}
	path, _ := astutil.PathEnclosingInterval(t.file, key.Pos(), key.End())
	for _, n := range path {
		if lit, ok := n.(*ast.CompositeLit); ok {
			return join(typeName(t.info.TypeOf(lit)), key.Name)
		}
	}
	return key.Name
}

// join is a field with its type, or alone where that has no name.
func join(of, field string) string {
	if of == "" {
		return field
	}
	return of + "." + field
}

// typeName is the name of a type or of what it points to, "" if it has none.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
