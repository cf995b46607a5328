package simulation

// Defaults of Options.
const (
	defaultReplications = 10
	defaultConfidence   = 0.95
	mostReplications    = 10 // × Replications, when a precision is asked for
)

// withDefaults replaces zero options by their defaults.
func (o Options) withDefaults() Options {
	if o.Replications <= 0 {
		o.Replications = defaultReplications
	}
	if o.MaxReplications <= 0 {
		o.MaxReplications = mostReplications * o.Replications
	}
	o.MaxReplications = max(o.MaxReplications, o.Replications)
	if o.Precision <= 0 {
		o.Precision, o.PrecisionOf, o.MaxReplications = 0, nil, o.Replications
	}
	if o.Confidence == 0 {
		o.Confidence = defaultConfidence
	}
	if o.Pool == nil {
		o.Pool = NewPool(o.Workers)
	}
	return o
}

// Inputs are the options that a complete result depends on, with their
// defaults filled in: what distinguishes two runs of one configuration.
type Inputs struct {
	Seed            uint64   `json:"seed"`
	Replications    int      `json:"replications"`
	Precision       float64  `json:"precision,omitempty"`
	PrecisionOf     []string `json:"precision_of,omitempty"`
	MaxReplications int      `json:"max_replications"`
	Confidence      float64  `json:"confidence"`
	Duration        float64  `json:"duration_s,omitempty"`
	Warmup          float64  `json:"warmup_s,omitempty"`
	BatchMeans      bool     `json:"batch_means,omitempty"`
	Director        Director `json:"director,omitempty"`
	ModelAsItIs     bool     `json:"model_as_it_is,omitempty"`
}

// Inputs returns the options that a result depends on.
func (o Options) Inputs() Inputs {
	o.Pool = &Pool{} // of no matter
	o = o.withDefaults()
	return Inputs{
		Seed: o.Seed, Replications: o.Replications, Precision: o.Precision, PrecisionOf: o.PrecisionOf,
		MaxReplications: o.MaxReplications, Confidence: o.Confidence,
		Duration: o.Duration, Warmup: o.Warmup, BatchMeans: o.BatchMeans, ModelAsItIs: o.ModelAsItIs,
		Director: o.Director,
	}
}

// Options returns options with these inputs.
func (i Inputs) Options() Options {
	return Options{
		Seed: i.Seed, Replications: i.Replications, Precision: i.Precision, PrecisionOf: i.PrecisionOf,
		MaxReplications: i.MaxReplications, Confidence: i.Confidence,
		Duration: i.Duration, Warmup: i.Warmup, BatchMeans: i.BatchMeans, ModelAsItIs: i.ModelAsItIs,
		Director: i.Director,
	}
}
