package explain

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation"
)

// Class says how a finding is meant.
type Class string

// Classes of findings.
const (
	Problem Class = "problem" // it costs much, beyond doubt
	Hint    Class = "hint"    // worth a look
	Fine    Class = "fine"    // checked, and nothing found
	Unknown Class = "unknown" // not enough data to tell
)

// Finding is the outcome of one rule.
type Finding struct {
	Class   Class  `json:"class"`
	Score   int    `json:"score"` // 0…100: how much there is to gain
	Of      string `json:"of"`    // what it is about, for the evidence
	Summary string `json:"summary"`
	Why     string `json:"why"`
	Try     []Try  `json:"try,omitempty"`
}

// Try is a change that may help: a scenario made from the configuration.
type Try struct {
	Label    string             `json:"label"`
	Settings map[string]float64 `json:"settings,omitempty"`
	Edits    []core.Edit        `json:"edits,omitempty"` // structural changes, on top of the settings
}

// Thresholds of the rules, shares of the mean response time where not said
// otherwise.
const (
	saturated     = 0.90 // utilization from which a resource limits throughput
	busyResource  = 0.50 // utilization from which waiting for it counts
	muchWait      = 0.10 // waiting for one thing: a problem
	someWait      = 0.03 // waiting for one thing: a hint
	problemGain   = 0.05 // lower limit of the gain of the largest speed-up: a problem
	hintGain      = 0.01 // and a hint
	idleThreads   = 0.50 // utilization of a pool below which it is called large
	boundTolerant = 0.02 // by which an estimate may lie outside the bounds by rounding
	fewTasks      = 1000 // completions in all below which nothing is concluded
)

// rules is the list of everything that is checked.
var rules = []func(*inquiry) []Finding{
	checkData, checkStability, checkResources, checkPools, checkReady, checkLocks, checkSections, checkLosses, checkCode, checkBounds,
}

// inquiry is what the rules look at.
type inquiry struct {
	report     *Report
	base       *simulation.Result
	model      *core.Model // without the configuration
	configured *core.Model
	settings   map[string]float64
}

// find applies all rules; findings come by class and score.
func (r *Report) find(m, configured *core.Model, settings map[string]float64) {
	q := &inquiry{r, r.Baseline, m, configured, settings}
	for _, rule := range rules {
		r.Findings = append(r.Findings, rule(q)...)
	}
	order := []Class{Problem, Hint, Unknown, Fine}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		if c := slices.Index(order, a.Class) - slices.Index(order, b.Class); c != 0 {
			return c
		}
		return b.Score - a.Score
	})
}

// score turns a relative gain into points: the whole is 100.
func score(gain float64) int {
	if math.IsNaN(gain) || gain < 0 {
		return 0
	}
	return int(math.Round(100 * min(gain, 1)))
}

// mean returns the mean of a metric; NaN if there is none.
func (q *inquiry) mean(key string) float64 {
	m, ok := q.base.Find(key)
	if !ok {
		return math.NaN()
	}
	return m.Estimate.Mean
}

// candidate returns the ranked candidate of that name.
func (q *inquiry) candidate(of string) (Candidate, bool) {
	i := slices.IndexFunc(q.report.Ranking, func(c Candidate) bool { return c.Of == of })
	if i < 0 {
		return Candidate{}, false
	}
	return q.report.Ranking[i], true
}

// try returns the configuration with one number changed, as a scenario.
func (q *inquiry) try(label, path string, value func(now float64) float64) []Try {
	k, err := q.configured.Lookup(path)
	if err != nil {
		return nil
	}
	changed := q.model.Put(q.settings, path, value(k.Value))
	if _, err := q.model.With(changed); err != nil {
		return nil // not that far
	}
	return []Try{{Label: label, Settings: changed}}
}

// edit returns a structural change, as a scenario.
func (q *inquiry) edit(label string, e core.Edit) []Try {
	if _, err := q.model.Edited(e); err != nil {
		return nil
	}
	return []Try{{Label: label, Settings: maps.Clone(q.settings), Edits: []core.Edit{e}}}
}

func checkData(q *inquiry) []Finding {
	if q.base.Terminating || q.base.Completions >= fewTasks {
		return nil
	}
	return []Finding{{
		Class: Unknown, Of: "run", Summary: "Too few tasks were simulated to conclude much.",
		Why: fmt.Sprintf("%s tasks completed in all replications together; %d are wanted.", units.Count(q.base.Completions), fewTasks),
	}}
}

