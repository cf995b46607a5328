package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tierscope/core"
)

// lead returns the parameters. One that the program computes from another
// one's number follows it: the capacity of a channel that has a place for
// every worker; workers of which there are as many as CPUs.
func (b *build) lead(ks []knob) []core.Parameter {
	cores := &ks[0]
	counts := slices.ContainsFunc(ks, func(k knob) bool { return b.asks(&k, MachineCPUs) != nil })
	children := len(b.in.Trace.childWaits()) > 0 // which compute on the same cores
	if cores.How == howProcs && !b.given("GOMAXPROCS", true) && (counts || children) {
		cores.How = howCPUs // GOMAXPROCS follows it too
	}
	ps := make([]core.Parameter, len(ks))
	for i := range ks {
		ps[i] = ks[i].Parameter
		if i == 0 || ks[i].use == "" {
			continue
		}
		if leader, as := b.leader(ks, i); as != nil {
			ps[i].Follows = &core.Follow{Parameter: leader, Linear: *as}
		} else if as := b.machines(&ks[i], cores); as != nil {
			ps[i].Follows = &core.Follow{Parameter: cores.Name, Linear: *as}
		} else if b.asks(&ks[i], MachineCPUs) != nil {
			b.assume(fmt.Sprintf("%s: one for each of the %d CPUs of the machine, however many %s says", ks[i].Description, b.cpus(), cores.How))
		}
	}
	return ps
}

// How a Go program is told on how many cores to run.
const (
	howProcs = "GOMAXPROCS={value}" // so many of them, wherever it may
	howCPUs  = "cpus={value}"       // it may run on so many CPUs
)

// leader returns the parameter, among those that have the name of a setting of the
// program, whose setting decides knob i too, and how.
func (b *build) leader(ks []knob, i int) (string, *core.Linear) {
	for j := range ks {
		if j == i || ks[j].setting == "" {
			continue
		}
		s := b.input(ks[j].setting)
		if s == nil {
			continue // known by its number alone
		}
		of, here := useAt(s, &ks[j]), useAt(s, &ks[i])
		if of == nil || here == nil || of.Value != (core.Linear{}) && ks[j].use != UseLoop || of.Loose || here.Loose {
			continue
		}
		as := &here.Value
		if ks[i].use == UseLoop {
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
func (b *build) machines(k, cores *knob) *core.Linear {
	if as := b.asks(k, MachineCores); as != nil {
		return as
	}
	if cores.How == howCPUs {
		return b.asks(k, MachineCPUs)
	}
	return nil
}

// asks returns what the knob is as a function of a number that the program asks
// the machine for, nil if that did not decide it in the run.
func (b *build) asks(k *knob, what Machine) *core.Linear {
	if b.in.Facts == nil {
		return nil
	}
	at := float64(b.t.Cores)
	if what == MachineCPUs {
		at = float64(b.cpus())
	}
	for _, s := range b.in.Facts.Inputs {
		if s.Machine != "" || !b.given(s.Name, s.Env) {
			continue
		}
		if u := useAt(&s, k); u != nil && (u.Loose || u.Value.Count(b.value(&s)) == k.Default) {
			return nil // decided by who started the program
		}
	}
	for _, s := range b.in.Facts.Inputs {
		for i, u := range s.Uses {
			if s.Machine == what && u.at(k) && !u.Loose && !b.given(u.Default, false) && u.Value.Count(at) == k.Default {
				return &s.Uses[i].Value
			}
		}
	}
	return nil
}

// followsMachine reports whether a number of the machine decided the knob.
func (b *build) followsMachine(k *knob) bool {
	return b.asks(k, MachineCPUs) != nil || b.asks(k, MachineCores) != nil
}

// cpus is the number of CPUs that the program could run on.
func (b *build) cpus() int {
	return max(1, cmp.Or(b.in.Workload.Cores, b.t.Calibration.Cores))
}

// given reports whether the run was given a flag or environment variable.
func (b *build) given(name string, env bool) bool {
	if env {
		_, ok := b.in.Workload.Env[name]
		return ok
	}
	_, ok := flagValues(b.in.Workload.Args)[name]
	return ok
}

// value is the number that the run was given for a setting, −1 if it is none.
func (b *build) value(s *Setting) float64 {
	text := flagValues(b.in.Workload.Args)[s.Name]
	if s.Env {
		text = b.in.Workload.Env[s.Name]
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return -1
	}
	return v
}

// input is the setting of that name that the program's code shows; nil: it shows
// none.
func (b *build) input(name string) *Setting {
	if b.in.Facts == nil {
		return nil
	}
	for i := range b.in.Facts.Inputs {
		if s := &b.in.Facts.Inputs[i]; s.Name == name {
			return s
		}
	}
	return nil
}

// useAt returns where the setting decides the knob, the exact one of several; nil:
// nowhere.
func useAt(s *Setting, k *knob) (found *SettingUse) {
	for i := range s.Uses {
		if u := &s.Uses[i]; u.at(k) && (found == nil || found.Loose) {
			found = u
		}
	}
	return found
}

// at reports whether the use is what the knob turns.
func (u *SettingUse) at(k *knob) bool {
	return u.Kind == k.use && (u.Kind == UseCores || samePlace(u.Frame, k.place))
}
