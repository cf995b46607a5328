package judge

import (
	"context"
	"maps"
	"math"
	"slices"

	"tierscope/analysis/stage"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/measure/table"
)

// otherwise builds the model of an outcome by other options, and makes these the study's and that the outcome if it explains the checks, by how
// far they are from a model; then it returns those of the new model.
func otherwise(ctx context.Context, by *stage.Study, o *stage.Outcome, options trail.Options, checks []trust.Check, tables []*table.Table, far func([]trust.Check) float64) (better bool, theirs []trust.Check, err error) {
	other := *by
	other.Options, other.Report = options, nil
	x, err := calibrate.Study(ctx, &other, stage.Build, stage.Build)
	if err == nil {
		err = offer(ctx, &other, x)
	}
	if err != nil {
		return false, nil, err
	}
	theirs, err = compare(ctx, *x.Model, tables)
	if err != nil || !explains(far(theirs), far(checks)) {
		return false, nil, nil
	}
	*o, by.Options = *x, options
	return true, theirs, nil
}

// guessed tries for every setting of which nothing but the same number tells which number of threads it decides the others that it
// may decide, where the checks of an outcome are far from its model. It returns the checks of the model that there is then.
func guessed(ctx context.Context, by *stage.Study, o *stage.Outcome, checks []trust.Check, tables []*table.Table) ([]trust.Check, error) {
	for _, setting := range slices.Sorted(maps.Keys(o.Report.Guessed)) {
		for i := 1; i < o.Report.Guessed[setting] && missed(checks) > doubtful; i++ {
			options := by.Options
			options.Guesses = maps.Collect(maps.All(options.Guesses)) // a copy
			options.Guesses[setting] = i
			better, theirs, err := otherwise(ctx, by, o, options, checks, tables, missed)
			if err != nil {
				return checks, err
			}
			if better {
				checks = theirs
				break
			}
		}
	}
	return checks, nil
}

// missed is how far apart the errors of checks are that nothing disturbed, as logarithms: a number of threads that a setting does not
// decide leaves the time as it is. A check without an answer is infinitely far.
func missed(checks []trust.Check) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range checks {
		switch {
		case c.Metric != "T" || c.Disturbed != "" && c.Predicted != nil:
		case c.Predicted == nil:
			return math.Inf(1)
		default:
			e := math.Log(*c.Predicted / c.Measured)
			low, high = min(low, e), max(high, e)
		}
	}
	return max(high-low, 0)
}
