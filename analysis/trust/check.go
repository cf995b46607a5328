package trust

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/core/quantity"
)

// Check is a run of the program with other settings than the recorded one, beside what the model says of it.
type Check struct {
	Name      string             `json:"name"`                // of the configuration
	At        map[string]float64 `json:"at,omitempty"`        // the paths that it sets
	Metric    string             `json:"metric"`              // T of a program that ends by itself, R and X of a server
	Unit      string             `json:"unit"`                //
	Measured  float64            `json:"measured"`            // median
	Low       float64            `json:"measured_low"`        // its interval
	High      float64            `json:"measured_high"`       //
	Runs      int                `json:"runs"`                //
	Predicted *float64           `json:"predicted"`           // nil: the model has no answer
	ByGraph   *float64           `json:"by_graph"`            // the same by the graphs alone
	Work      *float64           `json:"work"`                // CPU time that the model says over what was measured; nil: not known
	Disturbed string             `json:"disturbed,omitempty"` // why the measured time cannot be relied on
	// Noise is how far what was measured, and simulated, may be off beside what runs of programs differ by: its deviation, as a
	// logarithm. 0: not at all, or, of a disturbed run, nobody knows.
	Noise float64  `json:"noise,omitempty"`
	Error *float64 `json:"error"` // signed ε of Predicted
	// Follows is how strongly the metric of a server follows its demands: the elasticity to the scale of all of them. R
	// does the more the nearer it is to saturation; X not at all below it, and with −1 beyond. nil: hardly, or not known.
	Follows *float64 `json:"follows,omitempty"`
	// FollowsCPU is how strongly T of a program that ends by itself follows its CPU time: 1 where nothing else limits it,
	// 0 where it only waits. nil: not known.
	FollowsCPU *float64 `json:"follows_cpu,omitempty"`
}

// Promises of the grades: what 95 % of the errors of predictions within the range of evidence do not exceed. Theory:
// they define the grades, and decide nothing of a model.
const (
	promiseA = 0.10
	promiseB = 0.20
	promiseC = 0.40
)

// Check keeps checks, and lowers the grade to what they allow: within is what the relative error of
// 95 % of the predictions does not exceed where those of the checks are as they are. What a recording lacks does not tell how far
// the predictions of a model are off, as long as it is of use at all (docs/accuracy-method.md): where runs do, they decide.
func (t *Trust) Check(checks []Check, within float64) {
	t.Checks = checks
	if t.Grade < "D" && slices.ContainsFunc(checks, func(c Check) bool { _, _, ok := c.Off(); return ok }) {
		t.Grade = "A"
	}
	worst, grade := "", "A"
	for _, c := range checks {
		switch {
		case c.Predicted == nil || !(c.Measured > 0):
			worst, grade = c.says(), "D"
		case c.Disturbed != "" && c.Noise == 0 && grade == "A":
			worst, grade = fmt.Sprintf("with %s the program was run, but %s", c.Name, c.Disturbed), "B"
		}
	}
	for _, c := range checks {
		if least := c.least(); GradeOf(least) > grade {
			grade, worst = GradeOf(least), c.says()
		}
	}
	if GradeOf(within) > grade {
		grade, worst = GradeOf(within), fmt.Sprintf("%s; 95 %% of the predictions of such models are within ±%.0f %%", farthest(checks), 100*within)
	}
	if e := math.Expm1(Spread(checks) * strongest(checks)); GradeOf(e) > grade {
		grade, worst = GradeOf(e), fmt.Sprintf("with other settings the program used up to %.0f %% more or less CPU time than the model says", 100*math.Expm1(Spread(checks)))
	}
	if grade > t.Grade {
		t.Grade = grade
		t.Reasons = append([]string{worst}, t.Reasons...)
		t.Warnings = append([]string{worst}, t.Warnings...)
	}
}

// farthest says the check with the largest error, or that there is none.
func farthest(checks []Check) string {
	text, most := "the analysis did not run the program with other settings", -1.0
	if len(checks) > 0 {
		text = "no run of the program with other settings can be judged"
	}
	for _, c := range checks {
		if e, _, ok := c.Off(); ok && math.Abs(e) > most {
			text, most = c.says(), math.Abs(e)
		}
	}
	return text
}

// Off is the error of the metric, as a logarithm of predicted over measured, and the deviation of that. Where others ran beside the program
// it may be known better by the error of its CPU time, as far as the metric follows that: what does not may be as far off as models are.
func (c Check) Off() (e, noise float64, ok bool) {
	if c.Predicted == nil || !(*c.Predicted > 0 && c.Measured > 0) {
		return 0, 0, false
	}
	e = math.Log(*c.Predicted / c.Measured)
	if c.Disturbed == "" {
		return e, c.Noise, true
	}
	if c.Metric == "T" && c.Work != nil && *c.Work > 0 {
		follows := 1.0
		if c.FollowsCPU != nil {
			follows = *c.FollowsCPU
		}
		if rest := math.Abs(1-follows) * core.ErrorsOfModels().Usual(); c.Noise == 0 || rest < c.Noise {
			return follows * math.Log(*c.Work), rest, true
		}
	}
	return e, c.Noise, c.Noise > 0
}

// least is the smallest relative error that 95 % of what is not known of it leave. However well models like this one predict, here one
// did not.
func (c Check) least() float64 {
	e, noise, ok := c.Off()
	if !ok {
		return 0
	}
	return math.Expm1(max(0, math.Abs(e)-core.Normal95*noise))
}

// GradeOf is the best grade that a relative error allows.
func GradeOf(e float64) string {
	switch {
	case e <= promiseA:
		return "A"
	case e <= promiseB:
		return "B"
	case e <= promiseC:
		return "C"
	}
	return "D"
}

// Promise says what a grade means.
func Promise(grade string) string {
	within := map[string]float64{"A": promiseA, "B": promiseB, "C": promiseC}[grade]
	if within == 0 {
		return "nobody should rely on its predictions"
	}
	return fmt.Sprintf("95 %% of the predictions of such models are within ±%.0f %%", 100*within)
}

// Spread is how far checks are from needing the same share of the CPU time that the model says, |ln| at most. It
// depends neither on what else runs nor on the speed of the machine. A check without an
// answer is infinitely far.
func Spread(cs []Check) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cs {
		switch {
		case c.Predicted == nil && c.Metric == "T":
			return math.Inf(1)
		case c.Work != nil && *c.Work > 0:
			low, high = min(low, math.Log(*c.Work)), max(high, math.Log(*c.Work))
		}
	}
	return max(high-low, 0)
}

// strongest is how strongly the T of checks follows the CPU time where it does most: where a program hardly computes, another
// CPU time changes it little.
func strongest(cs []Check) float64 {
	most := 0.0
	for _, c := range cs {
		if c.FollowsCPU == nil {
			return 1
		}
		most = max(most, *c.FollowsCPU)
	}
	return min(most, 1)
}

func (c Check) says() string {
	if c.Predicted == nil {
		return fmt.Sprintf("with %s the program was run, and the model has no answer", c.Name)
	}
	return fmt.Sprintf("with %s %s was %s, the model says %s (%+.0f %%)", c.Name, c.Metric, quantity.Format(c.Measured, c.Unit), quantity.Format(*c.Predicted, c.Unit), 100*(*c.Predicted/c.Measured-1))
}

// Unchecked notes why a model was not held against other runs: its grade cannot be the best.
func (t *Trust) Unchecked(why string) {
	t.Reasons = append(t.Reasons, why)
	if t.Grade == "A" {
		t.Grade = "B"
	}
}
