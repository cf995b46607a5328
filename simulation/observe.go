package simulation

import (
	"context"
	"fmt"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Observe simulates one replication of a model as it is, until the given
// simulated time in seconds or the end of the program, and tells o what every
// thread does. It returns the simulated time that was reached. What the
// threads do does not depend on whether they are observed.
func Observe(ctx context.Context, m core.Model, seed uint64, until float64, o Observer) (reached float64, err error) {
	if err := m.Validate(); err != nil {
		return 0, fmt.Errorf("model %q: %w", m.Name, err)
	}
	p, err := compile(&m, &m)
	if err != nil {
		return 0, fmt.Errorf("model %q: %w", m.Name, err)
	}
	r := p.replica(seed, 0, 0, o)
	r.advance(ctx, des.Seconds(until))
	return r.now().Seconds(), ctx.Err()
}
