package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Evaluation is how well a behaviour can be predicted: models of random
// three quarters of the runs, scored on the quarter they have not seen.
type Evaluation struct {
	HeldOut     float64      `json:"held_out_accuracy"` // mean over the splits, on rows that no fit has seen
	Splits      []float64    `json:"splits"`            // accuracy of each
	Models      []Model      `json:"models,omitempty"`  // of each split
	Predictions []Prediction `json:"predictions"`       // of all held-out rows, but those that are not finite
}

// Prediction is that of a sample by a model that has not seen it.
type Prediction struct {
	Sample    int     `json:"sample"` // index into the samples
	Split     int     `json:"split"`
	Measured  float64 `json:"measured"`
	Predicted float64 `json:"predicted"`
}

// Modelled reports whether the behaviour is predicted acceptably.
func (e Evaluation) Modelled() bool { return e.HeldOut >= Acceptable }

// Evaluate splits the samples 3:1 at random, fits the three parts and scores
// the fourth, as often as splits says.
func Evaluate(samples []Sample, o Options, splits int, seed uint64) (Evaluation, error) {
	var e Evaluation
	if len(samples) < 4 {
		return e, fmt.Errorf("regress: %d runs are too few to hold a quarter out", len(samples))
	}
	for k := range splits {
		order := rand.New(rand.NewPCG(seed, uint64(k))).Perm(len(samples))
		held := len(samples) / 4
		var train, test []Sample
		for i, j := range order {
			if i < held {
				test = append(test, samples[j])
				e.Predictions = append(e.Predictions, Prediction{Sample: j, Split: k, Measured: samples[j].Y})
			} else {
				train = append(train, samples[j])
			}
		}
		m, err := Fit(train, o)
		if err != nil {
			return Evaluation{}, err
		}
		for i := range held {
			p := &e.Predictions[len(e.Predictions)-held+i]
			p.Predicted = m.Predict(test[i].Variables, test[i].Threads)
		}
		e.Predictions = slices.DeleteFunc(e.Predictions, func(p Prediction) bool {
			return math.IsNaN(p.Predicted) || math.IsInf(p.Predicted, 0)
		})
		a := Accuracy(test, m)
		e.Splits, e.Models = append(e.Splits, a), append(e.Models, m)
		e.HeldOut += a / float64(splits)
	}
	return e, nil
}
