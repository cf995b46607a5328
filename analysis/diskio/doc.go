// Package diskio turns recordings of disk requests into the disk of a model:
// which requests a code fragment causes, and how long the device takes for one.
//
// # From the kernel to the model
//
//	blkparse, perf script, blktrace ──import──┐
//	tracefs, eBPF ────────────────────record──┴▶ Log ──Match──▶ requests by thread of the program
//	                                               └──Observe──▶ overtaken, in flight ──Model──▶ core.Disk
//	a directory ──Measure──────────────────────────────────────────────────────────────────────▶ core.Disk
//
// A request has four times: queued (a thread asked for it), inserted into the
// scheduler's queue, issued to the device, completed. Its wait is insert → issue
// and its service issue → complete.
//
// # Recorders
//
// Choose takes the best that can be used and says why no better one was: Tracefs,
// private instances of the kernel's tracing file system (root); EBPF, small programs
// at the kernel's raw tracepoints, written here in its instructions, so that neither
// a compiler nor root is needed (CAP_BPF and CAP_PERFMON). Without one the probes of
// a program ask the kernel what each of its own operations read (FromUsage), which
// needs no privilege and knows no queue. Examine tells whether a recorder can be
// believed on this machine, Try whether a disk estimated from one load predicts
// others.
//
// # Whose request
//
// A recording made on the same kernel names the thread and uses the same clock
// as the probes. An imported log may do neither; then Match finds lag and pairs
// of threads by cross-correlation (Tarvo & Reiss 2014, §4.3.2).
//
// # How long
//
// Model estimates how many requests the disk serves at once, in which order, and
// P(t | type, distance) or P(t | type, overtaken) for a queue in front of servers,
// P(t | type, in flight) for a parallel device, setup, way back and P(t | type) for one
// that tells requests complete together, and says by which test it chose.
package diskio
