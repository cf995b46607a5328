// Package demand finds what computations cost.
//
// A recorded run shows what every computation cost there and then. A model needs what it costs alone, without
// probes, on a core that is warm, in compiled code. The package takes a cost to be a product:
//
//	cost = base × company × idleness × compilation × recording
//
//	base         what the computation costs without any of the following
//	company      1 + s·x, where x of the other cores compute for the program at the same time (interference.go)
//	idleness     1 + b·min(c, E)/E: c is the work until a core that was idle is warm again (cold.go, coldloads.go)
//	compilation  1/v, where v is the speed that code has when so much is compiled (warmup.go, warmupcompany.go)
//	recording    probes beyond their calibrated cost, and the speed of the machine in that run (anchor.go)
//
// # What is observed
//
// Runs tell sums. Front ends make them by turns, so that they meet the same machine: plain ones on all cores and on
// one, recorded ones on all cores and on one (observations, in runs.go). The recorded run tells how much of its CPU
// time each cause had to do with: the share x of company of every computation (company.go, occupancy.go), the idleness
// before it, what the compilers had done until then, how many records it made.
//
//	plain, all cores     ln cost = base + company              + ε
//	plain, one core      ln cost = base                        + ε
//	recorded, all cores  ln cost = base + company + recording  + ε
//
// # Which factors are kept
//
// FitRuns compares all models that have some of the factors. The errors ε are normal in the logarithm, and their
// variance is that between runs of one kind; where there are fewer than three of each, it has the distribution that
// variances of the recordings in testdata/traces have (Smyth 2004). A factor must raise the likelihood by what chance
// raises it by in one of twenty programs, all candidates together, so that a program on which nothing has an effect
// keeps its model. Factors, kept or not, are in the trust report with standard error, gain of the log-likelihood and
// number of runs; their interval is Student's.
//
// The sum that a factor explains is then divided among the computations by the physical form: s is what makes the
// computations, taken each at its x, cost as much less as runs on one core do. A little company cannot explain much:
// where more is measured than cores can lose to each other, recording and runs contradict each other, which is said and
// counts against the grade, and no slowdown is modelled.
//
// Beside the program's computations, collector.go has what the run-time system's own threads do, and search.go what
// its scheduler does on cores that have nothing to do.
package demand
