package analysis

import (
	"fmt"
	"path"
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
		out[i].Targets = append(out[i].Targets, k.Targets...)
	}
	return out
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
	return append(ts, partners...)
}

func usedBy(r *resource, g *group) bool {
	for _, u := range r.uses {
		if u.group == g {
			return true
		}
	}
	return false
}

// sharesStatically reports whether each thread of the pool does a fixed part
// of a fixed amount of work, so that more threads have less to do each. A
// pool that takes tasks from a queue shares dynamically: nothing has to
// change.
//
// A pool whose threads are sent messages does too, unless as many are sent as there
// are threads (partners) and the program divides something by their number.
func (b *build) sharesStatically(g *group, partners bool) bool {
	if b.opt.Scaling == ScalingWeak || g.lazy {
		return false
	}
	fetches := false
	for _, q := range g.seqs {
		fetches = fetches || slices.ContainsFunc(q.steps, func(s step) bool { return s.node.fetched() })
	}
	if fetches && !partners {
		return false
	}
	if b.opt.Scaling == ScalingStrong {
		return true
	}
	if !fetches && b.untilTold(g) {
		b.assume(fmt.Sprintf("pool %s works until it is told to stop: every thread brings its own work", g.name))
		return false
	}
	if s, u, ok := b.dividedBy(g); ok {
		b.assume(fmt.Sprintf("pool %s: its work is divided by %s at %s:%d", g.name, s.Name, path.Base(u.Frame.File), u.Frame.Line))
		return true
	}
	if b.in.Facts != nil && slices.ContainsFunc(b.in.Facts.Repeats, func(f Frame) bool { return samePlace(f, g.place) }) {
		b.assume(fmt.Sprintf("pool %s: every thread brings its own work, as its loops count to what does not depend on how many threads there are (--scaling strong: a fixed amount is divided)", g.name))
		return false
	}
	if fetches || served(g) {
		b.assume(fmt.Sprintf("pool %s: each of its threads does as much for a message however many they are", g.name))
		return false
	}
	b.assume(fmt.Sprintf("pool %s takes no tasks from a queue: a fixed amount of work is assumed to be divided among its threads (--scaling weak: every thread brings its own)", g.name))
	return true
}

// untilTold reports whether what a resource does ends the loops of the pool's
// threads, such as a channel that is closed: they have no amount of work to share.
func (b *build) untilTold(g *group) bool {
	for _, l := range b.forests[g] {
		for _, e := range l.entries {
			if e.ended && l.leftByResource(e) {
				return true
			}
		}
	}
	return false
}

// dividedBy returns the setting that decides the size of the pool and that
// something is divided by, or counted in steps of: evidence that the work is
// shared out.
func (b *build) dividedBy(g *group) (Setting, SettingUse, bool) {
	if b.in.Facts == nil {
		return Setting{}, SettingUse{}, false
	}
	for _, s := range b.in.Facts.Inputs {
		starts := false
		for _, u := range s.Uses {
			starts = starts || u.Kind == UseSpawn && samePlace(u.Frame, g.place)
		}
		for _, u := range s.Uses {
			if starts && (u.Kind == UseDivisor || u.Kind == UseStride) {
				return s, u, true
			}
		}
	}
	return Setting{}, SettingUse{}, false
}

// divides returns the targets that share the work of g out: outer loops whose
// rounds the threads go through together stay as they are; other loops make
// fewer iterations, and what is outside of them takes less time.
func (b *build) divides(m *core.Model, g *group) []core.Target {
	n := float64(g.size())
	inLoop := b.dividedLoops(g)
	var ts []core.Target
	for _, graph := range m.Graphs {
		if graph.ID != g.name {
			continue
		}
		ids := map[string]*vertex{}
		for i, v := range b.graphs[g].vertices {
			ids[graph.Fragments[i].ID] = v
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			v := ids[f.ID]
			path := "graphs/" + graph.ID + "/fragments/" + f.ID
			switch {
			case f.Class == core.LoopFragment && inLoop[v.key.from.loop] == dividedHere:
				ts = append(ts, core.Target{Path: path + "/iterations", Factor: n * f.Loop.Count.Expectation(), Power: -1})
			case f.Class == core.CPUFragment && !b.inside(v, inLoop):
				ts = append(ts, core.Target{Path: path + "/scale", Factor: n, Power: -1})
			}
		}
	}
	return ts
}

type division int

const (
	undivided   division = iota
	dividedHere          // this loop makes fewer iterations
)

// dividedLoops returns the outermost exact loops of g that do not go round
// together with other threads.
func (b *build) dividedLoops(g *group) map[*loop]division {
	out := map[*loop]division{}
	var visit func(l *loop)
	visit = func(l *loop) {
		lockstep := false
		for n := range l.members {
			switch {
			case n.class == core.OutFragment: // brings tasks, waits for nobody in particular
			case n.op == OpBarrier, n.op == OpCondWait, n.op == OpWaitGroup, n.op == OpReceive, n.op == OpSend, n.op == OpSelect:
				lockstep = true
			case n.class == core.SpawnFragment, n.class == core.JoinFragment:
				lockstep = true
			}
		}
		if !lockstep && l.exact {
			out[l] = dividedHere
			return
		}
		for _, in := range l.inner {
			visit(in)
		}
	}
	for _, l := range b.forests[g] {
		visit(l)
	}
	return out
}

