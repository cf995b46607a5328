// Package optimise finds the best configuration under limits, and says how
// sure that is.
//
// Every point of a grid is simulated with common random numbers and judged by
// the probability that it keeps all limits: it meets them, fails them, or the
// simulation is too short to tell. Undecided points are simulated longer, as
// far as the budget goes; points whose arrivals exceed capacity by the
// operational laws are not simulated at all. Among the points that meet the
// limits the best by the objective wins; those that cannot be told apart from
// it are named as its rivals.
//
// The probabilities are about the noise of the simulation. How well the model
// is known is another matter, and belongs to its trust report.
package optimise
