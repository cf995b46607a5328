package simulation

import (
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
)

// A Director says what the threads of a simulation do next.
type Director string

// Directors.
const (
	// Choose takes the walks of the model where they can answer, else the graph.
	Choose Director = ""
	// AsProbabilities draws every step from the probabilistic call graphs.
	AsProbabilities Director = "graph"
	// AsRecorded lets threads do what those of the recorded run did.
	AsRecorded Director = "walks"
)

// The recorded work that a run must execute, so that its answer counts: between these shares. Source: the
// replays of 65 recordings, of which those outside had gone wrong.
const (
	leastFollowed = 0.95
	mostFollowed  = 1.06
)

// mostForced is the share of waits that may have to be ended because nobody does what they wait for. Such a wait ends where
// nothing else can go on, so it takes no time that threads would not have lost. Convention: of the waits of zstd with one
// thread in place of two, an eighth.
const mostForced = 0.25

// mostMissing is the share of the recorded work that may be missing, or be executed again, where nothing else has an answer. Convention: it is said
// beside the answer.
const mostMissing = 0.25

// unanswered says why the walks of a model cannot answer for a configuration; "": they can.
func unanswered(base, configured *core.Model) string {
	if len(base.Sources) > 0 {
		return "tasks come from outside"
	}
	for i := range base.Graphs {
		for j := range base.Graphs[i].Fragments {
			f, g := &base.Graphs[i].Fragments[j], &configured.Graphs[i].Fragments[j]
			if what := changed(f, g); what != "" {
				return fmt.Sprintf("%s of %q were not recorded", what, f.ID)
			}
		}
	}
	return ""
}

// changed says what of a fragment a configuration changes that walks have no answer for.
func changed(f, g *core.Fragment) string {
	switch {
	case !reflect.DeepEqual(f.Next, g.Next):
		return "other probabilities"
	case f.Out != nil && differs(f.Out.Count, g.Out.Count), f.Spawn != nil && differs(f.Spawn.Count, g.Spawn.Count):
		return "other numbers"
	}
	return ""
}

// differs reports whether two laws differ that have more than one value: a constant is taken from the configuration.
func differs(a, b core.Distribution) bool {
	return !reflect.DeepEqual(a, b) && a.Kind != core.Constant
}

// recorded returns the walks that threads can follow in a configuration, if that is wanted; nil: they cannot, and
// why. kept: loops that go round once for each thread go round as often as recorded, of however many threads.
func (c *compiler) recorded(base *core.Model, d Director, kept bool) (w *core.Walks, why string) {
	if d == AsProbabilities || len(base.Walks) == 0 {
		if d == AsRecorded {
			return nil, "the model has none"
		}
		return nil, ""
	}
	if !c.ending {
		return nil, "the program does not end by itself"
	}
	if why := unanswered(base, c.m); why != "" {
		return nil, why
	}
	w, err := core.UnpackWalks(base.Walks)
	if err != nil {
		return nil, err.Error()
	}
	c.drained = c.drainedQueues(w)
	for _, d := range base.Departures(w) {
		if d.Kind != core.Times { // those are scaled
			return nil, d.String()
		}
	}
	all, more, why := sharesOf(base, c.m, kept)
	if why != "" {
		return nil, why
	}
	if len(more) > 0 {
		if w = more.deal(base, c.m, w); w == nil {
			return nil, "its rounds cannot be repeated"
		}
	}
	for _, s := range all {
		if w = s.deal(base, w); w == nil {
			return nil, fmt.Sprintf("the rounds of %q cannot be shared otherwise than in the recording", slices.Min(slices.Collect(maps.Keys(s.bodies))))
		}
	}
	for k, p := range base.Pools {
		now := c.m.Pools[k].Size
		if now == p.Size || slices.ContainsFunc(all, func(s shares) bool { return s.pool == p.ID }) {
			continue
		}
		if placed := dealPlaces(base, w, p.ID, p.Size, now); placed != nil {
			w = placed
		} else {
			w = cutsOf(base, c.m, k).deal(base, keepLeads(base, w, p.ID, p.Size, now), p.ID)
		}
	}
	return w, ""
}

// attempt is a way to follow walks.
type attempt struct {
	inOrder bool    // every thread does what it did; else whoever takes a task does what belongs to it
	forced  float64 // share of waits that may end as nobody does what they wait for
}

