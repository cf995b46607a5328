package output

import (
	"encoding/json"
	"math"
)

// estimateJSON is Estimate as a document. JSON has no infinity and no NaN:
// both are null.
type estimateJSON struct {
	Mean       *float64   `json:"mean"`
	Lo         *float64   `json:"lo"`
	Hi         *float64   `json:"hi"`
	N          int        `json:"n"`
	Confidence float64    `json:"confidence"`
	Samples    []*float64 `json:"samples,omitempty"`
	Warnings   []string   `json:"warnings,omitempty"`
}

// MarshalJSON writes what is not a finite number as null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	doc := estimateJSON{finite(e.Mean), finite(e.Lo), finite(e.Hi), e.N, e.Confidence, nil, e.Warnings}
	for _, s := range e.Samples {
		doc.Samples = append(doc.Samples, finite(s))
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Estimate) UnmarshalJSON(data []byte) error {
	var doc estimateJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*e = Estimate{
		Mean: or(doc.Mean, math.NaN()), Lo: or(doc.Lo, math.Inf(-1)), Hi: or(doc.Hi, math.Inf(1)),
		N: doc.N, Confidence: doc.Confidence, Warnings: doc.Warnings,
	}
	for _, s := range doc.Samples {
		e.Samples = append(e.Samples, or(s, math.NaN()))
	}
	return nil
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func or(x *float64, missing float64) float64 {
	if x == nil {
		return missing
	}
	return *x
}
