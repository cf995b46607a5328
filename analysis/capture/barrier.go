package capture

import (
	"go/ast"
	"go/types"
)

// isBarrier reports whether a function is a barrier made of a condition: some of
// its executions wait for it, and the last one wakes all. In a queue the same
// execution may do both, first one and then the other.
func isBarrier(body *ast.BlockStmt, info *types.Info) bool {
	var wakes, waits [][]ast.Node // the path to each call
	var path []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if call, ok := n.(*ast.CallExpr); ok {
			switch called(call, info) {
			case "(*sync.Cond).Broadcast":
				wakes = append(wakes, append([]ast.Node(nil), path...))
			case "(*sync.Cond).Wait":
				waits = append(waits, append([]ast.Node(nil), path...))
			}
		}
		return true
	})
	for _, wake := range wakes {
		for _, wait := range waits {
			if alternatives(wake, wait) {
				return true
			}
		}
	}
	return false
}

// called is the full name of the function that is called; "" if it is a value.
func called(call *ast.CallExpr, info *types.Info) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if f, ok := info.Uses[s.Sel].(*types.Func); ok {
			return f.FullName()
		}
	}
	return ""
}

// alternatives reports whether an execution makes one of two calls: they stand in
// two branches of a statement, or the first in a branch that ends with a return.
func alternatives(first, second []ast.Node) bool {
	k := 0
	for k < len(first) && k < len(second) && first[k] == second[k] {
		k++
	}
	if k == 0 || k >= len(first) || k >= len(second) {
		return false
	}
	switch split := first[k-1].(type) {
	case *ast.IfStmt:
		return first[k] != split.Cond && second[k] != split.Cond
	case *ast.BlockStmt:
		_, clause := first[k].(*ast.CaseClause) // the block of a switch
		return clause || returns(first[k:]) && first[k].Pos() < second[k].Pos()
	}
	return false
}

// returns reports whether a branch on the path ends with a return statement.
func returns(path []ast.Node) bool {
	for _, n := range path {
		if block, ok := n.(*ast.BlockStmt); ok && len(block.List) > 0 {
			if _, ok := block.List[len(block.List)-1].(*ast.ReturnStmt); ok {
				return true
			}
		}
	}
	return false
}
