// Package ownership finds out whose an object is: the program's, one of every thread, of a tree of threads,
// of every call, or of every task; and what it is to its users: a lock that is contended, one of a pool of
// objects that threads borrow, a condition of a stranger.
package ownership
