// Package calibrate makes a model repeat what is known of the run that it was made from.
//
// analysis.Build makes a model of one recorded run and simulates nothing. Plain runs, without
// probes, know better what the program costs and what its clients wait for, but only in sum:
// to see what of it the model lacks, it has to be simulated as it was recorded. So
// this package stands above analysis and simulation:
//
//	recorded run ──Build──▶ model ─────────▶ Paced ──▶ Single ──▶ Away ──▶ Doubted ──▶ calibrated model
//	plain runs ───────────▶ Evidence ────────┘  │         │        │          │
//	                                            └─────────┴────────┴──────────┴──▶ assumptions, doubts
//
// Each step is a function from a model to another one; none changes the one that it is given:
//
//	Paced    pace.go, company.go  the threads of a batch program use the CPU time of plain runs,
//	                              on all cores and on one
//	Single   single.go            the process of one uses that of runs on one core, where its
//	                              run-time system sets itself up otherwise
//	Away     away.go              what clients of a server wait for and the program does not
//	                              explain is spent outside of it
//	Doubted  doubts.go            a model that does not repeat its run says so with every result
//
// A model that is calibrated stays as it is when it is calibrated again. Model does
// them all; Study does so to what a stage.Study built, before it is saved.
package calibrate
