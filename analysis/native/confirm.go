package native

import (
	"cmp"
	"context"
	"debug/elf"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// There is no source that tells what a number on the command line decides. A short run with the next number does: what
// there are more of follows it.
//
//	pigz -p 2: 2 threads started at pigz+0x11450, 7 permits        pigz -p 3: 3 threads, 9 permits
//	           threads = p, permits = 2·p + 3
const (
	confirmTime = 20 * time.Second // CPU time for all runs. Convention, sensitivity none: about what those for the overhead take
	confirmMost = 256              // no program has more threads than that by default. Convention, sensitivity none
	roomRecords = 200_000          // records of a run that show what is full by then. Convention: far more than most runs have
	confirmMore = 2                // times that both runs are repeated which do not tell whether threads share. Convention, sensitivity none
)

// counts are how many threads of each place live at a time at most, how many permits the semaphores made at each place have, and
// how much room there is in the queues that somebody had to wait for.
type counts map[trace.UseKind]map[spot]int

// spot is a place in the program, as its calls lead there: wrappers start threads of several kinds at one place. Threads of one
// kind may be started at several: a vector of threads that grows starts some of them where it moves.
type spot struct {
	at    trace.Frame
	calls string
	kind  string // of threads: what they run, and which functions of the program start them
}

func spotOf(frames []trace.Frame) spot {
	s := spot{at: trace.UserFrame(frames)}
	for _, f := range frames {
		s.calls += " " + trace.Spot(f)
	}
	return s
}

// startOf is where a thread is started.
func startOf(t *trace.Trace, th *trace.Thread) spot {
	s := spotOf(trace.FramesAt(t.Sites, th.Creator))
	s.kind = th.Start
	for _, f := range trace.FramesAt(t.Sites, th.Creator) {
		if !f.Std {
			s.kind += " " + f.Function
		}
	}
	return s
}

// alike is how many threads there are of the kind that is started at a place, and at how many places.
func (c counts) alike(at spot) (threads, places int) {
	for s, n := range c[trace.UseSpawn] {
		if s.kind == at.kind {
			threads, places = threads+n, places+1
		}
	}
	return threads, places
}

// count counts them in a recorded run.
func count(t *trace.Trace) counts {
	c := counts{trace.UseSpawn: {}, trace.UseLimit: {}, trace.UseCapacity: {}}
	lives := map[spot][]trace.Change{}
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Creator >= 0 {
			at := startOf(t, th)
			lives[at] = append(lives[at], trace.Change{At: th.Born, By: +1}, trace.Change{At: cmp.Or(th.Ended, t.End), By: -1})
		}
	}
	for at, cs := range lives {
		_, c[trace.UseSpawn][at] = trace.Running(cs, false)
	}
	for i := range t.Objects {
		if o := &t.Objects[i]; o.Kind == "semaphore" {
			c[trace.UseLimit][spot{at: placeOf(t, o)}] += int(o.Capacity)
		}
	}
	c.room(t)
	return c
}

// room notes the capacities of the queues and the permits of the stocks that a program makes of locks and conditions, as a
// model of the beginning of the run has them.
func (c counts) room(t *trace.Trace) {
	m, _, err := analysis.Build(trail.Input{Trace: t.Beginning(roomRecords)}, trail.Options{})
	if err != nil {
		return // the run that is analysed may have a model all the same
	}
	for _, q := range m.Queues {
		if q.Capacity > 0 {
			c[trace.UseCapacity][spot{at: trace.PlaceOf(q.Origin)}] = q.Capacity
		}
	}
	for _, l := range m.Locks {
		if at := (spot{at: trace.PlaceOf(l.Origin)}); l.Kind == core.Semaphore && l.Permits > 1 && c[trace.UseLimit][at] == 0 {
			c[trace.UseLimit][at] = l.Permits
		}
	}
}

// placeOf is where an object is made, or, as static ones are not, first used.
func placeOf(t *trace.Trace, o *trace.Object) trace.Frame {
	site := o.Site
	for i := 0; site < 0 && i < len(t.Threads); i++ {
		if k := slices.IndexFunc(t.Threads[i].Records, func(r trace.Record) bool { return r.Object == o.ID }); k >= 0 {
			site = t.Threads[i].Records[k].Site
		}
	}
	return trace.UserFrame(trace.FramesAt(t.Sites, site))
}

// teamThreads is the variable that says how many threads a team of OpenMP has, where the program does not.
const teamThreads = "OMP_NUM_THREADS"

