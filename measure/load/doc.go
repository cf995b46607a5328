// Package load drives a server: an open loop, whose requests arrive whether
// or not earlier ones were answered, or a closed loop of users who wait for
// the answer and think.
//
//	report, err := load.Drive(ctx, workload, load.Hooks{})
//	report.X, report.R.Mean, report.WorkStart, report.WorkEnd
//
// A run has a warm-up and a work phase. Response times are those of requests
// due in the work phase, counted from the time they were due, not from when
// the generator got round to sending them: a stalled server must not slow the
// clock that judges it (the "coordinated omission" of closed-loop tools). The
// generator's own lateness is reported beside, as Lag. An open loop has at most 1000
// requests in flight, each on a connection that is kept: what is due beyond that waits
// for one of them, as it would wait in the server, but costs it no new connection.
//
// Requests are of HTTP, or lines of text over TCP (scheme tcp); any other protocol is spoken by a command of the user's
// own, which is told the load and tells of its requests (ReadResults).
//
// What is requested, and when, depends only on the seed, so two runs with one
// seed offer the same load. The generator also measures the CPU time that it
// uses itself, so that a model can include it as background work per arrival.
package load
