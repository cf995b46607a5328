package scan

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

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
	case "os.Getenv":
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
