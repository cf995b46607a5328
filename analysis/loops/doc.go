// Package loops finds how often every loop of a program iterates as a function of
// the problem size n, from a few runs at small sizes (Zhang et al., complexity
// models of loop counts; Moseley et al. 2007).
//
// Counts are taken separately for each chain of call sites that leads to a loop: a
// loop in a function that one caller gives n elements and another n² has two
// models. What recursive calls do counts where the recursion began.
//
// The loops of the own module of a Go program are counted by statements compiled
// into a copy of its source; of a Java program, those in the classes that it loads
// and that do not belong to the JDK, by counters on the branches that lead into a
// loop or back to its beginning (package java).
//
//	for i := range rows {      →     { c := probe.Loop(4); for i := range rows { c.Add(); …
//
// A model is found lowest order first among those of Orders: the first that is about
// as good as the best, at the sizes that it was fitted to and at a larger one. A
// still larger size, which had no part in the choice, confirms it: a model that
// misses that by more than 5 % is none, and nothing is predicted.
package loops
