package scan

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// repeats lists the places that start threads of which each does a certain amount
// of work, however many there are: all loops of the function that they run count
// to a constant or to a setting that does not decide how many threads there are,
//
//	for range *clients {
//		go func() { for i := 0; i < *requests; i++ { … } }()
//	}
func (p *program) repeats(reached []*ssa.Function, flows []*flow) []trace.Frame {
	var out []trace.Frame
	for _, fn := range reached {
		if p.isStd(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				pos, ok := p.spawnIn(in)
				if !ok {
					continue
				}
				at := p.frame(fn, pos)
				deciding := slices.DeleteFunc(slices.Clone(flows), func(f *flow) bool { return !f.decides(at) })
				shared := slices.ContainsFunc(deciding, (*flow).divides)
				body := bodyOf(in)
				if !shared && body != nil && p.repeated(body, flows, deciding, 0) && !slices.Contains(out, at) {
					out = append(out, at)
				}
			}
		}
	}
	return out
}

// decides reports whether the setting is how many threads are started at a place.
func (f *flow) decides(at trace.Frame) bool {
	return slices.ContainsFunc(f.uses, func(u trace.SettingUse) bool { return u.Kind == trace.UseSpawn && u.Frame == at })
}

// divides reports whether something is shared out by the setting.
func (f *flow) divides() bool {
	return slices.ContainsFunc(f.uses, func(u trace.SettingUse) bool {
		return u.Kind == trace.UseDivisor || u.Kind == trace.UseStride
	})
}

// bodyOf is the function that a started thread runs, nil if the text does not
// tell.
func bodyOf(in ssa.Instruction) *ssa.Function {
	c := in.(ssa.CallInstruction).Common()
	if _, ok := in.(*ssa.Go); ok {
		return c.StaticCallee()
	}
	for _, a := range c.Args {
		switch v := a.(type) {
		case *ssa.MakeClosure:
			return v.Fn.(*ssa.Function)
		case *ssa.Function:
			return v
		}
	}
	return nil
}

// mostCalls is how deep the loops of a thread are looked for.
const mostCalls = 3

// repeated reports whether a function has loops and all outermost ones count to
// what is the same for any number of threads. One without loops may leave that to
// a function that it calls.
func (p *program) repeated(fn *ssa.Function, flows, deciding []*flow, depth int) bool {
	found := false
	var calls []*ssa.Function
	loops := loopBlocks(fn)
	for _, b := range fn.Blocks {
		if loops[b] {
			if head := headOf(b, loops); head != b {
				continue
			} else if !fixed(head, flows, deciding) {
				return false
			}
			found = true
			continue
		}
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if f := c.Common().StaticCallee(); f != nil && !p.isStd(f) && f != fn {
					calls = append(calls, f)
				}
			}
		}
	}
	if found || depth == mostCalls {
		return found
	}
	return slices.ContainsFunc(calls, func(f *ssa.Function) bool { return p.repeated(f, flows, deciding, depth+1) })
}

// headOf is the first block of the outermost loop that b is in.
func headOf(b *ssa.BasicBlock, loops map[*ssa.BasicBlock]bool) *ssa.BasicBlock {
	for d := b.Idom(); d != nil && loops[d] && reaches(b, d); d = d.Idom() {
		b = d
	}
	return b
}

// fixed reports whether a loop counts from a constant to what is the same for any
// number of threads, by a test before or after each round.
func fixed(head *ssa.BasicBlock, flows, deciding []*flow) bool {
	for _, b := range append([]*ssa.BasicBlock{head}, head.Preds...) {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !reaches(head, b) {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		switch test.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ:
			if counts(test.X, head) && same(test.Y, flows, deciding) || counts(test.Y, head) && same(test.X, flows, deciding) {
				return true
			}
		}
	}
	return false
}

// counts reports whether v goes from a constant in constant steps.
func counts(v ssa.Value, head *ssa.BasicBlock) bool {
	if step, ok := v.(*ssa.BinOp); ok && (step.Op == token.ADD || step.Op == token.SUB) {
		v = step.X // range over a number adds before it compares
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != head {
		return false
	}
	start := false
	for _, e := range phi.Edges {
		if _, constant := number(e); constant {
			start = true
		} else if step, ok := e.(*ssa.BinOp); !ok || step.X != phi {
			return false
		} else if _, constant := number(step.Y); !constant {
			return false
		}
	}
	return start
}

// same reports whether v has nothing to do with the settings that decide how many
// threads there are: another setting, or, if it is known what decides, a constant.
func same(v ssa.Value, flows, deciding []*flow) bool {
	if _, constant := number(v); constant {
		return len(deciding) > 0
	}
	has := func(f *flow) bool { as, ok := f.seen[v]; return ok && !as.loose }
	return slices.ContainsFunc(flows, has) && !slices.ContainsFunc(deciding, func(f *flow) bool { _, ok := f.seen[v]; return ok })
}
