package session

import (
	"math"
	"strings"

	"tierscope/analysis/trust"
	"tierscope/core/quantity"
)

// Words of how far a verdict can be trusted.
const (
	Good      = "good"
	Fair      = "fair"
	Weak      = "weak"
	Undecided = "undecided"
)

// Verdict is a sentence made from numbers, with how far it can be trusted.
type Verdict struct {
	Sentence, Reason string
	Confidence       string // Good, Fair, Weak or Undecided
}

// sharp is the half-width of intervals, as a share of the mean, up to which a result is known well.
const sharp = 0.1

// verdict is what a simulation says, by its widest interval and its warnings; from is of how much it is.
func verdict(parts []string, from string, widest float64, warnings []string) Verdict {
	v := Verdict{Sentence: strings.Join(parts, ". ") + ".", Confidence: Good, Reason: from + ", widest interval " + quantity.PlusMinus(widest)}
	switch {
	case len(warnings) > 0:
		v.Confidence, v.Reason = Weak, warnings[0]
	case math.IsInf(widest, 0) || math.IsNaN(widest):
		v.Confidence, v.Reason = Undecided, from+", no interval yet"
	case widest > sharp:
		v.Confidence = Fair
	}
	return v
}

// allowed is the best confidence in a prediction of a model of a grade.
var allowed = map[string]string{"C": Fair, "D": Weak}

// Sure is how far a prediction can be trusted of which the numbers alone say confidence and reason: not further than the
// grade of the open model.
func (s *Session) Sure(confidence, reason string) (sure, why string) {
	grade, _ := s.Grade()
	most := allowed[grade]
	if most == "" || confidence == most || confidence == Weak || confidence == Undecided {
		return confidence, reason
	}
	return most, "trust " + grade + ": " + trust.Promise(grade) + "; the simulation itself: " + confidence + ", " + reason
}
