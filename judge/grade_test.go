package judge

import (
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/measure/validate"
	"tierscope/project"
)

// A grade sinks when measurements say NO, and rises when they say YES and mean it.
func TestMeasurementsDecideTheGrade(t *testing.T) {
	t.Parallel()
	within := .08
	for _, c := range []struct {
		analysis string
		answer   validate.Answer
		sure     validate.Confidence
		want     string
	}{
		{"A", validate.No, validate.Good, "D"}, {"A", validate.Partly, validate.Good, "C"}, {"D", validate.Partly, validate.Good, "D"},
		{"C", validate.Yes, validate.Good, "A"}, {"B", validate.Mostly, validate.Fair, "A"}, {"C", validate.Yes, validate.Weak, "C"},
		{"B", validate.NoAnswer, validate.Undecided, "B"},
	} {
		v := &Validation{File: "measured.csv", Verdict: validate.Verdict{Answer: c.answer, Confidence: c.sure}, Within: &within}
		if got, why := Grade(&trust.Trust{Grade: c.analysis}, v); got != c.want || why == "" {
			t.Errorf("%s with %q, %s gives %s (%q), want %s", c.analysis, c.answer, c.sure, got, why, c.want)
		}
	}
	if got, _ := Grade(&trust.Trust{Grade: "B"}, nil); got != "B" {
		t.Errorf("without measurements %s, want B", got)
	}
}

// A verdict is of the model that was compared, and of no other.
func TestAVerdictIsOfOneModel(t *testing.T) {
	t.Parallel()
	p := &project.Project{Dir: t.TempDir()}
	m := core.Model{Name: "one"}
	v := ValidationOf(&m, "measured.csv", &validate.Report{Verdict: validate.Verdict{Answer: validate.Yes}})
	if err := v.Keep(p); err != nil {
		t.Fatal(err)
	}
	if got, err := LastValidation(p, &m); err != nil || got == nil || got.Verdict.Answer != validate.Yes || got.Within != nil {
		t.Errorf("it came back as %+v (%v)", got, err)
	}
	if got, err := LastValidation(p, &core.Model{Name: "other"}); err != nil || got != nil {
		t.Errorf("another model has the verdict %+v (%v)", got, err)
	}
}
