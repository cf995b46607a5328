// Package prolong delays the modules of a model one at a time and observes
// which others take longer: virtual prolongation (Mangold et al. 2010, done in
// the simulator instead of the program).
//
// A module is a function of the program, a file or a package: all fragments
// that were executed in it or in what it calls, as their calling contexts say.
// The time of a module is that of one execution, from its entry to its end,
// waits included. The delay is put directly after the places where the module
// acquires locks, itself or in what it calls, since only then it lengthens the time
// that a lock is held, and at its entry if there are none. A channel is a lock of a
// module whose executions both send to it and receive from it (a semaphore, a token).
//
// All runs of a repetition use the same random numbers, so that they differ by
// the delay alone. Runs of different repetitions differ like real ones.
package prolong
