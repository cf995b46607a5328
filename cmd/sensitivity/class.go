package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// Class is what a number is for.
type Class string

// Classes. Only a threshold decides: it needs a source, and shows what it decides.
const (
	Threshold Class = "threshold"
	Grid      Class = "grid"   // values that are tried, or at which something is kept: as fine as it must be
	Unit      Class = "unit"   // conversion: a power of a thousand, or the half that rounding adds
	Format    Class = "format" // limit of a format, or a number that stands for none: below zero, or beyond any trace
)

// beyondTraces is the least whole number that stands for none, or for never: no trace has
// so many objects, or as many nanoseconds as the square of it.
const beyondTraces = 1 << 32

// formatNames are the ends of names of versions and limits of files.
var formatNames = []string{"Version", "headerLimit"}

// classOf tells what a number is for by how it is written.
func (f *finder) classOf(id string, e ast.Expr) Class {
	if table, ok := e.(*ast.CompositeLit); ok {
		if _, keyed := table.Elts[0].(*ast.KeyValueExpr); keyed {
			return Threshold
		}
		return Grid
	}
	is := f.pkg.TypesInfo.Types[e]
	x, _ := constant.Float64Val(constant.ToFloat(is.Value))
	_, duration := is.Type.(*types.Named)
	_, literal := e.(*ast.BasicLit)
	switch {
	case x < 0, x >= beyondTraces && !duration, literal && f.operand(e, token.SHL, token.SHR), formatName(id):
		return Format
	case literal && f.operand(e, token.MUL, token.QUO) && powerOfThousand(x), literal && x == 0.5 && f.operand(e, token.ADD):
		return Unit
	}
	return Threshold
}

func formatName(id string) bool {
	return slices.ContainsFunc(formatNames, func(end string) bool { return strings.HasSuffix(id, end) })
}

// operand reports whether an expression is an operand of one of the operators.
func (f *finder) operand(e ast.Expr, ops ...token.Token) bool {
	found := false
	ast.Inspect(f.file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.X == e || b.Y == e) {
			found = slices.Contains(ops, b.Op)
		}
		return !found
	})
	return found
}

func powerOfThousand(x float64) bool {
	e := math.Log10(x) / 3
	return x > 0 && e != 0 && math.Abs(e-math.Round(e)) < 1e-9
}
