//go:build unix

// Command unseen shows what the analysis makes of the programs of testdata/unseen, which nobody prepared:
//
//	go run ./cmd/unseen -work .cache/unseen            all of them (make unseen)
//	go run ./cmd/unseen -work .cache/unseen heat Sum   some of them
//	go run ./cmd/unseen -kept                          those of which projects and measurements are kept
//
// It analyses each with tierctl, measures it over its grid, holds the model against what testdata/unseen/programs.txt
// says of the program, and writes testdata/unseen/RESULTS.md, and with -results a result file for
// each. A project of -work that is there is not made anew, nor measured again where
// it was. Other work on the machine spoils the figures. It ends with status 1 if the structure is
// right for fewer than nine of ten.
//
//	programs.go   what is known of the programs
//	compile.go    making those run that tierctl does not build
//	structure.go  the model beside that
//	run.go        analysing, measuring, and what that costs
//	table.go      the page
package main
