package output

import (
	"encoding/json"
	"math"
)

// estimateJSON is Estimate as a document. JSON has no infinity and no NaN:
// both are null.
type estimateJSON struct {
	Mean       *float64 `json:"mean"`
	Lo         *float64 `json:"lo"`
	Hi         *float64 `json:"hi"`
	N          int      `json:"n"`
	Confidence float64  `json:"confidence"`
	Samples    Numbers  `json:"samples,omitempty"`
	Inputs     Numbers  `json:"inputs,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
}

// MarshalJSON writes what is not a finite number as null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	doc := estimateJSON{finite(e.Mean), finite(e.Lo), finite(e.Hi), e.N, e.Confidence, e.Samples, e.Inputs, e.Warnings}
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
		N: doc.N, Confidence: doc.Confidence, Samples: doc.Samples, Inputs: doc.Inputs, Warnings: doc.Warnings,
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

// Numbers are numbers that may be NaN, which JSON writes as null.
type Numbers []float64

// MarshalJSON writes what is not a finite number as null.
func (n Numbers) MarshalJSON() ([]byte, error) {
	doc := make([]*float64, len(n))
	for i, x := range n {
		doc[i] = finite(x)
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	var doc []*float64
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	*n = make(Numbers, len(doc))
	for i, x := range doc {
		(*n)[i] = or(x, math.NaN())
	}
	return nil
}