// unsaid are the numbers that a run does not give a program that has teams of OpenMP: it has as many threads as there are cores then.
func unsaid(f *elf.File, w trace.Workload) []settings.Number {
	if _, given := w.Env[teamThreads]; given || !slices.ContainsFunc(slices.Collect(maps.Values(imports(f))), func(name string) bool { return strings.HasPrefix(name, "GOMP_parallel") }) {
		return nil
	}
	n, err := strconv.Atoi(os.Getenv(teamThreads))
	if err != nil {
		n = cmp.Or(w.Cores, runtime.NumCPU())
	}
	return []settings.Number{settings.Unsaid(teamThreads, n)}
}

// confirm returns the numbers that the run gives the program, each with what it decides. Those that were not tried are left out.
func (t Target) confirm(ctx context.Context, s *subject, w trace.Workload, numbers []settings.Number, tell func(float64, string, ...any)) ([]trace.Setting, error) {
	var base counts
	var share map[string]float64
	var out []trace.Setting
	spent, longest := time.Duration(0), time.Duration(0)
	record := func(w trace.Workload) (run, error) {
		r, err := t.record(ctx, s, w)
		spent, longest = spent+r.outcome.CPU, max(longest, r.outcome.CPU)
		return r, err
	}
	for _, n := range numbers {
		if n.Value < 1 || n.Value > confirmMost || !n.Flag() && base != nil && !base.has(n.Value) {
			continue
		}
		var err error
		if base == nil {
			first, err := t.few(ctx, s, w)
			if err != nil || first.outcome.Stopped {
				return nil, err
			}
			spent, longest = first.outcome.CPU, first.outcome.CPU
			base, share = count(first.trace), shares(first.trace)
			if !n.Flag() && !base.has(n.Value) {
				continue
			}
		}
		if spent+longest > confirmTime {
			break
		}
		tell(0.5, "a run with %s %d", n.Name, n.Value+1)
		next, err := record(n.In(w, n.Value+1))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || next.outcome.Stopped {
			continue // a number that the program refuses
		}
		with, less := count(next.trace), shares(next.trace)
		n.Setting.Tried = true
		if n.Setting.Uses = base.follow(with, n.Value); n.Initial != 0 && len(n.Setting.Uses) == 0 {
			continue // nobody gave it, and it changes nothing
		}
		how, sure := base.divided(with, n.Setting.Uses, n.Value, share, less)
		for range confirmMore {
			if sure || spent+2*longest > confirmTime {
				break
			}
			tell(0.5, "runs with %s %d and %d again", n.Name, n.Value, n.Value+1)
			one, err := record(w)
			if err != nil || one.outcome.Stopped {
				break
			}
			more, err := record(n.In(w, n.Value+1))
			if err != nil || more.outcome.Stopped {
				break
			}
			share, less = least(share, shares(one.trace)), least(less, shares(more.trace))
			how, sure = base.divided(with, n.Setting.Uses, n.Value, share, less)
		}
		n.Setting.Uses = append(n.Setting.Uses, how...)
		out = append(out, n.Setting)
	}
	return out, nil
}

// has reports whether something is counted that there are n of.
func (c counts) has(n int) bool {
	for _, places := range c {
		for _, m := range places {
			if m == n {
				return true
			}
		}
	}
	return false
}

// spots lists the places of a kind, in order.
func (c counts) spots(kind trace.UseKind) []spot {
	return slices.SortedFunc(maps.Keys(c[kind]), func(a, b spot) int {
		return cmp.Or(cmp.Compare(trace.Spot(a.at), trace.Spot(b.at)), cmp.Compare(a.calls, b.calls), cmp.Compare(a.kind, b.kind))
	})
}

// follow returns what there were more of with the next number, with the straight line through both.
func (c counts) follow(next counts, value int) (uses []trace.SettingUse) {
	for _, kind := range []trace.UseKind{trace.UseSpawn, trace.UseLimit, trace.UseCapacity} {
		for _, at := range c.spots(kind) {
			grows := func(n, to int) {
				if slope := to - n; slope > 0 {
					uses = append(uses, trace.SettingUse{Kind: kind, Frame: at.at, Value: core.Linear{Factor: float64(slope), Offset: float64(n - slope*value)}})
				}
			}
			grows(c[kind][at], next[kind][at])
			all, places := c.alike(at)
			if then, thenPlaces := next.alike(at); kind == trace.UseSpawn && at.kind != "" && max(places, thenPlaces) > 1 {
				grows(all, then)
			}
		}
	}
	return uses
}
