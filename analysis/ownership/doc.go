// Package ownership finds out whose an object is: the program's, one of every thread,
// of every call, or of every task; and what it is to its users: a lock that is contended, one of a pool of
// objects that threads borrow.
package ownership
