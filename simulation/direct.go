package simulation

import (
	"context"
	"fmt"
	"reflect"
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
	case f.Loop != nil && !reflect.DeepEqual(f.Loop.Count, g.Loop.Count):
		return "other numbers of iterations"
	case f.Out != nil && differs(f.Out.Count, g.Out.Count), f.Spawn != nil && differs(f.Spawn.Count, g.Spawn.Count):
		return "other numbers"
	}
	return ""
}

// differs reports whether two laws differ that have more than one value: a constant is taken from the configuration.
func differs(a, b core.Distribution) bool {
	return !reflect.DeepEqual(a, b) && a.Kind != core.Constant
}

// direct makes a program follow the walks of its model, if that is wanted and possible, and says why not.
func (c *compiler) direct(base *core.Model, d Director) (why string) {
	if d == AsProbabilities || len(base.Walks) == 0 {
		if d == AsRecorded {
			return "the model has none"
		}
		return ""
	}
	if !c.ending {
		return "the program does not end by itself"
	}
	if why := unanswered(base, c.m); why != "" {
		return why
	}
	w, err := core.UnpackWalks(base.Walks)
	if err != nil {
		return err.Error()
	}
	for _, d := range base.Departures(w) {
		if d.Kind != core.Times { // those are scaled
			return d.String()
		}
	}
	s, err := c.compileScripts(w)
	if err != nil {
		return err.Error()
	}
	c.scripts = s
	return ""
}

// deviates says why the answer of runs that followed walks does not count; "": it does.
func deviates(done []outcome) string {
	for _, o := range done {
		switch {
		case o.Halted, o.Broken:
			return "threads wait for what nobody does: " + strings.Join(o.Warnings, "; ")
		case o.Strays > 0:
			return "how much threads do depends on when others end it"
		case o.Ended && (o.Followed < leastFollowed || o.Followed > mostFollowed):
			return fmt.Sprintf("%s of the recorded work was executed", units.Share(o.Followed))
		}
	}
	return ""
}

// byGraph conducts the configuration by the graph, where the walks could not answer.
func (c *conductor) byGraph(ctx context.Context, p *program, why string) *Result {
	q := *p
	q.scripts = nil
	c.simulator, c.scripted, c.broken = &q, false, nil
	if c.result.Director = Choose; p.scripts != nil || why != "" {
		c.result.Director = AsProbabilities
	}
	c.progress.restart()
	if why != "" {
		c.result.Warnings = append(c.result.Warnings, "as probabilities, not as recorded: "+why)
	}
	return c.conduct(ctx)
}