// anyhow reports whether threads go on whatever they wait for that nobody does, and whatever that makes of the answer.
func (a attempt) anyhow() bool { return a.forced >= 1 }

// attempts are those that are made, one after the other, until an answer counts.
func attempts() []attempt { return []attempt{{}, {inOrder: true}, {forced: mostForced}} }

// lastResort is made where the graph has no answer either: threads execute the recorded work all the same.
func lastResort() []attempt { return []attempt{{forced: 1}} }

// answered conducts the configuration by the walks, if there are any, or else by the graph; why: they cannot answer.
func (c *conductor) answered(ctx context.Context, compiled *compiler, base *core.Model, w *core.Walks, why string) *Result {
	p, before := compiled.program, c.result
	if w != nil {
		var r *Result
		if r, why = c.byWalks(ctx, compiled, w, attempts()); r != nil {
			return r
		}
	}
	r := c.byGraph(ctx, p, why)
	if t, ends := r.Find("T program mean"); r.Interrupted || !ends || t.Estimate.N > 0 {
		return r
	}
	if w == nil {
		if w, _ = compiled.recorded(base, c.options.Director, true); w == nil {
			return r
		}
	}
	c.result = before
	c.progress.restart()
	if forced, _ := c.byWalks(ctx, compiled, w, lastResort()); forced != nil {
		return forced
	}
	return r
}

// byWalks conducts the configuration by the walks. nil: their answer does not count, and why.
func (c *conductor) byWalks(ctx context.Context, compiled *compiler, w *core.Walks, ways []attempt) (r *Result, why string) {
	c.scripted, c.result.Director = true, AsRecorded
	for _, a := range ways {
		p, err := compiled.following(w, a)
		switch {
		case err != nil && why == "":
			return nil, err.Error()
		case err != nil:
			continue
		}
		c.simulator, c.broken = p, nil
		c.walks, c.way = w, a
		if r := c.conduct(ctx); r != nil {
			return r, ""
		}
		if why == "" {
			why = c.deviation
		}
		c.progress.restart()
	}
	return nil, why
}

// deviates says why the answer of runs that followed walks in a way does not count; "": it does.
func deviates(done []outcome, way attempt) string {
	least, most := leastFollowed, mostFollowed
	if way.anyhow() {
		least, most = 1-mostMissing, 1+mostMissing
	}
	for _, o := range done {
		switch {
		case o.Halted, o.Broken, o.Endless:
			return "threads wait for what nobody does: " + strings.Join(o.Warnings, "; ")
		case o.Strays > 0:
			return "how much threads do depends on when others end it"
		case o.Miscast > 0:
			return "every thread has its own tasks, and there were other threads"
		case o.Forced > way.forced:
			return fmt.Sprintf("%s of the waits were for what nobody did", units.Share(o.Forced))
		case o.Ended && o.Untaken > 1-least:
			return fmt.Sprintf("nobody took %s of what was sent", units.Share(o.Untaken))
		case o.Ended && (o.Followed < least || o.Followed > most):
			return fmt.Sprintf("%s of the recorded work was executed", units.Share(o.Followed))
		}
	}
	return ""
}

// departures say how runs that followed walks, and whose answer counts all the same, went other ways than the recorded one.
func departures(done []outcome) (warnings []string) {
	forced, followed := 0.0, 1.0
	for _, o := range done {
		forced = max(forced, o.Forced)
		if o.Ended && math.Abs(o.Followed-1) > math.Abs(followed-1) {
			followed = o.Followed
		}
	}
	if forced > 0 {
		warnings = append(warnings, fmt.Sprintf("as recorded, but %s of the waits were for what nobody did, and ended where nothing else could go on", units.Share(forced)))
	}
	if followed < leastFollowed || followed > mostFollowed {
		warnings = append(warnings, fmt.Sprintf("as recorded, but %s of the recorded work was executed", units.Share(followed)))
	}
	return warnings
}

// byGraph conducts the configuration by the graph; why: the walks could not answer.
func (c *conductor) byGraph(ctx context.Context, p *program, why string) *Result {
	c.simulator, c.scripted, c.broken = p, false, nil
	c.result.Director = Choose
	if why != "" {
		c.result.Director = AsProbabilities
		c.result.Warnings = append(c.result.Warnings, "as probabilities, not as recorded: "+why)
	}
	return c.conduct(ctx)
}
