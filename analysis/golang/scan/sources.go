package scan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// reading is a setting and the value that holds it.
type reading struct {
	trace.Setting
	value ssa.Value
}

// readings are the settings that an instruction reads. One that asks the environment for a name that its function was given
// reads one for each call with a name:
//
//	func setting(name string, otherwise int) int { n, err := strconv.Atoi(os.Getenv(name)); …; return otherwise }
func (p *program) readings(in ssa.Instruction) (out []reading) {
	if s, from := source(in); from != nil {
		return []reading{{s, from}}
	}
	c, ok := in.(*ssa.Call)
	if !ok || !asksEnvironment(c) {
		return nil
	}
	name, ok := c.Common().Args[0].(*ssa.Parameter)
	node := p.calls.Nodes[in.Parent()]
	if !ok || node == nil {
		return nil
	}
	at := slices.Index(in.Parent().Params, name)
	for _, e := range node.In {
		call, ok := e.Site.(*ssa.Call)
		if !ok || call.Common().StaticCallee() != in.Parent() {
			continue
		}
		if text := constantOf(call.Common().Args[at]); text != unknown {
			out = append(out, reading{trace.Setting{Name: text, Env: true, Initial: otherwise(in.Parent(), call)}, call})
		}
	}
	return out
}

// asksEnvironment reports whether a call asks for a variable of the environment.
func asksEnvironment(c *ssa.Call) bool {
	name := calleeName(c.Common())
	return name == "os.Getenv" || name == "os.LookupEnv"
}

// otherwise is the number among the arguments of a call that the function returns as it was given; 0: there is none.
func otherwise(fn *ssa.Function, call *ssa.Call) float64 {
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(r.Results) == 0 {
			continue
		}
		of := []ssa.Value{r.Results[0]}
		if phi, ok := of[0].(*ssa.Phi); ok {
			of = phi.Edges
		}
		for _, v := range of {
			if given, ok := v.(*ssa.Parameter); ok {
				if n, ok := number(call.Common().Args[slices.Index(fn.Params, given)]); ok {
					return n
				}
			}
		}
	}
	return 0
}

// source returns the setting that an instruction reads and the value that holds it.
func source(in ssa.Instruction) (trace.Setting, ssa.Value) {
	if word, ok := in.(*ssa.IndexAddr); ok {
		if n, ok := argumentOf(word); ok {
			return trace.Setting{Name: fmt.Sprintf("argument %d", n)}, word
		}
	}
	c, ok := in.(*ssa.Call)
	if !ok {
		return trace.Setting{}, nil
	}
	if f, ok := flagOf(c); ok {
		initial, _ := number(f.initial)
		if f.duration {
			return trace.Setting{Name: f.name, Initial: initial / float64(time.Millisecond), Unit: "ms"}, f.value
		}
		return trace.Setting{Name: f.name, Initial: initial}, f.value
	}
	args := c.Common().Args
	switch calleeName(c.Common()) {
	case "os.Getenv", "os.LookupEnv":
		if name := constantOf(args[0]); name != unknown {
			return trace.Setting{Name: name, Env: true}, c
		}
	case "runtime.NumCPU":
		return trace.Setting{Name: "runtime.NumCPU()", Machine: trace.MachineCPUs}, c
	case "runtime.GOMAXPROCS":
		if n, constant := number(args[0]); constant && n <= 0 { // only asks
			return trace.Setting{Name: "runtime.GOMAXPROCS(0)", Machine: trace.MachineCores}, c
		}
	}
	return trace.Setting{}, nil
}

// argumentOf returns the number of the argument that os.Args[n] is.
func argumentOf(word *ssa.IndexAddr) (n int, ok bool) {
	args, ok := word.X.(*ssa.UnOp)
	if !ok {
		return 0, false
	}
	g, ok := args.X.(*ssa.Global)
	if !ok || g.Pkg.Pkg.Path() != "os" || g.Name() != "Args" {
		return 0, false
	}
	at, constant := number(word.Index)
	return int(at), constant && at >= 1
}

// flagCall is a call that defines a flag that is a number.
type flagCall struct {
	name     string    // with its dashes
	value    ssa.Value // where the number is
	initial  ssa.Value // its default
	duration bool
}

// flagPackages are the packages that define flags: the prefix of their
// functions, the index of the flag's name among the arguments, how a flag is
// written.
var flagPackages = []struct {
	prefix string
	name   int
	dashes string
}{
	{"flag.", 0, "-"},
	{"(*flag.FlagSet).", 1, "-"},
	{"github.com/spf13/pflag.", 0, "--"}, // which cobra uses
	{"(*github.com/spf13/pflag.FlagSet).", 1, "--"},
}

// flagOf returns the flag that a call defines: flag.Int(name, default, usage),
// flag.IntVar(variable, name, default, usage) and their like.
func flagOf(c ssa.CallInstruction) (flagCall, bool) {
	name, args := calleeName(c.Common()), c.Common().Args
	for _, p := range flagPackages {
		kind, ok := strings.CutPrefix(name, p.prefix)
		if !ok {
			continue
		}
		kind, shorthand := strings.CutSuffix(kind, "P") // another argument, after the name
		kind, variable := strings.CutSuffix(kind, "Var")
		switch kind {
		case "Int", "Int64", "Uint", "Uint64", "Float64", "Duration":
		default:
			return flagCall{}, false
		}
		at := p.name
		f := flagCall{value: c.Value(), duration: kind == "Duration"}
		if variable {
			f.value = args[at]
			at++
		}
		text := constantOf(args[at])
		if shorthand {
			at++
		}
		if text == unknown || f.value == nil {
			return flagCall{}, false
		}
		f.name, f.initial = p.dashes+text, args[at+1]
		return f, true
	}
	return flagCall{}, false
}
