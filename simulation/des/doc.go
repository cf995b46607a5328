// Package des is the discrete-event engine: a clock, a future event set and
// random streams. It knows no threads, no queues and no models.
//
// A simulation is a loop around Next:
//
//	var e des.Engine
//	e.Schedule(10*des.Microsecond, arrival, 0)
//	for ev, ok := e.Next(); ok; ev, ok = e.Next() {
//		switch ev.Kind {
//		case arrival: // e.Now() is 10 µs
//		}
//	}
//
// # Clock
//
// Time is an integer number of nanoseconds, so equal sums are equal whatever
// the order of their terms, and a tie is a tie. Rounding a variate to the clock
// is unbiased: a mean below a microsecond is rounded stochastically (see
// Stream.Round), a larger one to the nearest nanosecond, whose relative bias is
// below 1/(24·m²) for an exponential variate of mean m ns, that is 4·10⁻⁸.
//
// # Future event set
//
// A 4-ary heap of 16-byte values: time, and schedule order with the event's
// slot. Four children share a cache line. Equal-time events run in schedule
// order. The root is vacated lazily, so that the usual pattern "execute an
// event, schedule its successor" costs one sift instead of two. A Timer names a
// pending event with a generation; cancelling removes the event at once, so
// that a model full of timeouts which never fire keeps a small event set.
//
// # Random streams
//
// One Stream per source of randomness, derived by hashing seed, replication and
// identity: two configurations that share sources share their random numbers
// (common random numbers, Law & Kelton §11.2). The generator is xoshiro256++
// (Blackman & Vigna 2021); exponential and normal variates use the ziggurat
// method (Marsaglia & Tsang 2000).
//
// # Fingerprint
//
// Fingerprint hashes time, kind and target of every executed event
// (OMNeT++ cFingerprintCalculator): equal fingerprints mean equal trajectories.
package des
