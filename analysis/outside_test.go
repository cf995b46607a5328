package analysis

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// A median of 3 ms that the program explains to 1 ms has 2 ms outside. One that it more
// than explains has none. 40 ms are those of a delayed acknowledgement.
func TestWhatTheProgramDoesNotExplainIsOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		measured, simulated, away float64
		ack                       bool
	}{
		{0.003, 0.001, 0.002, false},
		{0.001, 0.003, 0, false},
		{0.0413, 0.0005, 0.0408, true},
		{0.120, 0.080, 0.040, true},
		{0.130, 0.080, 0.050, false},
	} {
		m := &core.Model{Sources: []core.Source{{ID: "clients"}}}
		said := Outside(m, c.measured, c.simulated)
		if got := m.Sources[0].Away; math.Abs(got-c.away) > 1e-12 {
			t.Errorf("%g s measured, %g simulated: away for %g s, want %g", c.measured, c.simulated, got, c.away)
		}
		if strings.Contains(said, "away_s") != (c.away > 0) || strings.Contains(said, "TCP_NODELAY") != c.ack {
			t.Errorf("%g s measured, %g simulated: %q", c.measured, c.simulated, said)
		}
	}
}
