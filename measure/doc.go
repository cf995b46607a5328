// Package measure runs the real, uninstrumented program in many configurations
// and records how fast it was: the truth that predictions are held against.
//
//	campaign: workload × grid of parameters × repetitions
//	   block 1: every configuration once, in random order
//	   block 2: the same in another order …
//	   run: calibration unit, start, (load,) end, calibration unit
//
// Machines drift, by clock frequency, heat and neighbours. Interleaving the
// configurations spreads the drift over all of them (a randomised block
// design), and the calibration unit beside every run, a fixed amount of CPU
// work, makes it visible: its time is recorded as metric C. CPU time used by
// others and stolen by a hypervisor is recorded too, and runs that it
// disturbed are flagged; no measurement is ever dropped.
//
// Results are a table.Table, saved after every run, so that an interrupted
// campaign goes on where it was.
//
// Parts: how.go gives a program its parameter values, campaign.go orders the
// runs, run.go makes one, rows.go turns it into rows; machine_linux.go reads
// the kernel's accounts. Package load drives servers, package table holds the
// numbers, package validate compares them with predictions.
package measure
