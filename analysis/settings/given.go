package settings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// setting is a number from outside of the program.
type setting struct {
	trace.Setting
	given    bool    // the run was given it
	inferred bool    // value is what a quantity of the model makes of it
	value    float64 // in the run; NaN: not known
	label    string  // name that a programmer gave it; "": none
	unsaid   bool    // nobody knows how the program is told
}

// use is something in the program's text that a setting decides.
type use struct {
	*setting
	trace.SettingUse
}

// inputs are the settings of a program and what they decide.
type inputs struct {
	settings []*setting
	uses     map[trace.UseKind][]use
}

// given returns the settings of the program: those that the scan found and then those that only the command line
// shows.
func given(tr *trail.Trail) inputs {
	in := inputs{uses: map[trace.UseKind][]use{}}
	w := &tr.Input.Workload
	flags, words := flagValues(w.Args), arguments(w.Args)
	if tr.Input.Facts != nil {
		for _, s := range tr.Input.Facts.Inputs {
			x := &setting{Setting: s, value: math.NaN()}
			var text string
			if text, x.given = flags[s.Name]; s.Env {
				text, x.given = w.Env[s.Name]
			} else if i := slices.IndexFunc(words, func(o *setting) bool { return o.Name == s.Name }); i >= 0 {
				text, x.given = fmt.Sprint(words[i].value), true
				words = slices.Delete(words, i, i+1)
			}
			if n, in := w.Files[s.Name]; in {
				text, x.given = fmt.Sprint(n), true
			}
			switch {
			case s.Machine == trace.MachineCores:
				x.value, x.given = float64(tr.Trace.Cores), false
			case s.Machine == trace.MachineCPUs:
				x.value, x.given = float64(cpus(tr)), false
			case x.given && s.Unit != "":
				if d, err := time.ParseDuration(text); err == nil {
					x.value = float64(d) / float64(time.Millisecond) // the only unit of durations
				}
			case x.given:
				x.value = number(text)
			case s.Initial != 0:
				x.value = s.Initial
			}
			in.settings = append(in.settings, x)
			for _, u := range s.Uses {
				if _, decided := flags[u.Default]; !decided {
					in.uses[u.Kind] = append(in.uses[u.Kind], use{x, u})
				}
			}
		}
	}
	known := func(name string) bool {
		return slices.ContainsFunc(in.settings, func(s *setting) bool { return s.Name == name })
	}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if v := number(flags[name]); !known(name) && !math.IsNaN(v) {
			in.settings = append(in.settings, &setting{Setting: trace.Setting{Name: name}, given: true, value: v})
		}
	}
	in.settings = append(in.settings, words...)
	for _, name := range slices.Sorted(maps.Keys(w.Files)) {
		if !known(name) {
			in.settings = append(in.settings, &setting{Setting: trace.Setting{Name: name}, given: true, value: w.Files[name]})
		}
	}
	for _, p := range tr.Trace.Marked.Parameters {
		in.label(p, tr.Trace.Runtime.Property)
	}
	return in
}

// label gives a setting the name by which a programmer marked its number: the one that has it already, or else the only one
// with that number. If there is none, nobody knows how the program is told.
func (in *inputs) label(p trace.Marked, property string) {
	var alike []*setting
	for _, s := range in.settings {
		if name, _ := s.named(property); strings.EqualFold(name, p.Name) {
			s.label = p.Name
			return
		}
		if s.given && s.value == p.Value {
			alike = append(alike, s)
		}
	}
	if len(alike) == 1 {
		alike[0].label = p.Name
		return
	}
	in.settings = append(in.settings, &setting{Setting: trace.Setting{Name: p.Name}, given: true, value: p.Value, label: p.Name, unsaid: true})
}

// at returns the uses that are what q is.
func (in *inputs) at(q *quantity) (us []use) {
	for _, u := range in.uses[q.use] {
		if q.use == trace.UseCores || trace.SamePlace(u.Frame, q.place) {
			if q.hosts > 0 {
				u.Value = u.Value.Plus(q.hosts)
			}
			us = append(us, u)
		}
	}
	return us
}

// onlyPlace returns the place where the limit of a semaphore or limiter is given:
// place, or, as the trace does not have its constructor, the only one that the scan
// found.
func (in *inputs) onlyPlace(kind trace.UseKind, place trace.Frame) trace.Frame {
	us := in.uses[kind]
	if len(us) == 0 || slices.ContainsFunc(us, func(u use) bool { return trace.SamePlace(u.Frame, place) || !trace.SamePlace(u.Frame, us[0].Frame) }) {
		return place
	}
	return us[0].Frame
}

