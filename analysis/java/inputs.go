package java

import (
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// asks are the methods that give a program a number, or a text that may be one, by a
// name; the name is their first argument and, where there is one, what it is by
// default the second.
var asks = []struct {
	owner, name, desc string
	env               bool
	initial           bool
}{
	{"java/lang/Integer", "getInteger", "(Ljava/lang/String;)", false, false},
	{"java/lang/Integer", "getInteger", "(Ljava/lang/String;I)", false, true},
	{"java/lang/Long", "getLong", "(Ljava/lang/String;)", false, false},
	{"java/lang/Long", "getLong", "(Ljava/lang/String;J)", false, true},
	{"java/lang/System", "getProperty", "(Ljava/lang/String;)", false, false},
	{"java/lang/System", "getProperty", "(Ljava/lang/String;Ljava/lang/String;)", false, true},
	{"java/lang/System", "getenv", "(Ljava/lang/String;)", true, false},
	{"java/util/Map", "getOrDefault", "(Ljava/lang/Object;Ljava/lang/Object;)", true, true}, // of System.getenv()
}

// inputs returns the system properties and variables of the environment that the program
// asks for, with what they are by default. What they decide nobody follows. Those of
// libraries are not asked for by the program.
func (w *world) inputs() (out []trace.Setting) {
	own := w.ownPackages()
	for _, c := range w.classes {
		if isJDK(c.name) || !own[packageOf(c.name)] {
			continue
		}
		for i := range c.file.Methods {
			code, err := c.file.Code(&c.file.Methods[i])
			if err != nil || code == nil {
				continue
			}
			for _, s := range asked(&c.file.Pool, code) {
				if !slices.ContainsFunc(out, func(o trace.Setting) bool { return o.Name == s.Name && o.Env == s.Env }) {
					out = append(out, s)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b trace.Setting) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// asked returns the settings that a method asks for.
func asked(pool *classfile.Pool, code *classfile.Code) (out []trace.Setting) {
	list := code.Instructions()
	for i, in := range list {
		switch in.Op {
		case classfile.OpInvokeStatic, classfile.OpInvokeIface:
		default:
			continue
		}
		owner, name, desc := pool.Method(in.Operand)
		for _, a := range asks {
			if owner != a.owner || name != a.name || !strings.HasPrefix(desc, a.desc) {
				continue
			}
			first := i - 1
			if a.initial {
				first--
			}
			if first < 0 || a.owner == "java/util/Map" && (first == 0 || !callsGetenv(pool, list[first-1])) {
				continue
			}
			text, _, ok := code.Constant(list[first].PC)
			if !ok || text == "" {
				continue
			}
			s := trace.Setting{Name: text, Env: a.env, Unfollowed: true}
			if !a.env {
				s.Name = "-D" + text
			}
			if a.initial {
				words, number, _ := code.Constant(list[i-1].PC)
				if s.Initial = number; words != "" {
					s.Initial, _ = strconv.ParseFloat(words, 64)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// callsGetenv reports whether an instruction asks for the whole environment.
func callsGetenv(pool *classfile.Pool, in classfile.Instruction) bool {
	if in.Op != classfile.OpInvokeStatic {
		return false
	}
	owner, name, desc := pool.Method(in.Operand)
	return owner == "java/lang/System" && name == "getenv" && strings.HasPrefix(desc, "()")
}

// ownPackages returns the packages that classes with a main method are in, and those below.
func (w *world) ownPackages() map[string]bool {
	own := map[string]bool{}
	for _, c := range w.classes {
		for i := range c.file.Methods {
			if m := &c.file.Methods[i]; c.file.Pool.String(m.Name) == "main" && !isJDK(c.name) {
				own[packageOf(c.name)] = true
			}
		}
	}
	for _, c := range w.classes {
		for of := packageOf(c.name); of != ""; of = packageOf(of) {
			if own[of] {
				own[packageOf(c.name)] = true
			}
		}
	}
	return own
}

// packageOf is what comes before the last slash of a name; "" without one.
func packageOf(name string) string { return name[:max(strings.LastIndexByte(name, '/'), 0)] }