func checkStability(q *inquiry) []Finding {
	if !q.base.Unstable {
		if q.base.Terminating {
			return nil
		}
		return []Finding{{Class: Fine, Of: "run", Summary: "The system is stable.", Why: "The number of tasks in it does not grow over the simulated time."}}
	}
	why := "The number of tasks in the system grows over the simulated time."
	for _, w := range q.base.Warnings {
		if rest, ok := strings.CutPrefix(w, "unstable: "); ok {
			why = sentence(rest) + "."
		}
	}
	f := Finding{Class: Problem, Score: 100, Of: "run", Summary: "More arrives than can be served.", Why: why}
	for _, s := range q.configured.Sources {
		x := q.mean("X class/" + orDefault(s.Class) + " mean")
		if s.Kind == core.Closed || s.Kind == core.Batch || !(x > 0) {
			continue
		}
		f.Try = append(f.Try, q.try(fmt.Sprintf("%s at %s", s.ID, units.Format(0.9*x, "1/s")), "sources/"+s.ID+"/rate_per_s", func(float64) float64 { return 0.9 * x })...)
	}
	return []Finding{f}
}

func orDefault(class string) string {
	if class == "" {
		return core.DefaultClass
	}
	return class
}

// checkResources looks at the cores and disks.
func checkResources(q *inquiry) []Finding {
	var found []Finding
	var fine []string
	for _, of := range resources(q.configured) {
		u := q.mean("U " + of + " mean")
		c, ranked := q.candidate(of)
		if math.IsNaN(u) || !ranked {
			continue
		}
		gain := c.largest().Gain
		// A resource that is mostly idle makes a task wait for nothing but its
		// own work: that is a matter of the code.
		if u < saturated && (gain.Lo < hintGain || u < busyResource) {
			fine = append(fine, fmt.Sprintf("%s %s", Label(of), units.Share(u)))
			continue
		}
		f := Finding{Class: Hint, Score: score(gain.Lo), Of: of}
		if u >= saturated || gain.Lo >= problemGain {
			f.Class = Problem
		}
		f.Summary = fmt.Sprintf("%s is busy %s of the time.", sentence(Label(of)), units.Share(u))
		if u >= saturated {
			f.Summary = fmt.Sprintf("%s is saturated: busy %s of the time.", sentence(Label(of)), units.Share(u))
		}
		f.Why = q.gainSentence(c)
		if of == "cpu" {
			n := float64(q.configured.CPU.Cores)
			f.Try = q.try(fmt.Sprintf("%g cores", n+1), "cpu/cores", func(now float64) float64 { return now + 1 })
			f.Try = append(f.Try, q.try(fmt.Sprintf("%g cores", 2*n), "cpu/cores", func(now float64) float64 { return 2 * now })...)
		} else {
			path := "disks/" + strings.TrimPrefix(of, "disk/") + "/"
			f.Try = q.try("3 × as fast", path+"speed", func(now float64) float64 { return 3 * now })
			f.Try = append(f.Try, q.try("2 × as many requests at once", path+"depth", func(now float64) float64 { return 2 * now })...)
		}
		found = append(found, f)
	}
	if len(fine) > 0 {
		found = append(found, Finding{Class: Fine, Of: "resources", Summary: "No other processor or disk is short.", Why: "Busy: " + strings.Join(fine, ", ") + "; nobody waits long for them."})
	}
	return found
}

func resources(m *core.Model) []string {
	all := []string{"cpu"}
	for _, d := range m.Disks {
		all = append(all, "disk/"+d.ID)
	}
	return all
}

// gainSentence says what the largest speed-up of a candidate does.
func (q *inquiry) gainSentence(c Candidate) string {
	e := c.largest()
	if !e.Clear() {
		return fmt.Sprintf("Making it %s faster changes the %s by nothing clear: gain %s.", units.Share(e.Faster), q.report.metricName(), gain(e))
	}
	what := fmt.Sprintf("Making it %s faster", units.Share(e.Faster))
	if c.Kind == Pool || c.Kind == Queue {
		what = "The change " + e.Change
	}
	return fmt.Sprintf("%s %s the %s by %s.", what, q.report.betterVerb(), q.report.metricName(), gain(e))
}

