// Package predictability finds between which problem sizes the time of a program
// can be predicted from smaller ones (Zhang, Budimlić & Kennedy, Performance
// Modeling and Prediction for Scientific Java Applications).
//
// Below the point of predictability (PoP) a just-in-time compiler takes a large
// and erratic part of the time. Above the point of unpredictability (PoU) the
// live data come so close to the limit of the heap that the collector takes it.
//
//	sizes, small to large ──run──▶ share of CPU time spent compiling ──▶ PoP
//	five sizes from the PoP on ──run──▶ cost(n) = a + b·n^k, of the order that the loops have
//	the same, heaps from ample to tight ──run──▶ slow-down(n, heap) ──▶ PoU for any heap
//
// The programs run on stock runtimes: a JVM is observed through the CPU time of
// its threads, its log and its attach socket, a Go program through gctrace. What
// departs from the paper, and why:
//
//   - The paper divides compile time by wall time. Compilers work beside the
//     program today, and starting a JVM takes longer than a small problem: the
//     literal rule calls the smallest sizes predictable. We divide CPU times, less
//     those of a JVM that does nothing, and take the last crossing of the threshold.
//   - The paper solves f_peak(n) = heap. Collectors of today let the heap grow as
//     they please, so f_peak is their policy, not a need. We measure the slow-down
//     of small problems in small heaps, and extrapolate that.
//   - The largest problem that runs at all is not f_base(n) = heap: live data
//     must fit a generation, and that is part of what the small heaps show.
package predictability
