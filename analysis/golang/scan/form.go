package scan

import (
	"cmp"
	"go/constant"
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"tierscope/core"
)

// form is how a number depends on the setting that it comes from.
type form struct {
	core.Linear
	loose bool   // on other things too
	flag  string // only if this flag is not given: it is its default value
}

// number returns the value of a constant.
func number(v ssa.Value) (float64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int && c.Value.Kind() != constant.Float {
		return 0, false
	}
	x, _ := constant.Float64Val(c.Value)
	return x, true
}

// vague is a number that depends on more than the setting.
func (a form) vague() form { return form{loose: true, flag: a.flag} }

func (a form) unlessGiven(flag string) form {
	a.flag = flag
	return a
}

// plus returns a + k.
func (a form) plus(k float64) form {
	return a.each(func(v float64) float64 { return v + k })
}

// times returns k·a, for k > 0.
func (a form) times(k float64) form {
	if !a.loose {
		a.Factor = k * cmp.Or(a.Factor, 1)
	}
	return a.each(func(v float64) float64 { return v * k })
}

// each applies f to everything that is added or a bound.
func (a form) each(f func(float64) float64) form {
	if a.loose {
		return a
	}
	a.Offset = f(a.Offset)
	if a.Min != 0 {
		a.Min = f(a.Min)
	}
	if a.Max != 0 {
		a.Max = f(a.Max)
	}
	return a
}

// within returns what "min" or "max" of a and a constant is.
func (a form) within(function string, k float64) form {
	switch {
	case a.loose:
	case function == "min" && (a.Max == 0 || k < a.Max):
		a.Max = k
	case function == "max" && k > a.Min:
		a.Min = k
	}
	return a
}

// joined is the form after the branches of
//
//	if x > 8 { x = 8 }
//
// have come together: a number that a constant replaces where a comparison with
// that constant, or its neighbour, holds is bounded by it.
func (a form) joined(x ssa.Value, phi *ssa.Phi) form {
	for _, e := range phi.Edges {
		k, constant := number(e)
		if !constant || k == 0 {
			continue
		}
		for _, r := range *x.Referrers() {
			test, ok := r.(*ssa.BinOp)
			if !ok || test.X != x || !test.Block().Dominates(phi.Block()) {
				continue
			}
			if c, constant := number(test.Y); !constant || math.Abs(c-k) > 1 {
				continue
			}
			switch test.Op {
			case token.GTR, token.GEQ:
				return a.within("min", k)
			case token.LSS, token.LEQ, token.EQL:
				return a.within("max", k)
			}
		}
	}
	return a
}

// rounds is how often the loop goes round that ends by the comparison:
// for i := 0; i < x.
func (a form) rounds(x ssa.Value, test *ssa.BinOp) form {
	other := test.X
	if other == x {
		other = test.Y
	}
	if phi, ok := other.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if start, constant := number(e); constant {
				a = a.plus(-start)
			}
		}
	}
	if test.Op == token.LEQ && test.Y == x || test.Op == token.GEQ && test.X == x {
		return a.plus(1)
	}
	return a
}
