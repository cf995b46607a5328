package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"

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

// around is the text that a position is in, and what encloses it there, from the inside; nothing if the text is not known.
func (p *program) around(pos token.Pos) (text, []ast.Node) {
	t, ok := p.texts[p.ssa.Fset.Position(pos).Filename]
	if !ok {
		return text{}, nil
	}
	path, _ := astutil.PathEnclosingInterval(t.file, pos, pos)
	return t, path
}

// called is what the text calls the lock or channel that the operation at pos works on: a variable, or
// a field with the type that has it ("lru.mu"). "" if it has no name: what a function returned, a
// channel that is made to be passed on.
func (p *program) called(pos token.Pos) string {
	t, path := p.around(pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.SendStmt:
			return t.name(n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return t.name(n.X)
			}
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

// started is what the text calls the function that a statement at pos lets a new thread run: the function
// itself, the variable or field that holds it, or, for a literal, the group that starts it
// ("writers.Go(func() …"). "" for a literal that nothing names.
func (p *program) started(pos token.Pos) string {
	t, path := p.around(pos)
	for _, n := range path {
		switch n := n.(type) {
		case *ast.GoStmt:
			return t.name(n.Call.Fun)
		case *ast.CallExpr:
			for _, arg := range n.Args {
				if _, function := t.info.TypeOf(arg).Underlying().(*types.Signature); function && t.name(arg) != "" {
					return t.name(arg)
				}
			}
			if f, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				return t.group(f.X)
			}
			return ""
		case *ast.BlockStmt:
			return ""
		}
	}
	return ""
}

// group is the name of a group of threads, unless that only repeats what type it has, as wg and g do.
func (t text) group(e ast.Expr) string {
	of := typeName(t.info.TypeOf(e))
	name := t.name(e)
	initials := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, of)
	if of == "" || strings.HasPrefix(strings.ToLower(of), strings.ToLower(name)) || strings.EqualFold(name, initials) { // a package has no type
		return ""
	}
	return name
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
