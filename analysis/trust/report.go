package trust

import (
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Report says what Build did and how far the model can be trusted.
type Report struct {
	Groups    []trail.PoolReport `json:"groups"`
	Silent    []core.Parameter   `json:"silent,omitempty"`  // settings of which the run does not show what they change, without targets
	Likely    []core.Parameter   `json:"likely,omitempty"`  // settings that are taken to set how many threads there are for the same number alone, without targets
	Guessed   map[string]int     `json:"guessed,omitempty"` // of how many numbers of threads a setting may decide one: Options.Guesses
	Unmatched trail.Unmatched    `json:"unmatched"`
	Trust     Trust              `json:"trust"`
	Evidence  Evidence           `json:"evidence"` // what calibrating the model needs
}
