package cmd_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core"
	"tierscope/core/robust"
	"tierscope/measure/accuracy"
)

func book(t *testing.T) *accuracy.Book {
	t.Helper()
	b, err := accuracy.Read("../testdata/accuracy")
	if err != nil || len(b.Results) == 0 {
		t.Fatalf("no results: %v", err)
	}
	return b
}

// Intervals of 95 % that know the law of the errors of all other programs, and the errors of two
// checks of the program itself, contain its run times in 90 to 98 % of its other configurations, over all
// programs; and so are as many as 95 % of the predictions within what the grade of their model promises, but for chance.
func TestIntervalsLearnedOfOtherProgramsContainAProgram(t *testing.T) {
	t.Parallel()
	r := book(t).Reliability()
	if len(r.Programs) < 12 {
		t.Fatalf("%d programs, want at least 12", len(r.Programs))
	}
	share, of, half := r.Coverage()
	t.Logf("%d programs: %.1f %% of %d inside, median half-width %.1f %%", len(r.Programs), 100*share, of, 100*half)
	if share < .91 || share > .98 {
		t.Errorf("%.1f %% of the configurations are inside, want 91 to 98 %%", 100*share)
	}
	if r.Advised[0].Models == 0 {
		t.Error("no model gets grade A, however many runs are advised")
	}
	for _, g := range slices.Concat(r.Grades, r.Advised) {
		if chance := (distuv.Binomial{N: float64(g.Of), P: .95}).CDF(float64(g.Within)); g.Of > 0 && chance < .05 {
			t.Errorf("of %d predictions of models of grade %s, %d are within %.0f %%; so few of 95 %% are by chance of %.3f", g.Of, g.Grade, g.Within, 100*g.Promise, chance)
		}
	}
}

// Models say of themselves what the validations show.
func TestModelsSayWhatIsLearnedOfPrograms(t *testing.T) {
	t.Parallel()
	b := book(t)
	want := accuracy.Learn(b.Programs()).Law(-1)
	if got := core.ErrorsOfModels(); got != want {
		t.Errorf("models say %+v, the validations %+v; change core.ErrorsOfModels", got, want)
	}
	if got, want := core.ErrorsOfServers(), b.OfServers(); got != want {
		t.Errorf("servers say %+v, the validations %+v; change core.ErrorsOfServers", got, want)
	}
}

// What a program costs differs between its analysis and a later measurement by more than runs of one hour do. Of the
// deviation of that, by the median of all programs (some models are wrong), what two measured and three plain runs leave of their own
// is not of the day: 0.031 in one (analysis/demand, by its recordings). So few programs tell it to a third: of a deviation that is found by
// the median, that of n normal numbers has one of 1.17/√n of it (Huber 1981, §5.1).
func TestTheDayIsWhatAnalysesAndMeasurementsDifferBy(t *testing.T) {
	t.Parallel()
	shifts := book(t).Shifts()
	if len(shifts) < 30 {
		t.Fatalf("%d programs were measured as they were analysed, want at least 30", len(shifts))
	}
	for i := range shifts {
		shifts[i] = math.Abs(shifts[i])
	}
	const run, quartile = .031, .6745 // of the standard normal law, half is within ±0.6745
	all := robust.Median(shifts) / quartile
	day := func(all float64) float64 { return math.Sqrt(max(0, all*all-run*run*(1./2+1./3))) }
	own := core.Normal95 * 1.17 / math.Sqrt(float64(len(shifts)))
	t.Logf("%d programs: %.4f [%.4f, %.4f]", len(shifts), day(all), day(all*(1-own)), day(all*(1+own)))
	if got := core.ErrorsOfModels().Day; got < day(all*(1-own)) || got > day(all*(1+own)) {
		t.Errorf("models say that another day is %.3f, %d programs %.4f [%.4f, %.4f]; change core.ErrorsOfModels", got, len(shifts), day(all), day(all*(1-own)), day(all*(1+own)))
	}
}

// What is said of servers without any run and after the runs that are advised contains what was measured, over all of them.
func TestIntervalsOfServersContainWhatWasMeasured(t *testing.T) {
	t.Parallel()
	b := book(t)
	all := b.Serving()
	share, of, half := accuracy.Covered(b.Unchecked(), "R") // errors of one server are alike, and there are seven servers
	if t.Logf("R, models without a check: %.1f %% of %d inside, median half-width %.1f %%", 100*share, of, 100*half); !(share >= .85) {
		t.Errorf("R, models without a check: %.1f %% of %d configurations are inside, want 85 %% at least", 100*share, of)
	}
	for _, metric := range []string{"R", "X"} {
		share, of, half := accuracy.Covered(all, metric)
		t.Logf("%s: %.1f %% of %d inside, median half-width %.1f %%", metric, 100*share, of, 100*half)
		if !(share >= .90) {
			t.Errorf("%s: %.1f %% of %d configurations are inside, want 90 %% at least", metric, 100*share, of)
		}
	}
}