// gain writes a gain with its interval: "55.0 % [52.1, 57.9]".
func gain(e Effect) string { return units.Interval(e.Gain.Mean, e.Gain.Lo, e.Gain.Hi, "1") }

// checkPools asks whether a pool has too few threads or far too many.
func checkPools(q *inquiry) []Finding {
	var found []Finding
	var fine []string
	for _, p := range q.configured.Pools {
		of := "pool/" + p.ID
		u := q.mean("U " + of + " mean")
		if math.IsNaN(u) {
			continue
		}
		size := p.Size
		if p.Kind == core.TaskPool || p.Kind == core.SpawnPool {
			size = p.Limit
		}
		c, ranked := q.candidate(of)
		switch {
		case ranked && c.largest().Gain.Lo >= hintGain:
			gain := c.largest().Gain
			f := Finding{Class: Hint, Score: score(gain.Lo), Of: of,
				Summary: fmt.Sprintf("%s has too few threads: %s of %d are busy on average.", sentence(Label(of)), units.Digits(u*float64(size), 2), size),
				Why:     q.gainSentence(c)}
			if gain.Lo >= problemGain {
				f.Class = Problem
			}
			f.Try = []Try{{Label: c.largest().Change, Settings: q.model.Named(c.largest().Settings)}}
			f.Try = append(f.Try, q.try(fmt.Sprintf("%d threads", 2*size), c.path, func(now float64) float64 { return 2 * now })...)
			found = append(found, f)
		case u < idleThreads && size > 2 && p.Kind != core.SpawnPool:
			enough := max(int(math.Ceil(u*float64(size)/idleThreads)), 1)
			found = append(found, Finding{Class: Hint, Of: of,
				Summary: fmt.Sprintf("%s is larger than it needs to be: %s of %d threads are idle.", sentence(Label(of)), units.Share(1-u), size),
				Why:     "Idle threads cost memory, and contention when load peaks.",
				Try:     q.try(units.Plural(enough, "thread"), "pools/"+p.ID+"/size", func(float64) float64 { return float64(enough) })})
		default:
			fine = append(fine, fmt.Sprintf("%s %s busy", Label(of), units.Share(u)))
		}
	}
	if len(fine) > 0 {
		found = append(found, Finding{Class: Fine, Of: "pools", Summary: "The other pools have about the right size.", Why: sentence(strings.Join(fine, ", ")) + "."})
	}
	return found
}

// checkReady asks whether threads wait for a core.
func checkReady(q *inquiry) []Finding {
	share := q.report.share("ready")
	if q.base.Terminating && len(q.report.Breakdown) == 0 {
		return nil
	}
	if share < someWait {
		return []Finding{{Class: Fine, Of: "cpu", Summary: "Threads hardly wait for a core.", Why: fmt.Sprintf("%s of the response time.", sentence(units.Share(share)))}}
	}
	if q.mean("U cpu mean") < busyResource { // more of them would idle as well
		return []Finding{{Class: Hint, Of: "cpu", Summary: fmt.Sprintf("Threads take %s of the response time to wake up.", units.Share(share)),
			Why: fmt.Sprintf("Cores are idle: they are busy %s. A thread that is woken does not run at once, and the more often threads hand over to each other, the more this adds up.", units.Share(q.mean("U cpu mean")))}}
	}
	f := Finding{Class: Hint, Score: score(share), Of: "cpu",
		Summary: fmt.Sprintf("Threads that could run wait for a core %s of the response time.", units.Share(share)),
		Why:     fmt.Sprintf("%s, busy %s.", plural(q.configured.CPU.Cores, "There is %d core", "There are %d cores"), units.Share(q.mean("U cpu mean"))),
		Try:     q.try(fmt.Sprintf("%d cores", q.configured.CPU.Cores+1), "cpu/cores", func(now float64) float64 { return now + 1 })}
	if share >= muchWait {
		f.Class = Problem
	}
	return []Finding{f}
}

