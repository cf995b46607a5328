// Package tasks finds what a task is: the requests of a server, the messages of a queue; where threads fetch
// one, pass it on, and are done with it (c_in, c_out, fetch and nofetch: Tarvo & Reiss 2014, §4.3.1).
package tasks
