package measure

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/core"
)

// Ways of giving a value that the program is not told.
const (
	HowCPUs        = "cpus={value}"             // number of CPUs that it may run on, by affinity
	HowRate        = "load rate={value}"        // arrival rate of the open loop
	HowConnections = "load connections={value}" // users of the closed loop
	HowThink       = "load think={value}"       // mean think time of the closed loop
)

const placeholder = "{value}"

var (
	environmentTemplate = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=\{value\}$`)
	environmentName     = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
)

// Axis is a parameter with the values that a campaign gives it.
type Axis struct {
	Name   string    `json:"name"`
	How    string    `json:"how"` // as core.Parameter.How: "-workers {value}", "GOMAXPROCS={value}", or a How constant
	Values []float64 `json:"values"`
	// Work says that the parameter decides how much there is to do, so that the
	// program computes something else for each of its values.
	Work bool `json:"work,omitempty"`
	// Base is the value in the run that the model was made from; nil: not known. A
	// campaign whose axes all have one measures that configuration too, since a model
	// that misses it cannot be trusted in any other.
	Base *float64 `json:"base,omitempty"`
}

// AxisOf is the axis of a parameter of the model, or of a name that the model does
// not know (see HowOf). m may be nil.
func AxisOf(m *core.Model, name string, values []float64) Axis {
	a := Axis{Name: name, How: HowOf(m, name), Values: values}
	if m == nil {
		return a
	}
	p, ok := m.Parameter(name)
	a.Work = ok && (p.Unit == core.Rounds || p.Unit == core.Amount)
	if i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.How == a.How }); !ok && i >= 0 {
		p, ok = m.Parameters[i], true
	}
	if ok {
		a.Base = &p.Default
	}
	return a
}

// HowOf says how the program is given a parameter: as the model says, or, for
// a name that the model does not know, by convention: cores and cpus by
// affinity, rate, connections and think by the load generator, NAME in
// capitals by the environment, and anything else by a flag -name.
func HowOf(m *core.Model, name string) string {
	if m != nil {
		if p, ok := m.Parameter(name); ok {
			if p.How != "" {
				return p.How
			}
			for _, t := range p.Targets {
				switch {
				case t.Path == "cpu/cores":
					return HowCPUs
				case strings.HasPrefix(t.Path, "sources/") && strings.Contains(t.Path, "/rate"):
					return HowRate
				case strings.HasPrefix(t.Path, "sources/") && strings.HasSuffix(t.Path, "/population"):
					return HowConnections
				}
			}
		}
	}
	switch strings.ToLower(name) {
	case "cores", "cpus":
		return HowCPUs
	case "rate":
		return HowRate
	case "connections", "users":
		return HowConnections
	case "think":
		return HowThink
	}
	if environmentName.MatchString(name) {
		return name + "=" + placeholder
	}
	return "-" + name + " " + placeholder
}

// Set returns the workload with a parameter of the program set, given as
// HowOf says. m may be nil. A name that begins with a dash is a flag as it is.
func Set(w trace.Workload, m *core.Model, name string, value float64) (trace.Workload, error) {
	how := HowOf(m, name)
	if strings.HasPrefix(name, "-") {
		how = name + " " + placeholder
	}
	return apply(w, Axis{Name: name, How: how}, value)
}

// Apply returns the workload with the axis at a value.
func (a Axis) Apply(w trace.Workload, value float64) (trace.Workload, error) {
	return apply(w, a, value)
}

// apply returns the workload with one parameter set.
func apply(w trace.Workload, a Axis, value float64) (trace.Workload, error) {
	text := strconv.FormatFloat(value, 'f', -1, 64)
	load := func(set func(*trace.Load)) (trace.Workload, error) {
		if w.Load == nil {
			return w, fmt.Errorf("%s: the workload has no load to change; it is a batch program", a.Name)
		}
		l := *w.Load
		set(&l)
		w.Load = &l
		return w, nil
	}
	switch {
	case a.How == HowCPUs:
		if value < 1 || value != float64(int(value)) {
			return w, fmt.Errorf("%s = %s: a positive whole number of CPUs was expected", a.Name, text)
		}
		w.Cores = int(value)
		return w, nil
	case a.How == HowRate:
		return load(func(l *trace.Load) { l.Rate, l.Connections = value, 0 })
	case a.How == HowConnections:
		return load(func(l *trace.Load) { l.Connections, l.Rate = int(value), 0 })
	case a.How == HowThink:
		return load(func(l *trace.Load) { l.Think = value })
	case environmentTemplate.MatchString(a.How):
		name, _, _ := strings.Cut(a.How, "=")
		w.Env = maps.Clone(w.Env)
		if w.Env == nil {
			w.Env = map[string]string{}
		}
		w.Env[name] = text
		return w, nil
	case settings.IsInFile(a.How) && strings.Contains(a.How, placeholder):
		out, err := inFile(w, a.How, value)
		if err != nil {
			return w, fmt.Errorf("%s: %w", a.Name, err)
		}
		return out, nil
	case settings.IsArgument(a.How) && strings.Contains(a.How, placeholder):
		words := strings.Fields(a.How)
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || n > len(w.Args) {
			return w, fmt.Errorf("%s: %q: the run has %d arguments; write, for its second one, \"argument 2 {value}\"", a.Name, a.How, len(w.Args))
		}
		w.Args = slices.Clone(w.Args)
		w.Args[n-1] = strings.ReplaceAll(words[len(words)-1], placeholder, text)
		return w, nil
	case strings.Contains(a.How, placeholder):
		words := strings.Fields(a.How)
		property := runtimes.OfProgram(w.Program).Property
		args, replaced := withFlag(w.Args, words, text, property)
		if !replaced && property != "" && !strings.HasPrefix(words[0], property) {
			return w, fmt.Errorf("%s: the command of the run has neither %s nor %s%s=…, and where it goes among the arguments of %s is not known; analyse a run whose command has it", a.Name, words[0], property, a.Name, filepath.Base(w.Program))
		}
		w.Args = args
		return w, nil
	}
	return w, fmt.Errorf("%s: %q does not say how the program is given the value; write a flag such as %q, an environment variable such as %q, or one of %q, %q, %q, %q",
		a.Name, a.How, "-"+a.Name+" "+placeholder, "NAME="+placeholder, HowCPUs, HowRate, HowConnections, HowThink)
}

// withFlag puts the words of a flag template in front of the arguments, in the
// place of the same flag if it is there already, in either form, -f 1 or -f=1, or
// where the run-time system has properties, as one: -Df=1. It reports whether it was.
func withFlag(args, template []string, value, property string) ([]string, bool) {
	words := slices.Clone(template)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], placeholder, value)
	}
	name, _, joined := strings.Cut(template[0], "=")
	if !strings.HasPrefix(name, "-") {
		return slices.Concat(words, args), false
	}
	same := strings.TrimLeft(name, "-")
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		flag, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if p := property + same + "="; property != "" && strings.HasPrefix(arg, p) {
			return slices.Concat(args[:i], []string{p + value}, args[i+1:]), true
		}
		if flag != same {
			continue
		}
		end := i + 1
		switch {
		case hasValue && len(template) > 1: // as it was written: not every program takes both forms
			name, _, _ := strings.Cut(arg, "=")
			words = []string{name + "=" + value}
		case !hasValue && (len(template) > 1 || joined):
			end++
		}
		return slices.Concat(args[:i], words, args[min(end, len(args)):]), true
	}
	return slices.Concat(words, args), false
}
