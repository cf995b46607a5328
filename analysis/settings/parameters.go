package settings

import (
	"math"
	"slices"
	"strings"

	"tierscope/analysis/demand"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Parameters finds the knobs that an analyst may turn, with the value of the
// run and how the program is given it: "To start using the model the analyst
// must specify the model's configuration parameters (the numbers of threads
// in the thread pools, intensity of the workload, sizes of the queues, the
// numbers of CPU cores etc)" (Tarvo & Reiss 2014, §4.4).
func Parameters(tr *trail.Trail, m *core.Model) []core.Parameter {
	cores := coresParameter(tr, m)
	ps := []knob{{Parameter: cores, use: trace.UseCores}}
	for _, g := range tr.Modelled {
		if k, ok := rateParameter(tr, m, g); ok {
			ps = append(ps, k)
		} else if p, ok := poolParameter(tr, m, g); ok {
			ps = append(ps, knob{Parameter: p, use: trace.UseSpawn, place: g.Place})
		}
	}
	ps = append(ps, rounds(tr, m, ps)...)
	for i := range m.Sources {
		ps = append(ps, knob{Parameter: sourceParameter(&m.Sources[i])})
	}
	for _, q := range m.Queues {
		if path := "queues/" + q.ID + "/capacity"; q.Capacity > 0 && !drives(ps, path) {
			ps = append(ps, knob{Parameter: capacityParameter(tr, path, q.ID, q.Capacity, "tasks"), use: trace.UseCapacity, place: capacityAt(tr, q)})
		}
	}
	for _, l := range m.Locks {
		if l.Kind == core.Channel && l.Capacity >= 1 && !drives(ps, "locks/"+l.ID+"/capacity") {
			k := knob{Parameter: capacityParameter(tr, "locks/"+l.ID+"/capacity", l.ID, l.Capacity, "items"), use: trace.UseCapacity, place: trace.PlaceOf(l.Origin)}
			if _, set := followed(tr, &k); l.Capacity > 1 || set || followsMachine(tr, &k) { // one place is often a signal
				ps = append(ps, k)
			}
		}
		if l.Kind == core.Semaphore {
			ps = append(ps, knob{Parameter: permitsParameter(tr, m, &l), use: trace.UseLimit, place: onlyUse(tr, trace.UseLimit, trace.PlaceOf(l.Origin))})
		}
	}
	if p, ok := demand.CollectorParameter(tr, m); ok {
		ps = append(ps, knob{Parameter: p})
	}
	if p, ok := demand.CompilerParameter(tr); ok {
		ps = append(ps, knob{Parameter: p})
	}
	return lead(tr, nameByInputs(tr, joinKnobs(ps)))
}

// joinKnobs makes one knob of those that stand for the same statement and had the
// same value: a function that is called from several places has a pool, or a
// queue, for each of them.
func joinKnobs(ks []knob) []knob {
	var out []knob
	for _, k := range ks {
		i := slices.IndexFunc(out, func(o knob) bool {
			return k.use != "" && k.use == o.use && trace.SamePlace(k.place, o.place) && k.place.At == o.place.At && k.Default == o.Default
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

func coresParameter(tr *trail.Trail, m *core.Model) core.Parameter {
	n := float64(m.CPU.Cores)
	p := core.Parameter{Name: "cores", Unit: "cores", Default: n, Min: 1, Max: 256, Integer: true, How: tr.Trace.Runtime.Processors.How(),
		Targets: []core.Target{{Path: "cpu/cores"}}, SupportedMin: 1, SupportedMax: max(n, float64(tr.Trace.Calibration.Cores)),
		Description: "cores that the program may use"}
	return p
}

// capacityAt returns the place where the capacity of a queue is given or, of a
// home-made one, tested.
func capacityAt(tr *trail.Trail, q core.Queue) trace.Frame {
	for _, r := range tr.Resources {
		if r.ID == q.ID && r.Limited != (trace.Frame{}) {
			return r.Limited
		}
	}
	return trace.PlaceOf(q.Origin)
}

// onlyUse returns the place where the limit of a semaphore or limiter is given:
// place, or, as the trace does not have its constructor, the only one that the scan
// found.
func onlyUse(tr *trail.Trail, kind trace.UseKind, place trace.Frame) trace.Frame {
	if tr.Input.Facts == nil {
		return place
	}
	var only trace.Frame
	for _, s := range tr.Input.Facts.Inputs {
		for _, u := range s.Uses {
			switch {
			case u.Kind != kind:
			case trace.SamePlace(u.Frame, place), only != (trace.Frame{}) && !trace.SamePlace(u.Frame, only):
				return place
			default:
				only = u.Frame
			}
		}
	}
	if only == (trace.Frame{}) {
		return place
	}
	return only
}

// poolParameter returns the size of a pool, with everything in the model that
// depends on it.
func poolParameter(tr *trail.Trail, m *core.Model, g *trail.Pool) (core.Parameter, bool) {
	if g.Burst == 0 && (g.Kind != trail.PoolFixed || tr.IsSpawned(g)) {
		return core.Parameter{}, false
	}
	n := float64(g.Size())
	k := knob{Parameter: core.Parameter{Default: n}, use: trace.UseSpawn, place: g.Place}
	if _, set := settingOf(tr, &k); n == 1 && !set && !followsMachine(tr, &k) {
		return core.Parameter{}, false // one thread with one job
	}
	p := core.Parameter{Name: g.Name + "-threads", Unit: "threads", Default: n, Min: 1, Max: 1024, Integer: true,
		Targets:      []core.Target{{Path: "pools/" + g.Name + "/size"}},
		SupportedMin: 1, SupportedMax: n * trail.RangeFactor,
		Description: "threads started at " + trace.ShortPlace(g.Place)}
	p.Targets = append(p.Targets, follows(tr, m, g)...)
	return p, true
}

// follows returns what else changes with the size of pool g: barriers at
// which its threads meet, loops that do something for each of them, and, if
// its work is shared out in equal parts, the work of each thread.
func follows(tr *trail.Trail, m *core.Model, g *trail.Pool) []core.Target {
	n := float64(g.Size())
	var ts []core.Target
	for _, r := range tr.Resources {
		if r.Kind == core.Barrier && r.Parties >= g.Size() && trail.UsedBy(r, g) {
			ts = append(ts, core.Target{Path: "locks/" + r.ID + "/parties", Offset: float64(r.Parties) - n})
		}
	}
	bigger := func(id, path string) { // as many channels as partners, taken as one
		if r := resourceOf(tr, id); r.Gathered() && r.Capacity > 0 && r.Together == g.Size() && trail.UsedBy(r, g) {
			ts = append(ts, core.Target{Path: path, Factor: float64(r.Capacity)})
		}
	}
	for _, l := range m.Locks {
		bigger(l.ID, "locks/"+l.ID+"/capacity")
	}
	for _, q := range m.Queues {
		if q.ID != trail.QueueRequests {
			bigger(q.ID, "queues/"+q.ID+"/capacity")
		}
	}
	partners := partners(tr, m, g)
	if sharesStatically(tr, g, len(partners) > 0) {
		ts = append(ts, divides(tr, m, g)...)
	}
	return append(ts, addTargets(partners, counted(tr, m, g))...)
}

func sourceParameter(s *core.Source) core.Parameter {
	if s.Kind == core.Closed {
		n := float64(s.Population)
		return core.Parameter{Name: "connections", Unit: "users", Default: n, Min: 1, Max: 100000, Integer: true,
			Targets:      []core.Target{{Path: "sources/" + s.ID + "/population"}},
			SupportedMin: 1, SupportedMax: n * trail.RangeFactor, How: "load connections={value}",
			Description: "clients, each with one request at a time"}
	}
	return core.Parameter{Name: "rate", Unit: "1/s", Default: s.Rate, Min: s.Rate / 1000, Max: s.Rate * 1000,
		Targets:      []core.Target{{Path: "sources/" + s.ID + "/rate_per_s"}},
		SupportedMin: s.Rate / trail.RangeFactor, SupportedMax: s.Rate * trail.RangeFactor, How: "load rate={value}",
		Description: "requests per second"}
}

func SizeParameter(path, id string, n int, unit string) core.Parameter {
	name := id[strings.LastIndexByte(id, ' ')+1:] + "-capacity"
	far := min(float64(n)*trail.RangeFactor, math.MaxInt32)
	return core.Parameter{Name: name, Unit: unit, Default: float64(n), Min: 0, Max: max(1<<20, far), Integer: true,
		Targets:      []core.Target{{Path: path}},
		SupportedMin: 1, SupportedMax: far, Description: "capacity of " + id}
}

// capacityParameter returns the capacity of a channel. What stands for several has
// as many places times that.
func capacityParameter(tr *trail.Trail, path, id string, n int, unit string) core.Parameter {
	for _, r := range tr.Resources {
		if r.ID == id && r.Gathered() && r.Capacity > 0 {
			p := SizeParameter(path, id, r.Capacity, unit)
			p.Targets[0].Factor = float64(r.Together)
			p.Max = min(p.Max, math.Floor(math.MaxInt32/float64(r.Together)))
			return p
		}
	}
	return SizeParameter(path, id, n, unit)
}

// knob is a parameter with the place in the program that it stands for.
type knob struct {
	core.Parameter
	use     trace.UseKind
	place   trace.Frame
	setting string // of the program, that it has its name from; "": none
}
