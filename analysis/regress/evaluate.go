package regress

import (
	"math"
	"math/rand/v2"
)

// Evaluation is how well a behaviour can be predicted: models of random
// three quarters of the runs, scored on the quarter they have not seen.
type Evaluation struct {
	HeldOut float64   // mean accuracy on held-out rows over the splits
	Splits  []float64 // accuracy of each
	Models  []Model   // of each split
}

// Modelled reports whether the behaviour is predicted acceptably.
func (e Evaluation) Modelled() bool { return e.HeldOut >= Acceptable }

// Evaluate splits the samples 3:1 at random, fits the three parts and scores
// the fourth, as often as splits says.
func Evaluate(samples []Sample, o Options, splits int, seed uint64) (Evaluation, error) {
	var e Evaluation
	for k := range splits {
		order := rand.New(rand.NewPCG(seed, uint64(k))).Perm(len(samples))
		held := len(samples) / 4
		var train, test []Sample
		for i, j := range order {
			if i < held {
				test = append(test, samples[j])
			} else {
				train = append(train, samples[j])
			}
		}
		m, err := Fit(train, o)
		if err != nil {
			return Evaluation{}, err
		}
		a := Accuracy(test, m)
		e.Splits, e.Models = append(e.Splits, a), append(e.Models, m)
		e.HeldOut += a / float64(splits)
	}
	return e, nil
}

// GeometricMean returns the geometric mean of positive accuracies, NaN for
// none.
func GeometricMean(accuracies []float64) float64 {
	var sum float64
	for _, a := range accuracies {
		sum += math.Log(a)
	}
	return math.Exp(sum / float64(len(accuracies)))
}
