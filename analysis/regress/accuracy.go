package regress

import "math"

// Accuracy returns the mean over the samples of max(0, 1 − |y − ŷ|/|y|), the
// measure of Wu et al. 2010, §5. A behaviour of exactly 0 counts as 1 when it
// is predicted to be 0 and as 0 otherwise.
func Accuracy(samples []Sample, m Model) float64 {
	var sum float64
	for _, s := range samples {
		sum += accuracy(s.Y, m.Predict(s.Variables, s.Threads))
	}
	return sum / float64(len(samples))
}

func accuracy(y, predicted float64) float64 {
	switch {
	case math.IsNaN(predicted):
		return 0
	case y == 0 && math.Abs(predicted) < 1e-9:
		return 1
	case y == 0:
		return 0
	}
	return math.Max(0, 1-math.Abs(y-predicted)/math.Abs(y))
}

// crossValidated returns the accuracy over folds of models that have not seen
// the fold that they predict, or −1 if one of them cannot be fitted. fit
// returns nil for that.
func crossValidated(samples []Sample, folds int, fit func([]Sample) *Model) float64 {
	folds = min(folds, len(samples))
	var sum float64
	for f := range folds {
		var train, test []Sample
		for i, s := range samples {
			if i%folds == f {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		if len(train) == 0 {
			return -1
		}
		m := fit(train)
		if m == nil {
			return -1
		}
		sum += Accuracy(test, *m) * float64(len(test))
	}
	return sum / float64(len(samples))
}
