// Package pcg makes the sequences of a pool ready to be counted: what is insignificant goes and its time stays,
// counted loops keep their count, and what is done holding different locks is told apart (Tarvo & Reiss 2014,
// §4.3.1).
package pcg
