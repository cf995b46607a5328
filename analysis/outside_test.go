package analysis

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// A median of 3 ms that the program explains to 1 ms has 2 ms outside if the mean says so too,
// and no more than that tells. One that it more than explains has none. 40 ms are those of a delayed acknowledgement.
func TestWhatTheProgramDoesNotExplainIsOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		measured, simulated ResponseTime
		away                float64
		ack                 bool
	}{
		{ResponseTime{0.003, 0.003}, ResponseTime{0.001, 0.001}, 0.002, false},
		{ResponseTime{0.003, 0.003}, ResponseTime{0.001, 0.003}, 0, false},
		{ResponseTime{0.003, 0.004}, ResponseTime{0.001, 0.001}, 0.002, false},
		{ResponseTime{0.001, 0.001}, ResponseTime{0.003, 0.001}, 0, false},
		{ResponseTime{0.0413, 0.0413}, ResponseTime{0.0005, 0.0005}, 0.0408, true},
		{ResponseTime{0.120, 0.120}, ResponseTime{0.080, 0.080}, 0.040, true},
		{ResponseTime{0.130, 0.130}, ResponseTime{0.080, 0.080}, 0.050, false},
	} {
		m := &core.Model{Sources: []core.Source{{ID: "clients"}}}
		said := Outside(m, c.measured, c.simulated)
		if got := m.Sources[0].Away; math.Abs(got-c.away) > 1e-12 {
			t.Errorf("%v s measured, %v simulated: away for %g s, want %g", c.measured, c.simulated, got, c.away)
		}
		if strings.Contains(said, "away_s") != (c.away > 0) || strings.Contains(said, "TCP_NODELAY") != c.ack {
			t.Errorf("%v s measured, %v simulated: %q", c.measured, c.simulated, said)
		}
	}
}
