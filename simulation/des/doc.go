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
// An event is an entry of 16 bytes: its time, and its schedule order with its
// slot, which says what happens. Equal-time events run in schedule order. The
// next 32 entries or fewer are kept sorted; the others, all of them later, are
// a 4-ary heap, of which four children share a cache line. An event of the near
// future, which most are, is put in its place in the sorted part and never sees
// the heap; when the sorted part is used up, the heap yields the next 16, and
// when it is full, it takes the later half (after the lazy queue of Rönngren,
// Riboe & Ayani 1991).
//
// An event of something that has one pending event at most, such as a core or a
// source, is an Alarm. Four of those that are set all the time are not in the queue but
// in an order of their own, eight bits for each, which is kept without branches. Any other
// alarm keeps its slot; any other event has one as long as it is
// pending, and a Timer names it. Order and slot together are the key of an event, which no other ever
// has: an entry whose key is not that of its slot was cancelled. It
// goes away when it comes up, or with all its kind when they are more than the
// pending ones, so that a model full of timeouts which never fire keeps a small
// event set.
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
