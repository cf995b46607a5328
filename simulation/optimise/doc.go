// Package optimise finds the best configuration under limits, and says how
// sure that is.
//
//	space ──constraints──▶ ──bounds, estimate──▶ pool ──short simulations──▶ finalists ──in full──▶ answer
//	                               ▲                        │
//	                               └─────── surrogates ◀────┘
//
// A space has axes of values in an order, of values without one, or of real numbers; its points are
// made when they are looked at. Constraints need no simulation, and operational laws rule out
// provably what lies beyond capacity. Of the rest the analytic estimate says what is worth a look: all points of
// a small space, of a large one random points and what grows from the best of them. Short simulations, on
// common random numbers, correct the estimates: a Gaussian process for each limit and for the objective learns
// the ratio of the two over the space, and says where the most can be expected (expected improvement). The
// most promising points are simulated longer and longer, the last few as the question asks for; each is judged by
// the probability that it keeps all limits: it meets them, fails them, or the simulation is too short to tell.
// Among those that meet the limits the best by the objective wins; those that cannot be told apart from
// it are named as its rivals, and the probability that none of the simulated ones is better is stated.
//
// Where the cost is the only objective, the cheapest points that may keep the limits come first, and the search
// ends with the first that does (cheapest.go). With two objectives the answer is a front (pareto.go).
//
// The probabilities are about the noise of the simulation. How well the model
// is known is another matter, and belongs to its trust report.
package optimise
