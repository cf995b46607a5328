package analysis

import (
	"fmt"
	"math"

	"tierscope/core"
	"tierscope/core/quantity"
)

// What clients wait for is more than what happens in a server: connections are made,
// packets go through two kernels, and it is the client's core that must wake up first. A
// recording of the server shows none of it; plain runs show the sum. What
// fragments do not explain of it is outside of them, and the same under any load.

// delayedAck is how long Linux keeps an acknowledgement back in the hope of data that it could
// go with (TCP_DELACK_MIN), and so, by Nagle's rule (RFC 896), the rest of an answer
// that a server writes in pieces.
const (
	delayedAck    = 0.040 // s
	delayedAckOff = 0.008 // s, by which the time outside may differ from it
)

// Outside lets the tasks of a model's sources be away for as long as makes their response
// time that of plain runs, and says so. simulated is that of the model in the
// configuration of the recording, with tasks that are not away. A time that all requests take
// is missing from median and mean alike; what only one of them lacks is another shape of
// the distribution.
func Outside(m *core.Model, measured, simulated ResponseTime) string {
	rest := min(measured.Median-simulated.Median, measured.Mean-simulated.Mean)
	of := fmt.Sprintf("a request takes %s in a plain run (median %s), and %s in the model (median %s)", quantity.Format(measured.Mean, "s"), quantity.Format(measured.Median, "s"), quantity.Format(simulated.Mean, "s"), quantity.Format(simulated.Median, "s"))
	if rest <= 0 {
		return of
	}
	for i := range m.Sources {
		m.Sources[i].Away = rest
	}
	said := fmt.Sprintf("%s: the rest, %s, is taken to be spent outside of the program, by network and clients, under any load (sources/%s/away_s)", of, quantity.Format(rest, "s"), m.Sources[0].ID)
	if math.Abs(rest-delayedAck) < delayedAckOff {
		said += "; that is as long as Linux delays an acknowledgement: does the program write an answer in pieces, without TCP_NODELAY?"
	}
	return said
}
