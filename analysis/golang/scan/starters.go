package scan

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// findStarters finds the functions that start a thread for what they are given to execute, as (*errgroup.Group).Go does: a call
// of one is a go statement of the caller's.
//
//	func (g *group) Go(f func()) {              for range workers {
//		g.wg.Add(1)                                 g.Go(work)      // starts workers threads
//		go func() { defer g.wg.Done(); f() }()      }
//	}
//
// Those that start several or, now and then, none are no starters: how many is their own affair.
func (p *program) findStarters(reached []*ssa.Function) {
	p.starters = map[*ssa.Function]bool{}
	for found := true; found; { // one may start threads by another one
		found = false
		for _, fn := range reached {
			if !p.starters[fn] && !p.isStd(fn) && p.startsGiven(fn) {
				p.starters[fn], found = true, true
			}
		}
	}
}

// startsGiven reports whether a function starts one thread, for a function that is among its parameters.
func (p *program) startsGiven(fn *ssa.Function) bool {
	given := slices.DeleteFunc(slices.Clone(fn.Params), func(v *ssa.Parameter) bool { return !isFunction(v.Type()) })
	if len(given) == 0 {
		return false
	}
	starts := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if _, spawns := p.spawnIn(in); !ok || !spawns || knowledge[calleeName(c.Common())].kind == "timer" {
				continue
			}
			if reaches(b, b) || !always(b) {
				return false
			}
			for _, v := range in.Operands(nil) {
				starts = starts || slices.ContainsFunc(given, func(f *ssa.Parameter) bool { return *v == ssa.Value(f) || captures(*v, f) })
			}
		}
	}
	return starts
}

// always reports whether a block is executed whenever its function is, unless that panics.
func always(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(b.Parent().Blocks, func(end *ssa.BasicBlock) bool {
		_, returns := end.Instrs[len(end.Instrs)-1].(*ssa.Return)
		return returns && !b.Dominates(end)
	})
}

func isFunction(t types.Type) bool {
	_, is := t.Underlying().(*types.Signature)
	return is
}

// captures reports whether a value is a literal of a function that uses a parameter of the one around it.
func captures(v ssa.Value, parameter *ssa.Parameter) bool {
	c, ok := v.(*ssa.MakeClosure)
	return ok && slices.ContainsFunc(c.Bindings, func(b ssa.Value) bool {
		return b == ssa.Value(parameter) || slices.ContainsFunc(*parameter.Referrers(), func(in ssa.Instruction) bool {
			s, ok := in.(*ssa.Store)
			return ok && s.Addr == b
		})
	})
}

// isStarter reports whether a call is of a function that starts a thread for what it is given.
func (p *program) isStarter(c *ssa.CallCommon) bool {
	f := c.StaticCallee()
	return f != nil && p.starters[f] || knowledge[calleeName(c)].op == trace.OpSpawn
}
