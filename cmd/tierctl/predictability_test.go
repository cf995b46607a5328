package main

import (
	"strings"
	"testing"

	"tierscope/analysis/loops"
	"tierscope/analysis/predictability"
)

// A study says that sizes below 30 cannot be predicted, and that the size is the
// parameter rate: every command that simulates rate 20 says so.
func TestConfigurationsOutsideOfThePredictableSizesAreWarnedOf(t *testing.T) {
	t.Parallel()
	p := shop(t)
	study := predictability.Study{Runtime: predictability.Java, Parameter: "rate", PoP: &predictability.PoP{Size: 30, Threshold: 0.3},
		Cost: predictability.Cost{Order: loops.LinearN, Factor: 1}}
	if err := p.Save(predictability.Format, study, predictability.File); err != nil {
		t.Fatal(err)
	}
	measured := write(t, "measured.csv", "# warmup_s: 1\n# duration_s: 5\nrun,workers,rate,metric,of,stat,value,unit\na,2,20,X,source/clients,mean,20,1/s\nb,2,60,X,source/clients,mean,60,1/s\n")
	const low = "size 20 is below the point of predictability 30"
	for _, c := range []struct {
		args []string
		want string // "": no warning
	}{
		{append([]string{"run", p.Dir, "--set", "rate=20"}, quick...), "not predictable: " + low},
		{append([]string{"run", p.Dir, "--set", "rate=40"}, quick...), ""},
		{append([]string{"sweep", p.Dir, "--axis", "rate=20..60/20"}, quick...), "not predictable: 1 of 3 configurations, such as: " + low},
		{append([]string{"sweep", p.Dir, "--axis", "rate=40,60"}, quick...), ""},
		{[]string{"validate", p.Dir, "--measured", measured, "--reps", "2"}, "not predictable: 1 of 2 configurations, such as: " + low},
	} {
		_, errs, code := tierctl(t.Context(), c.args...)
		if c.want == "" && strings.Contains(errs, "not predictable") || !strings.Contains(errs, c.want) {
			t.Errorf("%s (exit code %d) says %q, want %q", strings.Join(c.args, " "), code, errs, c.want)
		}
	}
}
