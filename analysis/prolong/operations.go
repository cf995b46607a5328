package prolong

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/golang/instrument"
)

// operation is a statement that acquires or releases a lock, or that uses a
// channel, which is a lock for those who both send and receive.
type operation struct {
	behind token.Pos // where it has been done; of a deferred one, before it, to be deferred too
	later  bool      // deferred
	kind   kind
	text   string // the lock as the source writes it, with its package or type
	object string // expression of a pointer to the lock, or of the channel
}

// kind is that of an operation, as the probe has it.
type kind int

const (
	lock kind = iota
	send
	receive
	unlock
)

// operations returns the operations of a function, closures included, on locks
// of package sync and on channels, if their operand can be evaluated twice.
func operations(pkg *packages.Package, d *ast.FuncDecl) []operation {
	var out []operation
	function := instrument.Function(pkg, d)
	add := func(s ast.Stmt, behind token.Pos) {
		if o, ok := operationOf(pkg, function, s); ok {
			if o.behind = behind; o.later {
				o.behind = s.Pos()
			}
			out = append(out, o)
		}
	}
	list := func(statements []ast.Stmt) {
		for _, s := range statements {
			add(s, s.End())
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			if n.Comm != nil {
				add(n.Comm, n.Colon+1)
			}
			list(n.Body)
		}
		return true
	})
	return out
}

// operationOf returns the operation that a statement is.
func operationOf(pkg *packages.Package, function string, s ast.Stmt) (operation, bool) {
	channel := func(x ast.Expr, k kind) (operation, bool) {
		return operation{kind: k, text: lockName(pkg, function, x), object: types.ExprString(x)}, pure(x)
	}
	switch s := s.(type) {
	case *ast.SendStmt:
		return channel(s.Chan, send)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			if x, ok := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr); ok && x.Op == token.ARROW && !assigns(s, x.X) {
				return channel(x.X, receive)
			}
		}
	case *ast.ExprStmt:
		switch x := ast.Unparen(s.X).(type) {
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				return channel(x.X, receive)
			}
		case *ast.CallExpr:
			return called(pkg, function, x)
		}
	case *ast.DeferStmt:
		o, ok := called(pkg, function, s.Call)
		o.later = true
		return o, ok
	}
	return operation{}, false
}

// methods are those of package sync that acquire and release locks.
var methods = map[string]kind{"Lock": lock, "RLock": lock, "Unlock": unlock, "RUnlock": unlock}

// called returns the operation of a call of a method of package sync.
func called(pkg *packages.Package, function string, call *ast.CallExpr) (operation, bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return operation{}, false
	}
	kind, ok := methods[selector.Sel.Name]
	if !ok {
		return operation{}, false
	}
	if f, ok := pkg.TypesInfo.Uses[selector.Sel].(*types.Func); !ok || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return operation{}, false
	}
	o := operation{kind: kind, text: lockName(pkg, function, selector.X), object: address(pkg, selector)}
	return o, o.object != ""
}

// assigns reports whether an assignment gives a name of an expression another
// value: what it says afterwards is something else.
func assigns(s *ast.AssignStmt, x ast.Expr) bool {
	names := map[string]bool{}
	for _, left := range s.Lhs {
		if id, ok := left.(*ast.Ident); ok {
			names[id.Name] = true
		}
	}
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] {
			found = true
		}
		return true
	})
	return found
}
