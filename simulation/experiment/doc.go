// Package experiment runs a model over many configurations.
//
// An Experiment is a document: axes of parameter values, constraints between
// them, a precision and a seed. Its Points are the configurations, in a fixed
// order. A Runner simulates all of them over one pool of workers, with common
// random numbers, and writes every result to a Ledger as it arrives:
//
//	{"format": "tierscope-experiment", "version": 1,
//	 "axes": [{"parameter": "workers", "values": [1, 2, 4]},
//	          {"parameter": "rate", "from": 10, "to": 130, "step": 10}],
//	 "constraints": ["workers >= cores"], "seed": 42}
//
// becomes 39 points such as {workers: 2, rate: 70}, less those that break a
// constraint.
//
// The ledger is a folder of append-only files, one for each writer, and also the cache: equal
// inputs (model, configuration, options, version of the simulator) are never
// simulated twice, so an interrupted experiment resumes where it stopped, and parts of an experiment
// that many processes simulate (shards) come together in it.
package experiment
