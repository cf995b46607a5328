// Package golang is the front end for Go programs.
//
// # How a program is recorded
//
// Nothing of the user's is edited. The go command builds the program with an
// overlay (go build -overlay): edited copies of some twenty files of GOROOT,
// in which channels, select, package sync, go statements, sleeps and the file
// and socket operations of os, net and internal/poll report when they begin
// and end. So every main package can be recorded with all its dependencies,
// those in the module cache and the standard library too.
//
//	overlay.go, overlay_go126.go   the edits, for each Go release
//	probe/                         what is compiled into package runtime
//	toolchain.go, run.go, load.go  build and run the program
//	probefile.go, raw.go           read what the probes wrote
//	decode.go, objects.go          make an analysis.Trace of it
//	timers.go                      goroutines of timers: they sleep first
//	sample.go                      stack samples, from an execution trace
//	mute.go                        which operations are not worth recording
//	calibrate.go                   what the machine charges for a wake-up
//
// # What a record says
//
// A record is 32 bytes in a file that the program and we map: it survives
// os.Exit, a panic and SIGKILL. Besides operation, object and argument it has
// the calling context, hashed along the frame pointers, and the CPU time that
// the goroutine has used, which is exact on a busy machine too: see
// probe/clock.go. Values that pass through a channel are numbered, so that
// sender and receiver of a task are known.
package golang
