// Package walks writes down what threads did, each for itself, as the sequences are when the graphs are counted: what
// the graphs are laid over each other from. A graph forgets which task, object and event belong together,
//
//	main:   … out jobs (task 7) … wait done …        worker: in jobs (task 7), cpu 3.1 ms, signal done (event 12) …
//
// and a walk keeps it: every move has its object of the run and its own demand, and what two threads hand to each
// other has one number on both sides (handed.go, events.go).
package walks
