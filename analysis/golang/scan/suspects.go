package scan

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// Kinds of suspects.
const (
	spinLoop   = "spin loop"
	ownBarrier = "barrier"
)

// suspects finds what looks like a lock of the program's own making.
func (p *program) suspects(fn *ssa.Function) []trace.Suspect {
	var out []trace.Suspect
	if s, ok := p.spins(fn); ok {
		out = append(out, s)
	}
	if s, ok := p.barrier(fn); ok {
		out = append(out, s)
	}
	return out
}

// spins finds a loop that waits for a variable of package sync/atomic to
// change: all that it calls is atomic, a yield or a sleep. No probe sees such
// a wait; it looks like computation.
func (p *program) spins(fn *ssa.Function) (trace.Suspect, bool) {
	for _, b := range fn.Blocks {
		if !reaches(b, b) {
			continue
		}
		atomic, other := ssa.Instruction(nil), false
		for _, c := range fn.Blocks {
			if c != b && !(reaches(b, c) && reaches(c, b)) {
				continue
			}
			for _, in := range c.Instrs {
				switch x := in.(type) {
				case *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Store, *ssa.MapUpdate:
					other = true
				case ssa.CallInstruction:
					switch name := calleeName(x.Common()); {
					case isAtomicWait(name):
						atomic = x
					case name == "runtime.Gosched", name == "time.Sleep":
					default:
						other = true
					}
				}
			}
		}
		if atomic != nil && !other && !counted(headOf(b, loopBlocks(fn))) {
			return trace.Suspect{Frame: p.frame(fn, atomic.Pos()), Kind: spinLoop,
				Reason: "a loop waits for an atomic variable; the wait is taken as computation"}, true
		}
	}
	return trace.Suspect{}, false
}

// counted reports whether a loop counts: one that adds atomic variables up waits
// for none of them.
func counted(head *ssa.BasicBlock) bool {
	branch, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	return ok && (counts(test.X, head) || counts(test.Y, head))
}

// isAtomicWait reports whether a function reads or tries to change an atomic
// variable.
func isAtomicWait(name string) bool {
	if !strings.HasPrefix(name, "sync/atomic.") && !strings.HasPrefix(name, "(*sync/atomic.") {
		return false
	}
	f := name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(f, "Load") || strings.HasPrefix(f, "CompareAndSwap") || strings.HasPrefix(f, "Swap")
}

// barrier finds a barrier made of a mutex, a condition variable and a
// counter: a function that waits in a loop and broadcasts. The build looks
// whether the run shows its size.
func (p *program) barrier(fn *ssa.Function) (trace.Suspect, bool) {
	var wait, broadcast ssa.Instruction
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if x, ok := in.(ssa.CallInstruction); ok {
				switch calleeName(x.Common()) {
				case "(*sync.Cond).Wait":
					if reaches(b, b) {
						wait = x
					}
				case "(*sync.Cond).Broadcast":
					broadcast = x
				}
			}
		}
	}
	if wait == nil || broadcast == nil {
		return trace.Suspect{}, false
	}
	return trace.Suspect{Frame: p.frame(fn, wait.Pos()), Kind: ownBarrier,
		Reason: "a function that waits for a condition in a loop and broadcasts it"}, true
}
