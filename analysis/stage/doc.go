// Package stage runs the analysis of a program: sample, scan, trace, build.
//
// "Each stage saves intermediate results into files that are used as input to
// subsequent stages" (Tarvo & Reiss 2014, §4). The files are in the analysis
// folder of a project:
//
//	workload.json   what was run: program, arguments, environment, load
//	samples.json    call trie, thread groups, library functions (§4.1)
//	facts.json      operations in the program's text (§4.2)
//	trace           probe hits of the instrumented run (§4.3)
//	schema.json     what a programmer marked by hand, if anything; the analyst may edit it, and build follows
//	build.json      what Build did: groups, sizes of graphs before and after reduction
//	trust.json      how far the model can be trusted
//
// and the model is in model/model.json. A study can be taken up at any stage
// whose predecessors left their files.
package stage
