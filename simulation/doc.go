// Package simulation predicts: it turns a model and a configuration into
// numbers with intervals.
//
//	model ──compile──▶ program ──start──▶ replication ─┐
//	                      ├────────────▶ replication ─┼─observe──▶ outcomes ──estimate──▶ result
//	                      └────────────▶ replication ─┘
//
// A program is the model in arrays: elements in an order that does not depend
// on names, fragments with a program counter for every thread. A replication
// is one independent simulation of it, a state machine per simulated thread on
// the event engine of package des, with the resources of packages processor
// and resource. It draws from one random stream per source of randomness,
// derived from seed, replication and what the element is, so configurations
// compare on common random numbers.
//
// Run conducts: pilot replications find how long the warm-up lasts and how
// long to simulate; replications then run in parallel until the precision, the
// budget or the caller says enough; package output estimates. Batch programs
// run from start to end instead. The answer does not depend on the number of
// workers, and doubts (a queue that grows for ever, too few replications, a
// deadlock) travel with it as warnings.
//
// Many simulations make the packages below: experiment (grids and the ledger
// of all runs), explain (what limits a configuration), optimise (which one is
// best).
package simulation
