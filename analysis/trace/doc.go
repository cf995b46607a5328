// Package trace is the format of a recording: what probes saw of the threads of one run (Trace), what the
// program was given (Workload), what its text says (Facts) and what samples showed (Samples). Everything
// from front ends to the trust report reads these values; nobody changes one.
package trace
