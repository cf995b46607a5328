package settings

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/demand"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// quantity is a number of the model that may be turned, as a parameter in its own
// units.
type quantity struct {
	core.Parameter
	use   trace.UseKind // what a setting has to decide; "": no setting is looked for
	place trace.Frame   // where
	pools []*trail.Pool // whose size it is
	quiet bool          // one thread with one job, one place that is a signal: a knob only if something sets it
	by    *claim        // of the setting that drives it
	asked *use          // of the number of the machine that it follows where nobody sets it
	hosts float64       // of the size of a pool: so many of its threads are who starts the others
	aside bool          // of the size of a pool: one thread more does the same work, which its setting counts too
}

// list returns the numbers of the model in the order of its parameters.
func (s *solver) list(rounds []*quantity) []*quantity {
	tr, m := s.tr, s.m
	qs := []*quantity{cores(tr, m)}
	for _, g := range tr.Modelled {
		if q := s.rate(g); q != nil {
			qs = append(qs, q)
		} else if in := s.startedIn(g); in != nil || g.Burst > 0 || g.Kind == trail.PoolFixed && !tr.IsSpawned(g) {
			guests := g.Guests()
			own := max(g.Size()-guests, 1)
			p := counted(g.Name+"-threads", "threads", float64(own), 1024, "pools/"+g.Name+"/size", "threads started at "+trace.ShortPlace(g.Place))
			p.Targets[0].Offset = float64(g.Size() - own)
			if in != nil {
				p.Targets = append(p.Targets, core.Target{Path: in.path})
			}
			qs = append(qs, &quantity{Parameter: p, use: trace.UseSpawn, place: g.Place, pools: []*trail.Pool{g}, hosts: float64(g.Hosts()), quiet: own == 1 && guests == 0})
		}
	}
	qs = append(append(qs, rounds...), s.sleeps()...)
	for i := range m.Sources {
		qs = append(qs, load(&m.Sources[i]))
	}
	for _, q := range m.Queues {
		if q.Capacity > 0 {
			qs = append(qs, capacity(tr, "queues/", q.ID, q.Capacity, "tasks", trace.PlaceOf(q.Origin)))
		}
	}
	for i := range m.Locks {
		switch l := &m.Locks[i]; {
		case l.Kind == core.Channel && l.Capacity >= 1:
			q := capacity(tr, "locks/", l.ID, l.Capacity, "items", trace.PlaceOf(l.Origin))
			q.quiet = l.Capacity == 1 || limits(tr, l.ID)
			qs = append(qs, q)
		case l.Kind == core.Semaphore && (l.Permits > 1 || !resourceOf(tr, l.ID).Gate): // as many as may be on their way, or none
			qs = append(qs, &quantity{Parameter: permitsParameter(tr, m, l), use: trace.UseLimit, place: s.in.onlyPlace(trace.UseLimit, trace.PlaceOf(l.Origin))})
		}
	}
	if p, ok := demand.CollectorParameter(tr, m); ok {
		qs = append(qs, &quantity{Parameter: p})
	}
	if p, ok := demand.CompilerParameter(tr); ok {
		qs = append(qs, &quantity{Parameter: p})
	}
	return joined(qs)
}

// joined makes one quantity of those that stand for the same statement and had the
// same value: a function that is called from several places has a pool, or a
// queue, for each of them. What starts threads that begin in different functions has a number for each.
func joined(qs []*quantity) (out []*quantity) {
	for _, q := range qs {
		i := slices.IndexFunc(out, func(o *quantity) bool {
			return q.use != "" && q.use != trace.UseLoop && q.use == o.use && trace.SamePlace(q.place, o.place) && q.place.At == o.place.At && q.Default == o.Default && begins(q) == begins(o)
		})
		if i < 0 {
			out = append(out, q)
			continue
		}
		out[i].Targets = append(out[i].Targets, q.Targets...)
		out[i].pools = append(out[i].pools, q.pools...)
	}
	return out
}

// begins is the function in which the threads begin that a quantity counts; "": it counts none.
func begins(q *quantity) string {
	if len(q.pools) == 0 {
		return ""
	}
	return q.pools[0].Function
}

// counted returns a parameter that counts something, at least one; most is how many
// there may be, or more if there were.
func counted(name, unit string, n, most float64, path, description string) core.Parameter {
	far := min(n*trail.RangeFactor, math.MaxInt32)
	return core.Parameter{Name: name, Unit: unit, Default: n, Min: 1, Max: max(most, n), Integer: true,
		Targets: []core.Target{{Path: path}}, SupportedMin: 1, SupportedMax: far, Description: description}
}