// inside reports whether a computation is inside a divided loop.
func (b *build) inside(v *vertex, loops map[*loop]division) bool {
	for l := range loops {
		in := func(n *node) bool { return l.members[n] || n.loop == l || n.of != nil && l.members[n.of] }
		if in(v.key.from) && in(v.key.to) {
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
	return core.Parameter{Name: name, Unit: unit, Default: float64(n), Min: 0, Max: 1 << 20, Integer: true,
		Targets:      []core.Target{{Path: path}},
		SupportedMin: 1, SupportedMax: float64(n * rangeFactor), Description: "capacity of " + id}
}

// capacityParameter returns the capacity of a channel. What stands for several has
// as many places times that.
func (b *build) capacityParameter(path, id string, n int, unit string) core.Parameter {
	for _, r := range b.resources {
		if r.id == id && r.gathered() && r.capacity > 0 {
			p := sizeParameter(path, id, r.capacity, unit)
			p.Targets[0].Factor = float64(r.together)
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

// nameByInputs gives a parameter the name of the flag or environment variable
// that the program reads it from, and says how to set it.
func (b *build) nameByInputs(ks []knob) []knob {
	taken := map[string]bool{}
	used := map[string]int{}
	for i := range ks {
		k := &ks[i]
		if s, ok := b.settingOf(k); ok && !taken[s.Name] {
			taken[s.Name] = true
			k.setting = s.Name
			k.Name = strings.ToLower(strings.TrimLeft(s.Name, "-"))
			k.How = s.Name + " {value}"
			if property, ok := strings.CutPrefix(s.Name, "-D"); ok && b.t.Language == "java" {
				k.Name, k.How = property, s.Name+"={value}"
			}
			if s.Env {
				k.How = s.Name + "={value}"
			}
			if IsArgument(s.Name) {
				k.Name, k.How = strings.ReplaceAll(s.Name, " ", "-"), s.Name+" {value}"
			}
		}
		used[k.Name]++
		if n := used[k.Name]; n > 1 {
			k.Name = fmt.Sprintf("%s-%d", k.Name, n)
		}
	}
	return ks
}

// settingOf finds the program's setting that decides k: the one that the scan
// followed to the statement, or else the only flag of the run with the same
// value, or the only argument, which is a guess.
func (b *build) settingOf(k *knob) (Setting, bool) {
	if k.use == "" {
		return Setting{}, false
	}
	if s, ok := b.followed(k); ok {
		return s, true
	}
	var same []string
	for f, v := range flagValues(b.in.Workload.Args) {
		if v == fmt.Sprintf("%g", k.Default) && !b.decidesOther(f, k.use) {
			same = append(same, f)
		}
	}
	if len(same) == 0 {
		same = argumentsWith(b.in.Workload.Args, fmt.Sprintf("%g", k.Default))
	}
	if len(same) != 1 || k.use == UseCores {
		return Setting{}, false
	}
	if k.Description == "" { // asked for by the way
		return Setting{Name: same[0]}, true
	}
	b.assume(fmt.Sprintf("%s is taken to be what sets the %s, because both are %g", same[0], k.Description, k.Default))
	return Setting{Name: same[0]}, true
}

// followed returns the setting that the scan followed to the statement. Of
// several, such as the bounds of two loops around a go statement, it is the one
// that had the parameter's value in the run, or at least no other one.
func (b *build) followed(k *knob) (found Setting, ok bool) {
	if b.in.Facts == nil {
		return found, false
	}
	values := flagValues(b.in.Workload.Args)
	best := 0
	for _, s := range b.in.Facts.Inputs {
		if s.Machine != "" {
			continue
		}
		for _, u := range s.Uses {
			if u.Kind != k.use || k.use != UseCores && !samePlace(u.Frame, k.place) {
				continue
			}
			fits := 1
			if v, given := values[s.Name]; !given {
				fits = 2
			} else if v == fmt.Sprintf("%g", k.Default) {
				fits = 3
			}
			if fits == 1 && k.use == UseLimit {
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
// neither flags nor their values and are the given text.
func argumentsWith(args []string, text string) (names []string) {
	for i, a := range args {
		flag := i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=")
		if a == text && !flag {
			names = append(names, fmt.Sprintf("%s%d", argument, i+1))
		}
	}
	return names
}

// argument begins the name of a setting that is an argument without a flag.
const argument = "argument "

// IsArgument reports whether the name of a setting, or the template that says how
// it is given, means an argument by its place: "argument 2", "argument 2 {value}".
func IsArgument(name string) bool { return strings.HasPrefix(name, argument) }

// decidesOther reports whether the scan found that a flag decides something
// else.
func (b *build) decidesOther(flag string, use UseKind) bool {
	if b.in.Facts == nil {
		return false
	}
	for _, s := range b.in.Facts.Inputs {
		if s.Name != flag {
			continue
		}
		for _, u := range s.Uses {
			if u.Kind != use && u.Kind != UseLoop {
				return true
			}
		}
	}
	return false
}

// assume notes something that one run cannot show.
func (b *build) assume(what string) {
	if !slices.Contains(b.assumed, what) {
		b.assumed = append(b.assumed, what)
	}
}

// samePlace compares places of two front ends' making: by line and file name,
// as one may know the full path and the other not.
func samePlace(a, b Frame) bool {
	return a.Line == b.Line && a.Line > 0 && path.Base(a.File) == path.Base(b.File)
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