// checkLosses asks whether tasks are lost.
func checkLosses(q *inquiry) []Finding {
	var found []Finding
	bounded := false
	for _, k := range q.configured.Queues {
		bounded = bounded || k.Capacity >= 0 || !k.Patience.IsZero()
		of := "queue/" + k.ID
		lost := q.mean("D " + of + " mean")
		if !(lost > 0) {
			continue
		}
		f := Finding{Class: Hint, Score: score(lost), Of: of,
			Summary: fmt.Sprintf("%s of the tasks are lost in %s.", sentence(units.Share(lost)), Label(of)),
			Why:     fmt.Sprintf("It holds %d tasks, and %s when it is full.", k.Capacity, whenFull(k))}
		if lost >= hintGain {
			f.Class = Problem
		}
		if k.Capacity > 0 {
			f.Try = q.try(fmt.Sprintf("%d places", 2*k.Capacity), "queues/"+k.ID+"/capacity", func(now float64) float64 { return 2 * now })
		}
		found = append(found, f)
	}
	if len(found) == 0 && bounded {
		return []Finding{{Class: Fine, Of: "queues", Summary: "No tasks are lost.", Why: "No queue was full and turned a task away, and none was left by an impatient one."}}
	}
	return found
}

func whenFull(q core.Queue) string {
	switch q.WhenFull {
	case core.Drop:
		return "drops tasks"
	case core.Timeout:
		return "gives up after " + units.Format(q.FullTimeout, "s")
	case core.Block, "":
		return "makes senders wait"
	}
	return string(q.WhenFull)
}

// checkCode names the piece of code with the largest effect.
func checkCode(q *inquiry) []Finding {
	for _, c := range q.report.Ranking {
		if c.Kind != Code {
			continue
		}
		gain := c.largest().Gain
		if gain.Lo < hintGain {
			return []Finding{{Class: Fine, Of: c.Of, Summary: "No single piece of code stands out.", Why: fmt.Sprintf("The best is %s. %s", c.Label, q.gainSentence(c))}}
		}
		return []Finding{{Class: Hint, Score: score(gain.Lo), Of: c.Of,
			Summary: fmt.Sprintf("%s is the code worth making faster.", sentence(c.Label)), Why: q.gainSentence(c),
			Try: []Try{{Label: fmt.Sprintf("%s faster", units.Share(c.largest().Faster)), Settings: q.model.Named(c.largest().Settings)}}}}
	}
	return nil
}

// checkBounds compares the simulation with operational analysis: what lies
// outside its bounds contradicts the model.
func checkBounds(q *inquiry) []Finding {
	if q.base.Terminating || len(q.configured.Classes) > 1 {
		return nil
	}
	d := q.configured.Demands()
	b := d.Bounds()
	r, okR := q.base.Find("R class/" + q.onlyClass() + " mean")
	x, okX := q.base.Find("X class/" + q.onlyClass() + " mean")
	if !okR || !okX || len(d.Notes) > 0 {
		return nil
	}
	var broken []string
	if limit := b.Bottleneck.Limit(); x.Estimate.Lo > limit*(1+boundTolerant) {
		broken = append(broken, fmt.Sprintf("throughput %s is above the limit %s of %s", units.Format(x.Estimate.Mean, "1/s"), units.Format(limit, "1/s"), Label(b.Bottleneck.Of)))
	}
	if r.Estimate.Hi < d.Response*(1-boundTolerant) {
		broken = append(broken, fmt.Sprintf("response time %s is below the %s that a task needs alone", units.Format(r.Estimate.Mean, "s"), units.Format(d.Response, "s")))
	}
	if len(broken) > 0 {
		return []Finding{{Class: Problem, Score: 100, Of: "model", Summary: "The simulation contradicts the operational laws.", Why: sentence(strings.Join(broken, "; ")) + ". Do not trust this model before that is understood."}}
	}
	return []Finding{{Class: Fine, Of: "model", Summary: "The simulation keeps to the bounds of operational analysis.",
		Why: fmt.Sprintf("A task alone needs %s; %s limits throughput to %s.", units.Format(d.Response, "s"), Label(b.Bottleneck.Of), units.Format(b.Bottleneck.Limit(), "1/s"))}}
}

func (q *inquiry) onlyClass() string {
	if len(q.configured.Classes) == 1 {
		return q.configured.Classes[0].ID
	}
	return core.DefaultClass
}

// sentence begins with a capital letter, unless its first word is a name in the program.
func sentence(s string) string {
	first, rest, _ := strings.Cut(s, " ")
	switch {
	case first == string(core.CPUFragment):
		return "CPU " + rest
	case first == string(core.IOFragment):
		return "I/O " + rest
	case s == "" || strings.ContainsFunc(strings.TrimRight(first, ",;:"), func(r rune) bool { return !unicode.IsLetter(r) }):
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
