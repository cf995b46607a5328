package main

import "testing"

// What was found stays valid when only comments or white space of the source change; another number
// is another source.
func TestCommentsAreNoPartOfTheSource(t *testing.T) {
	t.Parallel()
	of := func(text string) string { return digest("toy.go", []byte(text)) }
	plain := of("package toy\n\nconst rare = 0.05\n")
	if of("package toy\n\n// rare is how rare rare is.\nconst rare  =  0.05\n") != plain {
		t.Error("a comment makes another source")
	}
	if of("package toy\n\nconst rare = 0.06\n") == plain {
		t.Error("another number makes the same source")
	}
	if digest("trace", []byte("a b")) == digest("trace", []byte("a  b")) {
		t.Error("recordings that differ in a byte are the same")
	}
}
