package validate

import (
	"encoding/json"
	"math"
)

// number is a float64 as JSON has it, which knows neither NaN nor infinity: null is not
// known.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func (n *number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// Embedded without their methods; the fields beside them hide theirs of the same key.
type (
	comparisonFields Comparison
	accuracyFields   Accuracy
	partFields       Part
	kneeFields       Knee
)

type comparisonJSON struct {
	comparisonFields
	Error     number `json:"error"`
	HalfWidth number `json:"error_half"`
}

// MarshalJSON writes an error that is not known as null.
func (c Comparison) MarshalJSON() ([]byte, error) {
	return json.Marshal(comparisonJSON{comparisonFields(c), number(c.Error), number(c.HalfWidth)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Comparison) UnmarshalJSON(data []byte) error {
	var doc comparisonJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*c = Comparison(doc.comparisonFields)
	c.Error, c.HalfWidth = float64(doc.Error), float64(doc.HalfWidth)
	return nil
}

type accuracyJSON struct {
	accuracyFields
	MeanAbs   number `json:"mean_abs_err"`
	HalfWidth number `json:"half_width"`
	Bias      number `json:"bias"`
	MaxAbs    number `json:"max_abs_err"`
}

// MarshalJSON writes a width that is not known as null.
func (a Accuracy) MarshalJSON() ([]byte, error) {
	return json.Marshal(accuracyJSON{accuracyFields(a), number(a.MeanAbs), number(a.HalfWidth), number(a.Bias), number(a.MaxAbs)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Accuracy) UnmarshalJSON(data []byte) error {
	var doc accuracyJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*a = Accuracy(doc.accuracyFields)
	a.MeanAbs, a.HalfWidth, a.Bias, a.MaxAbs = float64(doc.MeanAbs), float64(doc.HalfWidth), float64(doc.Bias), float64(doc.MaxAbs)
	return nil
}

type partJSON struct {
	partFields
	HalfWidth number `json:"half_width"`
}

// MarshalJSON writes a width that is not known as null.
func (p Part) MarshalJSON() ([]byte, error) {
	return json.Marshal(partJSON{partFields(p), number(p.HalfWidth)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Part) UnmarshalJSON(data []byte) error {
	var doc partJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*p = Part(doc.partFields)
	p.HalfWidth = float64(doc.HalfWidth)
	return nil
}

type kneeJSON struct {
	kneeFields
	PredictedLo number `json:"predicted_lo"`
	PredictedHi number `json:"predicted_hi"`
}

// MarshalJSON writes the end of an interval that is not known as null.
func (k Knee) MarshalJSON() ([]byte, error) {
	return json.Marshal(kneeJSON{kneeFields(k), number(k.PredictedLo), number(k.PredictedHi)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (k *Knee) UnmarshalJSON(data []byte) error {
	var doc kneeJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*k = Knee(doc.kneeFields)
	k.PredictedLo, k.PredictedHi = float64(doc.PredictedLo), float64(doc.PredictedHi)
	return nil
}
