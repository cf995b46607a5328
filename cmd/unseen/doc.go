//go:build unix

// Command unseen shows what the analysis makes of the programs of testdata/unseen, which nobody prepared:
//
//	go run ./cmd/unseen -work .cache/unseen            all of them (make unseen)
//	go run ./cmd/unseen -work .cache/unseen heat Sum   some of them
//	go run ./cmd/unseen -kept                          those of which projects and measurements are kept
//
// It analyses each with tierctl, measures it over its grid, holds the model against what testdata/unseen/programs.txt
// says of the program, and keeps a line of each in testdata/unseen/results.jsonl, of which it writes RESULTS.md, and
// with -results what was predicted and measured, for the pages of docs. It may be ended and begun again: a program with
// a line of this -commit is left out unless it is named, a project of -work that is there is not made anew, nor measured
// again where it was. Other work on the machine spoils the figures. It ends with status 1 if the structure is right for
// fewer than nine of ten.
//
//	programs.go   what is known of the programs
//	compile.go    making those run that tierctl does not build
//	structure.go  the model beside that
//	run.go        analysing, measuring, and what that costs
//	rows.go       what is kept of each
//	table.go      the page
package main
