package analysis

import (
	"math"
	"slices"
	"strings"

	"tierscope/core"
)

// parameters finds the knobs that an analyst may turn, with the value of the
// run and how the program is given it: "To start using the model the analyst
// must specify the model's configuration parameters (the numbers of threads
// in the thread pools, intensity of the workload, sizes of the queues, the
// numbers of CPU cores etc)" (Tarvo & Reiss 2014, §4.4).
func (b *build) parameters(m *core.Model) []core.Parameter {
	cores := b.coresParameter(m)
	ps := []knob{{Parameter: cores, use: UseCores}}
	for _, g := range b.modelled {
		if k, ok := b.rateParameter(m, g); ok {
			ps = append(ps, k)
		} else if p, ok := b.poolParameter(m, g); ok {
			ps = append(ps, knob{Parameter: p, use: UseSpawn, place: g.place})
		}
	}
	ps = append(ps, b.rounds(m, ps)...)
	for i := range m.Sources {
		ps = append(ps, knob{Parameter: sourceParameter(&m.Sources[i])})
	}
	for _, q := range m.Queues {
		if path := "queues/" + q.ID + "/capacity"; q.Capacity > 0 && !drives(ps, path) {
			ps = append(ps, knob{Parameter: b.capacityParameter(path, q.ID, q.Capacity, "tasks"), use: UseCapacity, place: b.capacityAt(q)})
		}
	}
	for _, l := range m.Locks {
		if l.Kind == core.Channel && l.Capacity >= 1 && !drives(ps, "locks/"+l.ID+"/capacity") {
			k := knob{Parameter: b.capacityParameter("locks/"+l.ID+"/capacity", l.ID, l.Capacity, "items"), use: UseCapacity, place: placeOf(l.Origin)}
			if _, set := b.followed(&k); l.Capacity > 1 || set || b.followsMachine(&k) { // one place is often a signal
				ps = append(ps, k)
			}
		}
		if l.Kind == core.Semaphore {
			ps = append(ps, knob{Parameter: b.permitsParameter(m, &l), use: UseLimit, place: b.onlyUse(UseLimit, placeOf(l.Origin))})
		}
	}
	if p, ok := b.collectorParameter(m); ok {
		ps = append(ps, knob{Parameter: p})
	}
	if p, ok := b.compilerParameter(); ok {
		ps = append(ps, knob{Parameter: p})
	}
	return b.lead(b.nameByInputs(joinKnobs(ps)))
}

// joinKnobs makes one knob of those that stand for the same statement and had the
// same value: a function that is called from several places has a pool, or a
// queue, for each of them.
func joinKnobs(ks []knob) []knob {
	var out []knob
	for _, k := range ks {
		i := slices.IndexFunc(out, func(o knob) bool {
			return k.use != "" && k.use == o.use && samePlace(k.place, o.place) && k.place.At == o.place.At && k.Default == o.Default
		})
		if i < 0 {
			out = append(out, k)
			continue
		}
		out[i].Targets = addTargets(out[i].Targets, k.Targets)
	}
	return out
}

// addTargets adds those of more that are at other places of the model.
func addTargets(ts, more []core.Target) []core.Target {
	for _, t := range more {
		if !slices.ContainsFunc(ts, func(o core.Target) bool { return o.Path == t.Path }) {
			ts = append(ts, t)
		}
	}
	return ts
}

// drives reports whether a knob turns what is at path too.
func drives(ks []knob, path string) bool {
	return slices.ContainsFunc(ks, func(k knob) bool {
		return slices.ContainsFunc(k.Targets, func(t core.Target) bool { return t.Path == path })
	})
}

func placeOf(o core.Origin) Frame { return Frame{Function: o.Function, File: o.File, Line: o.Line} }

func (b *build) coresParameter(m *core.Model) core.Parameter {
	n := float64(m.CPU.Cores)
	p := core.Parameter{Name: "cores", Unit: "cores", Default: n, Min: 1, Max: 256, Integer: true,
		Targets: []core.Target{{Path: "cpu/cores"}}, SupportedMin: 1, SupportedMax: max(n, float64(b.t.Calibration.Cores)),
		Description: "cores that the program may use"}
	if b.t.Language == "go" {
		p.How = howProcs
	}
	return p
}

// capacityAt returns the place where the capacity of a queue is given or, of a
// home-made one, tested.
func (b *build) capacityAt(q core.Queue) Frame {
	for _, r := range b.resources {
		if r.id == q.ID && r.limited != (Frame{}) {
			return r.limited
		}
	}
	return placeOf(q.Origin)
}

// onlyUse returns the place where the limit of a semaphore or limiter is given:
// place, or, as the trace does not have its constructor, the only one that the scan
// found.
func (b *build) onlyUse(kind UseKind, place Frame) Frame {
	if b.in.Facts == nil {
		return place
	}
	var only Frame
	for _, s := range b.in.Facts.Inputs {
		for _, u := range s.Uses {
			switch {
			case u.Kind != kind:
			case samePlace(u.Frame, place), only != (Frame{}) && !samePlace(u.Frame, only):
				return place
			default:
				only = u.Frame
			}
		}
	}
	if only == (Frame{}) {
		return place
	}
	return only
}

