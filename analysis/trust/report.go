package trust

import (
	"tierscope/analysis/trail"
)

// Report says what Build did and how far the model can be trusted.
type Report struct {
	Groups    []trail.PoolReport `json:"groups"`
	Unmatched trail.Unmatched    `json:"unmatched"`
	Trust     Trust              `json:"trust"`
	Evidence  Evidence           `json:"evidence"` // what calibrating the model needs
}
