package java

import (
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// ask is a method that gives a program a number.
type ask struct {
	owner, name, desc string // desc: how its descriptor begins
	env               bool   // of the environment
	initial           bool   // its second argument is the number otherwise
}

// asks are the methods that give a program a number, or a text that may be one, by a
// name; the name is their first argument and, where there is one, what it is by
// default the second.
var asks = []ask{
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
	known := asks
	w.ownMethods(func(c loaded, m *classfile.Member, code *classfile.Code) {
		known = append(known[:len(known):len(known)], helper(c, m, code)...)
	})
	w.ownMethods(func(c loaded, _ *classfile.Member, code *classfile.Code) {
		for _, s := range asked(&c.file.Pool, code, known) {
			if !slices.ContainsFunc(out, func(o trace.Setting) bool { return o.Name == s.Name && o.Env == s.Env }) {
				out = append(out, s)
			}
		}
	})
	slices.SortStableFunc(out, func(a, b trace.Setting) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// ownMethods calls see with the methods of the program, libraries left out.
func (w *world) ownMethods(see func(loaded, *classfile.Member, *classfile.Code)) {
	own := w.ownPackages()
	for _, c := range w.classes {
		if isJDK(c.name) || !own[packageOf(c.name)] {
			continue
		}
		for i := range c.file.Methods {
			if code, err := c.file.Code(&c.file.Methods[i]); err == nil && code != nil {
				see(c, &c.file.Methods[i], code)
			}
		}
	}
}

// text begins the descriptor of a method whose first argument is a text.
const text = "(Ljava/lang/String;"

// helper returns a static method as one that is asked, if it asks by the name that it is given:
//
//	static int setting(String name, int otherwise) { return Integer.getInteger(name, otherwise); }
func helper(c loaded, m *classfile.Member, code *classfile.Code) []ask {
	desc := c.file.Pool.String(m.Descriptor)
	rest, ok := strings.CutPrefix(desc, text)
	if !ok || m.Access&classfile.AccStatic == 0 {
		return nil
	}
	list := code.Instructions()
	for i := range list {
		if a, name := calls(&c.file.Pool, list, i, asks); a != nil && list[name].Op == classfile.OpAload0 {
			return []ask{{c.name, c.file.Pool.String(m.Name), desc, a.env, strings.HasPrefix(rest, "I") || strings.HasPrefix(rest, "J") || strings.HasPrefix(rest, text[1:])}}
		}
	}
	return nil
}

// calls returns which of the methods an instruction calls, and the index of that which gives the name; nil: none.
func calls(pool *classfile.Pool, list []classfile.Instruction, i int, known []ask) (*ask, int) {
	switch list[i].Op {
	case classfile.OpInvokeStatic, classfile.OpInvokeIface:
	default:
		return nil, 0
	}
	owner, name, desc := pool.Method(list[i].Operand)
	for k := range known {
		a := &known[k]
		if owner != a.owner || name != a.name || !strings.HasPrefix(desc, a.desc) {
			continue
		}
		first := i - 1
		if a.initial {
			first--
		}
		if first >= 0 && (a.owner != "java/util/Map" || first > 0 && callsGetenv(pool, list[first-1])) {
			return a, first
		}
	}
	return nil, 0
}

// asked returns the settings that a method asks for.
func asked(pool *classfile.Pool, code *classfile.Code, known []ask) (out []trace.Setting) {
	list := code.Instructions()
	for i := range list {
		a, first := calls(pool, list, i, known)
		if a == nil {
			continue
		}
		name, _, ok := code.Constant(list[first].PC)
		if !ok || name == "" {
			continue
		}
		s := trace.Setting{Name: name, Env: a.env, Unfollowed: true}
		if !a.env {
			s.Name = "-D" + name
		}
		if a.initial {
			words, number, _ := code.Constant(list[i-1].PC)
			if s.Initial = number; words != "" {
				s.Initial, _ = strconv.ParseFloat(words, 64)
			}
		}
		out = append(out, s)
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