// number is the number that a text is, NaN if it is none.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// cpus is the number of CPUs that the program could run on.
func cpus(tr *trail.Trail) int {
	return max(1, cmp.Or(tr.Input.Workload.Cores, tr.Trace.Calibration.Cores))
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

// notGiven are the options with a value that the program takes and was not given, the first of them.
func notGiven(tr *trail.Trail) (options []string) {
	given := tr.Input.Workload.Args
	for _, o := range tr.Trace.Options {
		if !slices.ContainsFunc(strings.Split(o, "/"), func(name string) bool {
			return slices.ContainsFunc(given, func(a string) bool {
				word, _, _ := strings.Cut(a, "=")
				return word == name || glued(a, name) || len(word) > len("--") && strings.HasPrefix(name, word)
			})
		}) {
			options = append(options, o)
		}
	}
	if more := len(options) - mostNotGiven; more > 1 {
		options = append(options[:mostNotGiven], fmt.Sprintf("%d others", more))
	}
	return options
}

// mostNotGiven are as many options as are named. Convention, sensitivity none: a line.
const mostNotGiven = 8

// glued reports whether an argument is an option of one letter in one word with its value.
func glued(a, option string) bool { return len(option) == len("-o") && strings.HasPrefix(a, option) }

// arguments returns the arguments that are numbers and neither flags nor their values, as "argument 3" for the
// third word, as "argument 3 threads=" if they give it to a name, or as "argument 3 -p" if they are in one word
// with a flag, -p2.
func arguments(args []string) (ss []*setting) {
	for i, a := range args {
		name, text := fmt.Sprintf("%s%d", argument, i+1), a
		if glued := inOneWord.FindStringSubmatch(a); glued != nil {
			name, text = name+" "+glued[1], glued[2]
		} else if to, value, named := strings.Cut(a, "="); named {
			if to == "" || strings.ContainsAny(to, "- ") {
				continue
			}
			name, text = name+" "+to+"=", value
		} else if i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") {
			continue
		}
		if v := number(text); !math.IsNaN(v) {
			ss = append(ss, &setting{Setting: trace.Setting{Name: name}, given: true, value: v})
		}
	}
	return ss
}

// inOneWord matches a flag with its number, as getopt(3) takes them.
var inOneWord = regexp.MustCompile(`^(-[A-Za-z])([0-9]+)$`)

// argument begins the name of a setting that is an argument without a flag.
const argument = "argument "

// IsArgument reports whether the name of a setting, or the template that says how
// it is given, means an argument by its place: "argument 2", "argument 2 {value}",
// "argument 2 threads={value}", "argument 2 -p{value}".
func IsArgument(name string) bool { return strings.HasPrefix(name, argument) }

// named returns the name of the parameter for the setting, and how the program is told;
// property begins a flag that gives a number to the run-time system for the program.
func (s *setting) named(property string) (name, how string) {
	name, how = s.written(property)
	if s.unsaid {
		how = ""
	}
	return cmp.Or(s.label, name), how
}

// written is the name that the setting has where it is given.
func (s *setting) written(property string) (name, how string) {
	switch {
	case s.Env:
		return strings.ToLower(s.Name), s.Name + "={value}"
	case property != "" && strings.HasPrefix(s.Name, property):
		return s.Name[len(property):], s.Name + "={value}"
	case IsInFile(s.Name):
		return trace.KeyInFile(s.Name), s.Name + " {value}"
	case IsArgument(s.Name) && strings.HasSuffix(s.Name, "="):
		words := strings.Fields(s.Name)
		return strings.ToLower(strings.TrimSuffix(words[len(words)-1], "=")), s.Name + "{value}"
	case IsArgument(s.Name) && strings.Contains(s.Name, " -"):
		words := strings.Fields(s.Name)
		return strings.ToLower(strings.TrimLeft(words[len(words)-1], "-")), s.Name + "{value}"
	case IsArgument(s.Name):
		return strings.ReplaceAll(s.Name, " ", "-"), s.Name + " {value}"
	default:
		return strings.ToLower(strings.TrimLeft(s.Name, "-")), s.Name + " {value}" + s.Unit
	}
}
