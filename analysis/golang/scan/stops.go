package scan

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// stops finds the loops of a function that are left when a variable of package
// sync/atomic or a context says so, or when it is late enough. No probe sees what
// the loop asks:
//
//	for !stop.Load() { … }
//	for ctx.Err() == nil { … }
//	for time.Since(began) < limit { … }
func (p *program) stops(fn *ssa.Function) []trace.Stop {
	var out []trace.Stop
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 || !reaches(b, b) {
			continue
		}
		test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || reaches(b.Succs[0], b) == reaches(b.Succs[1], b) {
			continue // leaves no loop
		}
		if asked, clock := asks(test.Cond, stopDepth); asked != nil {
			out = append(out, trace.Stop{Frame: p.frame(fn, asked.Pos()), Clock: clock})
		}
	}
	return out
}

// stopDepth is through how many operators a question is looked for.
const stopDepth = 4

// asks returns the call whose result a condition is made of, and whether it is one
// for the time.
func asks(v ssa.Value, depth int) (call *ssa.Call, clock bool) {
	if depth == 0 {
		return nil, false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		return asks(x.X, depth-1)
	case *ssa.BinOp:
		if call, clock = asks(x.X, depth-1); call == nil {
			call, clock = asks(x.Y, depth-1)
		}
		return call, clock
	case *ssa.Call:
		name := calleeName(x.Common())
		switch name {
		case "time.Since", "time.Until", "(time.Time).After", "(time.Time).Before", "(time.Time).Sub", "(time.Time).Compare":
			return x, true
		case "(context.Context).Err":
			return x, false
		}
		if strings.HasPrefix(strings.TrimPrefix(name, "(*"), "sync/atomic.") && strings.Contains(name, "Load") {
			return x, false
		}
		for _, a := range x.Common().Args { // of a method, such as (time.Duration).Seconds
			if call, clock = asks(a, depth-1); clock {
				return call, clock
			}
		}
	}
	return nil, false
}
