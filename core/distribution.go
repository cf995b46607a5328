package core

// DistributionKind names a family of distributions.
type DistributionKind string

// Families of distributions and the fields that each uses.
const (
	Constant         DistributionKind = "constant"         // Value
	Exponential      DistributionKind = "exponential"      // Mean
	Erlang           DistributionKind = "erlang"           // Mean, Phases
	Hyperexponential DistributionKind = "hyperexponential" // Weights, Means
	Lognormal        DistributionKind = "lognormal"        // Mean, CV
	Gamma            DistributionKind = "gamma"            // Mean, CV
	Weibull          DistributionKind = "weibull"          // Mean, Shape
	Pareto           DistributionKind = "pareto"           // Min, Shape
	Uniform          DistributionKind = "uniform"          // Min, Max
	Empirical        DistributionKind = "empirical"        // Values at Probabilities: a quantile sketch, linear between; equal neighbouring probabilities are a jump
	Discrete         DistributionKind = "discrete"         // Values with Weights: exact values such as counts
	Mixture          DistributionKind = "mixture"          // Components with Weights
)

// Distribution is the law of a non-negative random parameter. Its unit is in
// the key of the field that holds it. The zero value means "not given".
//
// The parameters are those that an analyst knows (mean, coefficient of
// variation), not those of a textbook formula:
//
//	erlang     sum of Phases exponentials of mean Mean/Phases
//	lognormal  σ² = ln(1+CV²), µ = ln Mean − σ²/2
//	gamma      shape 1/CV², scale Mean·CV²
//	weibull    scale Mean/Γ(1+1/Shape)
//	pareto     P(X > x) = (Min/x)^Shape for x ≥ Min; Shape > 1
//	empirical  X = Q(u), u uniform on (0, 1), Q through (Probabilities, Values)
type Distribution struct {
	Kind          DistributionKind `json:"kind,omitempty"`
	Value         float64          `json:"value,omitempty"`
	Mean          float64          `json:"mean,omitempty"`
	CV            float64          `json:"cv,omitempty"`     // standard deviation / mean
	Shape         float64          `json:"shape,omitempty"`  // Weibull k, Pareto α
	Phases        int              `json:"phases,omitempty"` // Erlang k
	Min           float64          `json:"min,omitempty"`
	Max           float64          `json:"max,omitempty"`
	Values        []float64        `json:"values,omitempty"`        // ascending
	Probabilities []float64        `json:"probabilities,omitempty"` // ascending (equal neighbours: a jump), first 0, last 1
	Weights       []float64        `json:"weights,omitempty"`       // sum to 1
	Means         []float64        `json:"means,omitempty"`
	Components    []Distribution   `json:"components,omitempty"`
	Samples       int64            `json:"samples,omitempty"` // number of observations behind it
}

// IsZero reports whether d is the zero value: not given.
func (d Distribution) IsZero() bool { return d.Kind == "" }
