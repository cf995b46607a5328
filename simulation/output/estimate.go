// Package output turns simulation output into estimates with intervals:
// warm-up, replications, batch means, accuracy.
package output

// Estimate is a number with its confidence interval and the doubts about it.
type Estimate struct {
	Mean       float64   `json:"mean"`
	Lo         float64   `json:"lo"` // bounds of the Confidence interval
	Hi         float64   `json:"hi"`
	N          int       `json:"n"` // independent observations behind it
	Confidence float64   `json:"confidence"`
	Samples    []float64 `json:"samples,omitempty"`  // the observations, in replication order, for paired differences
	Warnings   []string  `json:"warnings,omitempty"` // travel with the number into every table and plot
}
