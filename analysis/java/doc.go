// Package java is the front end for Java programs on HotSpot, releases 11 to
// 25.
//
// # How a program is recorded
//
// Nothing of the user's is edited. The program is started as the user starts
// it, with one more option: an agent (agent/). In a first run it writes down
// every class that is really loaded, whatever class loader, archive or
// generator it came from, and samples the stacks of all threads. Here, in Go, these
// classes are read, the calls that matter are found, and probes are put around
// them (classfile/). In the second run the agent puts the rewritten classes in the
// place of the ones that it knows by name and checksum, and records.
//
//	jdk.go, run.go            find Java, run the program
//	target.go                 the stages
//	sample.go                 call trie and thread groups from the samples
//	world.go                  the classes that were loaded, and their supertypes
//	knowledge.go              what the methods of the Java library mean
//	instrument.go, monitor.go where probes go
//	mute.go                   and where they cost more than they tell
//	pause.go, hotspot/        servers are recorded when they are warm
//	recording.go              what the agent wrote
//	nest.go, decode.go        make an analysis.Trace of it
//	futures.go                executors whose results are waited for
//	unite.go                  the workers of an executor are one pool
//	stages.go                 stages of CompletableFuture that were complete when they were made
//	forks.go                  tasks of fork-join pools and parallel streams
//	selectors.go              servers whose requests a selector tells of
//	loops.go                  counters of loops, for complexity models
//	background.go             what the JVM's own threads use
//
// # What a record says
//
// A record is 24 bytes in a file that the program and we map: it survives
// System.exit and SIGKILL. It has the time, the CPU time of the thread, the place
// of the probe, the identity of the object and one argument or result. Functions
// are named as the JVM does, java/lang/Thread.run; where a class has no line table
// the number of a line is the address of the instruction in its method.
//
// Executors are seen from inside: execute sends to a queue, a worker receives.
// The first task of a worker, which is handed over beside the queue, counts as
// received through it.
package java
