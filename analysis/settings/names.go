package settings

import (
	"fmt"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// nameByInputs gives a parameter the name of the flag or environment variable
// that the program reads it from, and says how to set it. What a setting is comes
// before what the program computes from it, and both before the rounds of loops.
func nameByInputs(tr *trail.Trail, ks []knob) []knob {
	taken := map[string]bool{}
	used := map[string]int{}
	order := make([]*knob, len(ks))
	for i := range ks {
		order[i] = &ks[i]
	}
	slices.SortStableFunc(order, func(x, y *knob) int { return removed(tr, x) - removed(tr, y) })
	for _, k := range order {
		if s, ok := settingOf(tr, k); ok && !taken[s.Name] {
			taken[s.Name] = true
			k.setting = s.Name
			k.Name = strings.ToLower(strings.TrimLeft(s.Name, "-"))
			k.How = s.Name + " {value}"
			prefix := tr.Trace.Runtime.Property
			if property, ok := strings.CutPrefix(s.Name, prefix); ok && prefix != "" {
				k.Name, k.How = property, s.Name+"={value}"
			}
			if s.Env {
				k.How = s.Name + "={value}"
			}
			if IsArgument(s.Name) {
				k.Name, k.How = strings.ReplaceAll(s.Name, " ", "-"), s.Name+" {value}"
				if words := strings.Fields(s.Name); strings.HasSuffix(s.Name, "=") {
					k.Name, k.How = strings.ToLower(strings.TrimSuffix(words[len(words)-1], "=")), s.Name+"{value}"
				}
			}
		}
		used[k.Name]++
		if n := used[k.Name]; n > 1 {
			k.Name = fmt.Sprintf("%s-%d", k.Name, n)
		}
	}
	return ks
}

// removed is how far a knob is from the setting that decides it.
func removed(tr *trail.Trail, k *knob) int {
	if k.use == trace.UseLoop {
		return 2
	}
	if s, ok := followed(tr, k); ok && useAt(&s, k).Value != (core.Linear{}) {
		return 1
	}
	return 0
}

// settingOf finds the program's setting that decides k: the one that the scan
// followed to the statement, or else the only flag of the run with the same
// value, or the only argument, which is a guess.
func settingOf(tr *trail.Trail, k *knob) (trace.Setting, bool) {
	if k.use == "" {
		return trace.Setting{}, false
	}
	if s, ok := followed(tr, k); ok {
		return s, true
	}
	var same []string
	for f, v := range flagValues(tr.Input.Workload.Args) {
		if v == fmt.Sprintf("%g", k.Default) && !decidesOther(tr, f, k.use) {
			same = append(same, f)
		}
	}
	if len(same) == 0 {
		same = argumentsWith(tr.Input.Workload.Args, fmt.Sprintf("%g", k.Default))
	}
	if len(same) != 1 || k.use == trace.UseCores {
		return trace.Setting{}, false
	}
	if k.Description == "" { // asked for by the way
		return trace.Setting{Name: same[0]}, true
	}
	tr.Assume(fmt.Sprintf("%s is taken to be what sets the %s, because both are %g", same[0], k.Description, k.Default))
	return trace.Setting{Name: same[0]}, true
}

// followed returns the setting that the scan followed to the statement. Of
// several, such as the bounds of two loops around a go statement, it is the one
// that had the parameter's value in the run, or at least no other one.
func followed(tr *trail.Trail, k *knob) (found trace.Setting, ok bool) {
	if tr.Input.Facts == nil {
		return found, false
	}
	values := flagValues(tr.Input.Workload.Args)
	best := 0
	for _, s := range tr.Input.Facts.Inputs {
		if s.Machine != "" {
			continue
		}
		for _, u := range s.Uses {
			if u.Kind != k.use || k.use != trace.UseCores && !trace.SamePlace(u.Frame, k.place) {
				continue
			}
			fits := 1
			if v, given := values[s.Name]; !given {
				fits = 2
			} else if v == fmt.Sprintf("%g", k.Default) {
				fits = 3
			}
			if fits == 1 && k.use == trace.UseLimit {
				continue // counted in other units
			}
			if fits > best {
				best, found = fits, s
			}
		}
	}
	return found, best > 0
}

// argumentsWith returns the arguments, as "argument 3" for the third word, that are
// neither flags nor their values and are the given text, or as "argument 3 threads="
// give it to a name.
func argumentsWith(args []string, text string) (names []string) {
	for i, a := range args {
		flag := i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=")
		name, value, named := strings.Cut(a, "=")
		switch {
		case a == text && !flag:
			names = append(names, fmt.Sprintf("%s%d", argument, i+1))
		case named && value == text && name != "" && !strings.ContainsAny(name, "- "):
			names = append(names, fmt.Sprintf("%s%d %s=", argument, i+1, name))
		}
	}
	return names
}

// argument begins the name of a setting that is an argument without a flag.
const argument = "argument "

// IsArgument reports whether the name of a setting, or the template that says how
// it is given, means an argument by its place: "argument 2", "argument 2 {value}",
// "argument 2 threads={value}".
func IsArgument(name string) bool { return strings.HasPrefix(name, argument) }

// decidesOther reports whether the scan found that a flag decides something
// else.
func decidesOther(tr *trail.Trail, flag string, use trace.UseKind) bool {
	if tr.Input.Facts == nil {
		return false
	}
	for _, s := range tr.Input.Facts.Inputs {
		if s.Name != flag {
			continue
		}
		for _, u := range s.Uses {
			if u.Kind != use && u.Kind != trace.UseLoop {
				return true
			}
		}
	}
	return false
}

// flagValues returns the flags among the arguments with their values.
func flagValues(args []string) map[string]string {
	vs := map[string]string{}
	for i, a := range args {
		if !strings.HasPrefix(a, "-") {
			continue
		}
		if f, v, ok := strings.Cut(a, "="); ok {
			vs[f] = v
		} else if i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			vs[a] = args[i+1]
		}
	}
	return vs
}