// perSecond returns a parameter that is a rate.
func perSecond(name string, rate float64, t core.Target, description string) core.Parameter {
	return core.Parameter{Name: name, Unit: "1/s", Default: rate, Min: rate / 1000, Max: rate * 1000, Targets: []core.Target{t},
		SupportedMin: rate / trail.RangeFactor, SupportedMax: rate * trail.RangeFactor, Description: description}
}

// CapacityOf begins the description of a parameter for so many places; what has them follows.
const CapacityOf = "capacity of "

// CapacityName is what a parameter for the places of a lock, queue or channel is called.
func CapacityName(id string) string {
	name, number, several := strings.Cut(id, " #") // of several of one place
	if name = name[strings.LastIndexByte(name, ' ')+1:]; several {
		name += "#" + number
	}
	return name + "-capacity"
}

// sizeParameter returns a parameter for so many places, or permits; there may be none.
func sizeParameter(path, id string, n int, unit string) core.Parameter {
	p := counted(CapacityName(id), unit, float64(n), 1<<20, path, CapacityOf+id)
	p.Min, p.Max = 0, max(p.Max, p.SupportedMax)
	return p
}

// HowCPUs says that a program is given its cores by the CPUs that it may run on.
const HowCPUs = "cpus={value}"

func cores(tr *trail.Trail, m *core.Model) *quantity {
	p := counted("cores", "cores", float64(m.CPU.Cores), 256, "cpu/cores", "cores that the program may use")
	p.SupportedMax, p.How = max(p.Default, float64(tr.Trace.Calibration.Cores)), tr.Trace.Runtime.Processors.How()
	return &quantity{Parameter: p, use: trace.UseCores}
}

func load(s *core.Source) *quantity {
	p := perSecond("rate", s.Rate, core.Target{Path: "sources/" + s.ID + "/rate_per_s"}, "requests per second")
	if s.Kind == core.Closed {
		p = counted("connections", "users", float64(s.Population), 100000, "sources/"+s.ID+"/population", "clients, each with one request at a time")
	}
	p.How = "load " + p.Name + "={value}"
	return &quantity{Parameter: p}
}

// rate returns the limit of the limiter that a pool stands for: how often it sends a
// token; nil if it stands for none.
func (s *solver) rate(g *trail.Pool) *quantity {
	if g.Start != trace.LimiterStart {
		return nil
	}
	fs := graphOf(s.m, g).Fragments
	i := slices.IndexFunc(fs, func(f core.Fragment) bool { return f.Periodic })
	if i < 0 {
		return nil
	}
	f := &fs[i]
	// a period is a whole number of ns, a limit has a few digits
	limit, _ := strconv.ParseFloat(strconv.FormatFloat(1/f.Delay.Expectation(), 'g', 5, 64), 64)
	p := perSecond(g.Name+"-rate", limit, core.Target{Path: fragment(g, f) + "/scale", Factor: limit, Power: -1}, "events per second that the limiter at "+trace.ShortPlace(g.Place)+" lets pass")
	return &quantity{Parameter: p, use: trace.UseRate, place: s.in.onlyPlace(trace.UseRate, g.Place)}
}

// fragment is the path of a fragment of the graph of a pool.
func fragment(g *trail.Pool, f *core.Fragment) string {
	return "graphs/" + g.Name + "/fragments/" + f.ID
}

// capacity returns the capacity of a channel, which is given where it is made or, of
// a home-made queue, tested. What stands for several channels has as many places
// times that.
func capacity(tr *trail.Trail, kind, id string, n int, unit string, place trace.Frame) *quantity {
	path := kind + id + "/capacity"
	q := &quantity{Parameter: sizeParameter(path, id, n, unit), use: trace.UseCapacity, place: place}
	r := resourceOf(tr, id)
	if r.Gathered() && r.Capacity > 0 {
		q.Parameter = sizeParameter(path, id, r.Capacity, unit)
		q.Targets[0].Factor = float64(r.Together)
		q.Max = min(q.Max, math.Floor(math.MaxInt32/float64(r.Together)))
	}
	if r.Limited != (trace.Frame{}) {
		q.place = r.Limited
	}
	return q
}

// limits reports whether a channel holds the tokens of a limiter: how many it lets pass at once is a number of the
// program's only if something sets it.
func limits(tr *trail.Trail, id string) bool {
	return slices.ContainsFunc(resourceOf(tr, id).Uses, func(u trail.Use) bool { return u.Pool.Start == trace.LimiterStart })
}

// resourceOf returns the resource that a lock or queue of the model with places stands for.
func resourceOf(tr *trail.Trail, id string) *trail.Resource {
	return tr.Resources[slices.IndexFunc(tr.Resources, func(r *trail.Resource) bool { return r.ID == id })]
}
