// Scheduling compares the schedulers and the locks of the simulator with those of the machine.
//
//	go run ./cmd/scheduling            simulates what was measured, and writes testdata/accuracy
//	go run ./cmd/scheduling -measure   measures it first (some 10 minutes; nothing else may run), into testdata/threads.json
//
// What is measured are threads and goroutines that sleep and compute beside others that only compute, and threads that
// share a mutex: tools/threads and tools/goroutines. Nothing is fitted: the models have the laws that these programs draw from,
// and what it costs here to wake a thread.
//
//	load.go      the loads, and their models
//	measure.go   running them
//	compare.go   simulating them, and the result files
package main
