// Package inputs makes a model whose numbers follow the input of the program: the
// hybrid of Tarvo & Reiss 2014, §6, in which the transitions and the parameters of the
// fragments are functions of the input, (δ, Π) = f(X′), found by regression from a few
// runs.
//
//	inputs X′ ──analyse each──▶ models ──align──▶ numbers ──regress──▶ curves
//	                └──measure each──▶ times ──compare──▶ bias and scatter of the simulation
//	a new input ──curves──▶ model ──simulate──▶ T, with its interval
//
// A number is a mean demand, delay or iteration count, how often an edge was taken, a
// size of a pool, a capacity, a count of tasks. It is found in every model by what its
// fragment is (class, place in the source, lock), not by a name. What a program computes
// exactly from its input, such as ⌈items/batch⌉ rounds, becomes an exact relation; what
// clocks say becomes the simplest curve that predicts runs that were left out.
//
// The uncertainty of the curves is in the interval: models are drawn from it, and each
// is simulated. So is what is known of the simulation itself, from the runs of the
// program at the inputs that were captured and, where no probe sees a start, of one that does nothing.
//
// Where an analysis has no curves to fit it tries single settings all the same: Try runs the program with half of each and a
// quarter, or one and two steps less, and Offer makes parameters of laws that both runs follow. TrySizes does so with numbers of
// threads that checks contradict, and Sized has what these change besides.
package inputs
