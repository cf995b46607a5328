// Package normalise puts records in the place of records, so that what programs make by hand is what it is
// for other threads: a counter that shares out work is a queue, a message that ends a thread a close, a
// poll a wait, what goes through a socket to another thread a message. Each pass is given a Trace and returns
// another one; the first is left as it is.
package normalise
