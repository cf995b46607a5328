package settings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/trace"
)

// Number is a whole number that a run gives its program, on the command line or in the environment.
type Number struct {
	trace.Setting
	Value  int
	word   int    // index of the argument; −1: the environment
	before string // what stands before the number in it
}

// Numbers lists them, by the names that settings have here.
func Numbers(w *trace.Workload) (out []Number) {
	add := func(name, text string, word int, before string) {
		if v := number(text); v == math.Trunc(v) && math.Abs(v) <= math.MaxInt32 {
			out = append(out, Number{Setting: trace.Setting{Name: name, Env: word < 0}, Value: int(v), word: word, before: before})
		}
	}
	for i, a := range w.Args {
		flag, value, joined := strings.Cut(a, "=")
		glued := inOneWord.FindStringSubmatch(a)
		switch {
		case joined && strings.HasPrefix(a, "-"):
			add(flag, value, i, flag+"=")
		case joined:
			add(fmt.Sprintf("%s%d %s=", argument, i+1, flag), value, i, flag+"=")
		case glued != nil:
			add(fmt.Sprintf("%s%d %s", argument, i+1, glued[1]), glued[2], i, glued[1])
		case i > 0 && strings.HasPrefix(w.Args[i-1], "-") && !strings.HasPrefix(a, "-") && !strings.Contains(w.Args[i-1], "="):
			add(w.Args[i-1], a, i, "")
		case !strings.HasPrefix(a, "-"):
			add(fmt.Sprintf("%s%d", argument, i+1), a, i, "")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		add(name, w.Env[name], -1, "")
	}
	return out
}

// Unsaid is a number of the environment that the run does not give its program, which has that value then.
func Unsaid(name string, value int) Number {
	return Number{Setting: trace.Setting{Name: name, Env: true, Initial: float64(value)}, Value: value, word: -1}
}

// In returns the workload with another number.
func (n Number) In(w trace.Workload, value int) trace.Workload {
	text := n.before + strconv.Itoa(value)
	if n.Env {
		env := map[string]string{}
		maps.Copy(env, w.Env)
		env[n.Name] = text
		w.Env = env
		return w
	}
	w.Args = slices.Clone(w.Args)
	w.Args[n.word] = text
	return w
}

// Flag reports whether the number has a name: on the command line, or in the environment.
func (n Number) Flag() bool { return n.Env || !IsArgument(n.Name) || n.before != "" }
