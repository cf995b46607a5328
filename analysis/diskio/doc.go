// Package diskio turns recordings of disk requests into the disk of a model:
// which requests a code fragment causes, and how long the device takes for one.
//
// # From the kernel to the model
//
//	blkparse, perf script, blktrace ──import──┐
//	tracefs ──────────────────────────record──┴▶ Log ──Match──▶ requests by thread of the program
//	                                               └──Observe──▶ overtaken, in flight ──Model──▶ core.Disk
//	a directory ──Measure──────────────────────────────────────────────────────────────────────▶ core.Disk
//
// A request has four times: queued (a thread asked for it), inserted into the
// scheduler's queue, issued to the device, completed. Its wait is insert → issue
// and its service issue → complete.
//
// # Whose request
//
// A recording made on the same kernel names the thread and uses the same clock
// as the probes. An imported log may do neither; then Match finds lag and pairs
// of threads by cross-correlation (Tarvo & Reiss 2014, §4.3.2).
//
// # How long
//
// Model estimates the order of the scheduler, the dispatch limit, and P(t | type,
// overtaken) for a disk that serves one request at a time, or P(t | type, in
// flight) for a parallel device, and says by which test it chose.
package diskio
