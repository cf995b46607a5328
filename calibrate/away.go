package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
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
	delayedAckOff = 0.008 // s, by which the time outside may differ from it. Convention, sensitivity none
)

// Away returns the model of a server whose tasks are outside of it for as long as makes their
// response time that of plain runs, and what it assumes for that. The model is as it was, and ""
// is said, if it has no source, or none of its tasks is answered.
func Away(ctx context.Context, m core.Model, e trust.Evidence) (core.Model, string) {
	if !(e.Response.Median > 0) || len(m.Sources) == 0 {
		return m, ""
	}
	inside := awayFor(m, 0)
	simulated := response(ctx, inside)
	if !(simulated.Median > 0) {
		return m, ""
	}
	rest, says := outside(m.Sources[0].ID, e.Response, simulated)
	return awayFor(m, rest), says
}

// AwayAsChecked is Away for a model that was held against runs (Hold): what those correct is no time outside. What its
// report assumes for that takes the place of what it assumed before.
func AwayAsChecked(ctx context.Context, m *core.Model, r *trust.Report) {
	again, says := Away(ctx, *m, r.Evidence)
	if says == "" {
		return
	}
	*m = again
	t := &r.Trust
	t.Assumptions = append(slices.DeleteFunc(slices.Clone(t.Assumptions), func(s string) bool { return strings.HasPrefix(s, aRequest) }), says)
}

// aRequest begins the sentence that Away says.
const aRequest = "a request takes "

// outside is how long a task is outside of the program, in s, and the sentence that says so.
// A time that all requests take is missing from median and mean alike; what only one
// of them lacks is another shape of the distribution.
func outside(source string, measured, simulated trace.ResponseTime) (rest float64, says string) {
	rest = min(measured.Median-simulated.Median, measured.Mean-simulated.Mean)
	says = fmt.Sprintf(aRequest+"%s in a plain run (median %s), and %s in the model (median %s)", quantity.Format(measured.Mean, "s"), quantity.Format(measured.Median, "s"), quantity.Format(simulated.Mean, "s"), quantity.Format(simulated.Median, "s"))
	if rest <= 0 {
		return 0, says
	}
	says += fmt.Sprintf(": the smaller of both differences, %s, is taken to be spent outside of the program, by network and clients, under any load (sources/%s/away_s)", quantity.Format(rest, "s"), source)
	if math.Abs(rest-delayedAck) < delayedAckOff {
		says += "; that is as long as Linux delays an acknowledgement: does the program write an answer in pieces, without TCP_NODELAY?"
	}
	return rest, says
}

// awayFor is the model whose tasks are away for so long, in s.
func awayFor(m core.Model, away float64) core.Model {
	m.Sources = slices.Clone(m.Sources)
	for i := range m.Sources {
		m.Sources[i].Away = away
	}
	return m
}
