// Package capture makes profile tables of Go and Java programs: one row per run and kind
// of thread, with the values that the program's variables had when its threads
// were created, and the behaviours of the threads (Wu et al. 2010, §3).
//
// Variables are recorded by statements compiled into a copy of the source, up
// to the first go statement. Of all numeric variables, lengths of slices and
// fields of structures, four filters leave what can be an input:
//
//  1. what is assigned after the threads were created is not an input;
//  2. a place that makes more than 1 % of all assignments is a loop's work;
//  3. what never changes between runs explains nothing;
//  4. variables of other modules are not the program's.
//
// In a Java program variables are recorded where classes assign them, up to the first call that creates
// a thread or gives it work, and the threads' bodies are measured: run and call of the program's classes, and lambda
// expressions. Of several bodies of a kind that one thread runs it has the sum.
//
// Prediction code (predict.go) is compiled into a Go program in the same way: it reads variables where
// threads are about to be created, and tells the program what they will do.
//
// Goroutines that a go statement (or WaitGroup.Go) of the program starts are
// locked to an OS thread while they are measured, so that the kernel's counters
// of threads are theirs. n counts them from creation to join.
//
// A thread that meets others at barriers has phases besides: what lies between two
// barriers, named by where these were called, in the mean of its executions. Barriers
// are functions of the program that wait for a condition or wake all who do (see
// isBarrier), and Wait of a WaitGroup in a measured thread.
//
//	wall, cpu, sync      clocks of the thread; sync is what is neither computing nor waiting for a core
//	page_faults, …       perf_event_open; hardware events where the machine has them
//	loads, stores, …     counted, by a build in which every access to memory calls a counter
//	loop_iterations, …   counted, by a build with counters in the program's loops and functions
//	instructions, …      simulated, by valgrind, where that is asked for and the machine counts none
//
// Executables have no source here: see compiled.go.
package capture
