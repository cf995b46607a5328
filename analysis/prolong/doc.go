// Package prolong delays the modules of a real program, one at a time, and
// measures which others take longer (Mangold et al. 2010).
//
// Statements are compiled into the functions of a Go program, and put into the classes of a
// Java program when it loads them; a compiled program calls a library that is loaded
// before it, if it was compiled with -finstrument-functions. What to delay, and by how much, every run is told
// through a file that it maps:
//
//	func Lookup() {                                    func Lookup() { defer probe.Exit(3, probe.Enter(3))
//		registry.Lock()                          →         registry.Lock(); probe.Done(7, lock, &registry)
//		defer registry.Unlock()                            defer registry.Unlock()
//
// The delay is put directly after a lock that the module takes, itself or in
// what it calls, if it takes one: at the entry it would not lengthen the time that
// the lock is held, and a dependency through the lock would stay hidden. Of several
// locks each has its turn, one for every execution. A channel is a lock of those
// who both send to it and receive from it in one execution (a semaphore, a
// token); select statements count too. One run without delays shows which module
// takes which locks: the probe knows what each goroutine executes.
//
// What a delay does decides what it can show. One that sleeps shows locks, queues,
// caches of the program and whatever else somebody waits for. One that is busy shows who
// competes for the cores as well. One that walks through memory evicts what others have in
// caches and takes bandwidth from them; what a busy delay does to them too is taken
// off. None shows what two modules do to each other only by how they are laid out in
// memory, such as false sharing.
//
// Where there are many modules, groups of them are delayed at once, and those that matter
// are split (screen.go).
//
// Runs come in random order, so that a drift of the machine is no effect of a
// module. The delay that was really taken counts, since sleeps are longer than
// asked for.
package prolong