// rangeFactor is how far from the measured value a parameter may be turned
// before a prediction counts as an extrapolation.
const rangeFactor = 8

// poolParameter returns the size of a pool, with everything in the model that
// depends on it.
func (b *build) poolParameter(m *core.Model, g *group) (core.Parameter, bool) {
	if g.burst == 0 && (g.kind != GroupFixed || b.isSpawned(g)) {
		return core.Parameter{}, false
	}
	n := float64(g.size())
	k := knob{Parameter: core.Parameter{Default: n}, use: UseSpawn, place: g.place}
	if _, set := b.settingOf(&k); n == 1 && !set && !b.followsMachine(&k) {
		return core.Parameter{}, false // one thread with one job
	}
	p := core.Parameter{Name: g.name + "-threads", Unit: "threads", Default: n, Min: 1, Max: 1024, Integer: true,
		Targets:      []core.Target{{Path: "pools/" + g.name + "/size"}},
		SupportedMin: 1, SupportedMax: n * rangeFactor,
		Description: "threads started at " + shortPlace(g.place)}
	p.Targets = append(p.Targets, b.follows(m, g)...)
	return p, true
}

// follows returns what else changes with the size of pool g: barriers at
// which its threads meet, loops that do something for each of them, and, if
// its work is shared out in equal parts, the work of each thread.
func (b *build) follows(m *core.Model, g *group) []core.Target {
	n := float64(g.size())
	var ts []core.Target
	for _, r := range b.resources {
		if r.kind == core.Barrier && r.parties >= g.size() && usedBy(r, g) {
			ts = append(ts, core.Target{Path: "locks/" + r.id + "/parties", Offset: float64(r.parties) - n})
		}
	}
	bigger := func(id, path string) { // as many channels as partners, taken as one
		if r := b.resourceOf(id); r.gathered() && r.capacity > 0 && r.together == g.size() && usedBy(r, g) {
			ts = append(ts, core.Target{Path: path, Factor: float64(r.capacity)})
		}
	}
	for _, l := range m.Locks {
		bigger(l.ID, "locks/"+l.ID+"/capacity")
	}
	for _, q := range m.Queues {
		if q.ID != queueRequests {
			bigger(q.ID, "queues/"+q.ID+"/capacity")
		}
	}
	partners := b.partners(m, g)
	if b.sharesStatically(g, len(partners) > 0) {
		ts = append(ts, b.divides(m, g)...)
	}
	return append(ts, addTargets(partners, b.counted(m, g))...)
}

func usedBy(r *resource, g *group) bool {
	for _, u := range r.uses {
		if u.group == g {
			return true
		}
	}
	return false
}

func sourceParameter(s *core.Source) core.Parameter {
	if s.Kind == core.Closed {
		n := float64(s.Population)
		return core.Parameter{Name: "connections", Unit: "users", Default: n, Min: 1, Max: 100000, Integer: true,
			Targets:      []core.Target{{Path: "sources/" + s.ID + "/population"}},
			SupportedMin: 1, SupportedMax: n * rangeFactor, How: "load connections={value}",
			Description: "clients, each with one request at a time"}
	}
	return core.Parameter{Name: "rate", Unit: "1/s", Default: s.Rate, Min: s.Rate / 1000, Max: s.Rate * 1000,
		Targets:      []core.Target{{Path: "sources/" + s.ID + "/rate_per_s"}},
		SupportedMin: s.Rate / rangeFactor, SupportedMax: s.Rate * rangeFactor, How: "load rate={value}",
		Description: "requests per second"}
}

func sizeParameter(path, id string, n int, unit string) core.Parameter {
	name := id[strings.LastIndexByte(id, ' ')+1:] + "-capacity"
	far := min(float64(n)*rangeFactor, math.MaxInt32)
	return core.Parameter{Name: name, Unit: unit, Default: float64(n), Min: 0, Max: max(1<<20, far), Integer: true,
		Targets:      []core.Target{{Path: path}},
		SupportedMin: 1, SupportedMax: far, Description: "capacity of " + id}
}

// capacityParameter returns the capacity of a channel. What stands for several has
// as many places times that.
func (b *build) capacityParameter(path, id string, n int, unit string) core.Parameter {
	for _, r := range b.resources {
		if r.id == id && r.gathered() && r.capacity > 0 {
			p := sizeParameter(path, id, r.capacity, unit)
			p.Targets[0].Factor = float64(r.together)
			p.Max = min(p.Max, math.Floor(math.MaxInt32/float64(r.together)))
			return p
		}
	}
	return sizeParameter(path, id, n, unit)
}

// knob is a parameter with the place in the program that it stands for.
type knob struct {
	core.Parameter
	use     UseKind
	place   Frame
	setting string // of the program, that it has its name from; "": none
}
