// Package timeline records what every thread, core, lock, disk and queue of a
// simulated run does, for drawing and for export.
//
// # Recording
//
// A Recording has tracks. Most tracks are lanes: at any time a lane is in one
// state or idle, so that the simulator says only what it changes to, and when:
//
//	worker := rec.Lane(timeline.Threads, "worker 3")
//	rec.Set(worker, at, timeline.Running, rec.Label("parse"), task)
//	rec.Set(worker, later, timeline.LockWait, rec.Label("L1"), task)
//	rec.Clear(worker, end)
//
// Others are counters: a number that changes in steps, such as the length of a
// queue. A recording holds a limited number of spans and steps; when it is full
// it ends, for all tracks at the same moment, and Until says when.
//
// # Drawing
//
// A picture of a million spans on a thousand pixels shows a thousand spans'
// worth. Lane.Preview returns a block or two per pixel: a span by itself
// where it is wide enough, otherwise the exact share of time in each state. It
// reads a pyramid of sums over 8, 64, 512 … consecutive spans, so its cost
// depends on the pixels and not on the spans.
//
// # Export
//
// Write writes a file that ui.perfetto.dev opens: Perfetto's own traces, with arrows along tasks and
// wake-ups, or the JSON trace event format, which chrome://tracing opens too.
package timeline
