package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	units "tierscope/core/quantity"
)

// Confidence is how far a verdict can be trusted.
type Confidence string

// Degrees of confidence.
const (
	Good      Confidence = "good"
	Fair      Confidence = "fair"
	Weak      Confidence = "weak"
	Undecided Confidence = "undecided"
)

// Verdict is the answer in one sentence, generated from the numbers.
type Verdict struct {
	Sentence   string     `json:"sentence"`
	Problem    bool       `json:"problem"` // something limits
	Of         string     `json:"of"`      // what the sentence is about, for the links
	Confidence Confidence `json:"confidence"`
	Rule       string     `json:"rule"` // why the confidence is what it is
}

// Half-width of the interval of the largest gain up to which confidence is
// good and fair.
const (
	goodGain = 0.05
	fairGain = 0.15
)

// metricName names the metric in a sentence: "mean R".
func (r *Report) metricName() string {
	parts := strings.Fields(r.Metric)
	name := map[string]string{"R": "response time", "X": "throughput", "T": "run time", "D": "losses", "N": "number in the system"}[parts[0]]
	if name == "" {
		name = r.Metric
	}
	if stat := parts[len(parts)-1]; stat != "mean" {
		return stat + " " + name
	}
	return "mean " + name
}

// betterVerb is what an improvement does to the metric.
func (r *Report) betterVerb() string {
	if strings.HasPrefix(r.Metric, "X ") || strings.HasPrefix(r.Metric, "U ") {
		return "raises"
	}
	return "cuts"
}

// verdict writes the sentence.
func (r *Report) verdict() Verdict {
	v := Verdict{}
	v.Confidence, v.Rule = r.confidence()
	switch {
	case len(r.Ranking) == 0:
		v.Sentence, v.Confidence = "There is no answer yet: no virtual speed-up was simulated.", Undecided
		return v
	case r.Baseline.Unstable:
		return r.overloaded(v)
	}
	best := r.Ranking[0]
	e := best.largest()
	if !e.Clear() || e.Gain.Lo < hintGain {
		v.Sentence = fmt.Sprintf("Nothing stands out: no resource or piece of code, made %s faster, changes the %s by a clear %s.",
			units.Share(e.Faster), r.metricName(), units.Share(hintGain))
		return v
	}
	v.Of = best.Of
	v.Problem = slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Class == Problem })
	made := fmt.Sprintf("made %s faster, it", units.Share(e.Faster))
	if best.Kind == Pool || best.Kind == Queue {
		made = fmt.Sprintf("with %s, it", e.Change)
	}
	v.Sentence = fmt.Sprintf("%s matters most: %s %s the %s by %s%s.",
		sentence(best.Label), made, r.betterVerb(), r.metricName(), gain(e), r.busy(best))
	v.Sentence = r.limit(best) + v.Sentence + r.contrast(best)
	return v
}

// limit names the saturated resource that code, if it helps most, runs on.
func (r *Report) limit(best Candidate) string {
	if best.Kind != Code {
		return ""
	}
	for _, c := range r.Ranking {
		if c.Utilization != nil && c.Utilization.Mean >= saturated && c.largest().Clear() {
			return fmt.Sprintf("%s limits this configuration: it is busy %s of the time. ", sentence(c.Label), units.Share(c.Utilization.Mean))
		}
	}
	return ""
}

// busy says how busy the resource is.
func (r *Report) busy(c Candidate) string {
	if c.Utilization == nil || math.IsNaN(c.Utilization.Mean) {
		return ""
	}
	return fmt.Sprintf(". It is busy %s of the time", units.Share(c.Utilization.Mean))
}

// overloaded is the sentence for arrivals that exceed capacity.
func (r *Report) overloaded(v Verdict) Verdict {
	of, u := r.Baseline.Busiest()
	v.Of, v.Problem = of, true
	x := throughput(r.Baseline)
	v.Sentence = fmt.Sprintf("%s limits throughput to about %s, less than arrives: it is busy %s of the time and queues grow for ever.",
		sentence(Label(of)), units.Format(x, "1/s"), units.Share(u))
	best := r.Ranking[0]
	if e := best.largest(); e.Clear() && best.Of != of {
		v.Sentence += fmt.Sprintf(" %s, %s faster or larger, would raise it by %s.", sentence(best.Label), units.Share(e.Faster), units.Share(e.Gain.Mean))
	}
	if r.Baseline.Interrupted {
		v.Confidence, v.Rule = Weak, "the simulation was interrupted"
	} else {
		v.Confidence, v.Rule = Good, "the number in the system grows in all replications"
	}
	return v
}

// contrast adds what one might have expected and is not so: idle cores, or
// threads that would not help.
func (r *Report) contrast(best Candidate) string {
	text := ""
	for _, c := range r.Ranking {
		switch {
		case c.Of == best.Of:
		case c.Kind == CPU && best.Kind != Code && c.Utilization != nil && c.Utilization.Mean < idleThreads:
			text += fmt.Sprintf(" The CPU is idle %s of the time.", units.Share(1-c.Utilization.Mean))
		case c.Kind == Pool && c.largest().Gain.Hi < problemGain && c.Utilization != nil && c.Utilization.Mean > idleThreads:
			text += fmt.Sprintf(" More threads in the %s gain less than %s.", c.Label, units.Share(max(c.largest().Gain.Hi, 0.01)))
		}
	}
	return text
}

// confidence applies the published rule: it is about the answer, which is the
// gain, not about the level of the metric.
func (r *Report) confidence() (Confidence, string) {
	m, _ := r.Baseline.Find(r.Metric)
	known := fmt.Sprintf("the %s itself is known to %s", r.metricName(), units.PlusMinus(m.Estimate.Precision()))
	if len(r.Ranking) == 0 {
		return Undecided, "nothing was compared"
	}
	best := r.Ranking[0].largest()
	switch {
	case !best.Clear():
		return Undecided, "the interval of the largest gain includes 0"
	case r.Incomplete:
		return Weak, "not all virtual speed-ups were simulated"
	case best.Gain.HalfWidth() > fairGain:
		return Weak, fmt.Sprintf("the largest gain is known to %s only; %s", units.PlusMinus(best.Gain.HalfWidth()), known)
	}
	for _, c := range r.Ranking[1:] {
		if overlap := c.Kind == Code && r.Ranking[0].Kind == CPU || c.Kind == CPU && r.Ranking[0].Kind == Code; overlap {
			continue // the code runs on the CPU: not two things
		}
		if g := c.largest().Gain; g.Hi > best.Gain.Lo && g.Mean > 0 {
			return Fair, fmt.Sprintf("the gains of %s and %s cannot be told apart; %s", r.Ranking[0].Label, c.Label, known)
		}
	}
	if best.Gain.HalfWidth() > goodGain {
		return Fair, fmt.Sprintf("the largest gain is known to %s; %s", units.PlusMinus(best.Gain.HalfWidth()), known)
	}
	return Good, "the largest gain is clear of all others; " + known
}
