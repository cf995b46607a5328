// Package native is the front end for programs that are compiled for the machine, C,
// C++, Rust and others, with pthreads or OpenMP (libgomp): no source is needed, nor symbols.
//
// # How a program is recorded
//
// Nothing of the user's is edited. The program is started as the user starts it, with a
// library of ours (recorder/) that the loader puts between it and the C library:
// LD_PRELOAD. So what is seen is what goes through the C library; what cannot be seen is said
// before the run (executable.go).
//
//	executable.go             finds the program, and says why one cannot be recorded
//	recorder/                 the library in C; compiled by the C compiler at hand
//	run.go, target.go         the stages
//	recording.go              what the library wrote
//	addresses.go, symbols.go  functions and lines of addresses, from ELF and DWARF
//	functions.go              and of stripped files
//	wrappers.go               calls that say nothing of what the program does
//	decode.go, objects.go     make a trace.Trace of it
//	openmp.go, members.go     parallel regions of OpenMP, in which who calls for one is a thread of its own
//	teams.go                  what their teams wait for, and share out
//	sections.go               critical sections, of which the next four make other records:
//	patience.go, endings.go   waits in vain, and those that the end of the program ends
//	stocks.go, promises.go    stocks of buffers, and what one thread finishes and another needs
//	joins.go                  threads that are joined under a lock
//	hiddenlocks.go            locks of which only the waits are seen
//	hiddenstocks.go           and semaphores
//	futures.go                results of std::promise and std::packaged_task
//	sample.go                 call trie and thread groups
//	mute.go, fewer.go         which operations are not worth recording, and runs without them
//	overhead.go               what recording costs
//
// # What a record says
//
// A record is 40 bytes in a file that the program and we map: it survives SIGKILL. Besides
// operation, object and argument it has the calling context and the CPU time that the thread
// has used. Neither takes a system call: recorder/source/clock.c and context.c tell how.
package native
