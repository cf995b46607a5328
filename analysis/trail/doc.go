// Package trail is the one representation of what threads did.
//
// A Trace has records, start and end probes of operations. A trail has, for every thread, a Sequence of
// steps: code fragments with the computation before each,
//
//	begin ─ 0.2 ms ─ receive jobs ─ 11 ms ─ lock m ─ 0 ─ unlock m ─ 0.1 ms ─ receive jobs …
//
// the pools that the threads form (Group), the locks, channels and queues that they share (Resource, with
// every Use), the loops that they went through (Loop) and, at the end, the transitions of each pool's
// sequences laid over each other (PCG). Passes change it (package analysis lists them); Sequence.Rewrite is
// how: what a pass takes out leaves neither a hole in the control flow nor one in the time.
package trail
