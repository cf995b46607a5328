package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// lead returns the parameters. One that the program computes from another
// one's number follows it: the capacity of a channel that has a place for
// every worker; workers of which there are as many as CPUs.
func lead(tr *trail.Trail, ks []knob) []core.Parameter {
	cores := &ks[0]
	counts := slices.ContainsFunc(ks, func(k knob) bool { return asks(tr, &k, trace.MachineCPUs) != nil })
	children := len(normalise.ChildWaits(tr.Input.Trace)) > 0 // which compute on the same cores
	if cores.How != "" && !given(tr, tr.Trace.Runtime.Processors.Variable, true) && (counts || children) {
		cores.How = HowCPUs // which the run-time system follows too
	}
	ps := make([]core.Parameter, len(ks))
	for i := range ks {
		ps[i] = ks[i].Parameter
		if i == 0 || ks[i].use == "" {
			continue
		}
		if leader, as := leader(tr, ks, i); as != nil {
			ps[i].Follows = &core.Follow{Parameter: leader, Linear: *as}
		} else if as := machines(tr, &ks[i], cores); as != nil {
			ps[i].Follows = &core.Follow{Parameter: cores.Name, Linear: *as}
		} else if asks(tr, &ks[i], trace.MachineCPUs) != nil {
			tr.Assume(fmt.Sprintf("%s: one for each of the %d CPUs of the machine, however many %s says", ks[i].Description, cpus(tr), cores.How))
		}
	}
	return ps
}

// HowCPUs says that a program is given its cores by the CPUs that it may run on.
const HowCPUs = "cpus={value}"

// leader returns the parameter, among those that have the name of a setting of the
// program, whose setting decides knob i too, and how.
func leader(tr *trail.Trail, ks []knob, i int) (string, *core.Linear) {
	for j := range ks {
		if j == i || ks[j].setting == "" {
			continue
		}
		s := input(tr, ks[j].setting)
		if s == nil {
			continue // known by its number alone
		}
		of, here := useAt(s, &ks[j]), useAt(s, &ks[i])
		if of == nil || here == nil || of.Value != (core.Linear{}) && ks[j].use != trace.UseLoop || of.Loose || here.Loose {
			continue
		}
		as := &here.Value
		if ks[i].use == trace.UseLoop {
			as = &core.Linear{} // that is the number that was given, its targets know what becomes of it
		}
		if as.Count(ks[j].Default) == ks[i].Default {
			return ks[j].Name, as
		}
	}
	return "", nil
}

// machines returns what the knob is as a function of the cores, nil if it is not
// known to follow them.
func machines(tr *trail.Trail, k, cores *knob) *core.Linear {
	if as := asks(tr, k, trace.MachineCores); as != nil {
		return as
	}
	if cores.How == HowCPUs {
		return asks(tr, k, trace.MachineCPUs)
	}
	return nil
}

// asks returns what the knob is as a function of a number that the program asks
// the machine for, nil if that did not decide it in the run.
func asks(tr *trail.Trail, k *knob, what trace.Machine) *core.Linear {
	if tr.Input.Facts == nil {
		return nil
	}
	at := float64(tr.Trace.Cores)
	if what == trace.MachineCPUs {
		at = float64(cpus(tr))
	}
	for _, s := range tr.Input.Facts.Inputs {
		if s.Machine != "" || !given(tr, s.Name, s.Env) {
			continue
		}
		if u := useAt(&s, k); u != nil && (u.Loose || u.Value.Count(numberOf(tr, &s)) == k.Default) {
			return nil // decided by who started the program
		}
	}
	for _, s := range tr.Input.Facts.Inputs {
		for i, u := range s.Uses {
			if s.Machine == what && turns(&u, k) && !u.Loose && !given(tr, u.Default, false) && u.Value.Count(at) == k.Default {
				return &s.Uses[i].Value
			}
		}
	}
	return nil
}

// followsMachine reports whether a number of the machine decided the knob.
func followsMachine(tr *trail.Trail, k *knob) bool {
	return asks(tr, k, trace.MachineCPUs) != nil || asks(tr, k, trace.MachineCores) != nil
}

// cpus is the number of CPUs that the program could run on.
func cpus(tr *trail.Trail) int {
	return max(1, cmp.Or(tr.Input.Workload.Cores, tr.Trace.Calibration.Cores))
}

// given reports whether the run was given a flag or environment variable.
func given(tr *trail.Trail, name string, env bool) bool {
	if env {
		_, ok := tr.Input.Workload.Env[name]
		return ok
	}
	_, ok := flagValues(tr.Input.Workload.Args)[name]
	return ok
}

// numberOf is the number that the run was given for a setting, −1 if it is none.
func numberOf(tr *trail.Trail, s *trace.Setting) float64 {
	text := flagValues(tr.Input.Workload.Args)[s.Name]
	if s.Env {
		text = tr.Input.Workload.Env[s.Name]
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return -1
	}
	return v
}

// input is the setting of that name that the program's code shows; nil: it shows
// none.
func input(tr *trail.Trail, name string) *trace.Setting {
	if tr.Input.Facts == nil {
		return nil
	}
	for i := range tr.Input.Facts.Inputs {
		if s := &tr.Input.Facts.Inputs[i]; s.Name == name {
			return s
		}
	}
	return nil
}

// useAt returns where the setting decides the knob, the exact one of several; nil:
// nowhere.
func useAt(s *trace.Setting, k *knob) (found *trace.SettingUse) {
	for i := range s.Uses {
		if u := &s.Uses[i]; turns(u, k) && (found == nil || found.Loose) {
			found = u
		}
	}
	return found
}

// turns reports whether the use is what the knob turns.
func turns(u *trace.SettingUse, k *knob) bool {
	return u.Kind == k.use && (u.Kind == trace.UseCores || trace.SamePlace(u.Frame, k.place))
}
