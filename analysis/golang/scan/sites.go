package scan

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// unknown stands for an argument whose value only the run tells.
const unknown = "?"

// sites lists the operations in a function's body.
func (p *program) sites(fn *ssa.Function) []trace.FactSite {
	var out []trace.FactSite
	loops := loopBlocks(fn)
	add := func(in ssa.Instruction, op trace.Op, kind string, args ...string) {
		if !in.Pos().IsValid() {
			return
		}
		called := p.called
		if op == trace.OpSpawn {
			called = p.started
		}
		out = append(out, trace.FactSite{Frame: p.frame(fn, in.Pos()), Op: op.String(), Class: string(op.Class()),
			Kind: kind, Name: called(in.Pos()), Args: args, InLoop: loops[in.Block()]})
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Send:
				add(x, trace.OpSend, "channel")
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					add(x, trace.OpReceive, "channel")
				}
			case *ssa.Select:
				add(x, trace.OpSelect, "channel")
			case *ssa.MakeChan:
				add(x, trace.OpMake, "channel", constantOf(x.Size))
			case *ssa.Go:
				add(x, trace.OpSpawn, "", calleeName(x.Common()))
			case *ssa.Alloc:
				if kind := lockIn(x.Type().Underlying().(*types.Pointer).Elem(), 0); kind != "" {
					add(x, trace.OpMake, kind)
				}
			case ssa.CallInstruction:
				p.call(x, add)
			}
		}
	}
	return out
}

// call adds the operation that a call is, if it is one.
func (p *program) call(x ssa.CallInstruction, add func(ssa.Instruction, trace.Op, string, ...string)) {
	c := x.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			add(x, trace.OpClose, "channel")
		}
		return
	}
	m, ok := knowledge[calleeName(c)]
	if !ok {
		if p.isStarter(c) {
			add(x, trace.OpSpawn, "")
		}
		return
	}
	args := c.Args
	i := m.arg
	if c.IsInvoke() {
		i-- // the receiver is not among the arguments
	}
	if i >= 0 && i < len(args) {
		add(x, m.op, m.kind, constantOf(args[i]))
		return
	}
	add(x, m.op, m.kind)
}

// calleeName is the function that is called, as knowledge names it; "" if it
// is not known.
func calleeName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return "(" + c.Value.Type().String() + ")." + c.Method.Name()
	}
	f := c.StaticCallee()
	if f == nil {
		return ""
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.String()
}

func constantOf(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if c.Value.Kind() == constant.String {
			return constant.StringVal(c.Value)
		}
		return c.Value.ExactString()
	}
	return unknown
}

// lockIn names the lock that a type is or holds as a field, "" if none.
func lockIn(t types.Type, depth int) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		switch name := n.Obj().Name(); name {
		case "Mutex", "RWMutex", "WaitGroup", "Cond", "Once":
			return strings.ToLower(name)
		}
	}
	const nested = 2 // levels of structs
	if s, ok := t.Underlying().(*types.Struct); ok && depth < nested {
		for f := range s.Fields() {
			if kind := lockIn(f.Type(), depth+1); kind != "" {
				return kind
			}
		}
	}
	return ""
}

// loopBlocks returns the blocks that lie on a cycle.
func loopBlocks(fn *ssa.Function) map[*ssa.BasicBlock]bool {
	in := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		in[b] = reaches(b, b)
	}
	return in
}

// reaches reports whether control can go from a to b by at least one edge.
func reaches(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), a.Succs...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x] {
			seen[x] = true
			work = append(work, x.Succs...)
		}
	}
	return false
}
