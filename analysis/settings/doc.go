// Package settings finds the knobs of a program: which flag, environment variable or argument drives which
// numbers of its model.
//
//	workers := flag.Int("workers", 2, "")            pools/worker/size          = workers
//	queue := make(chan task, 4**workers)             queues/queue/capacity      follows 4·workers
//	for range *workers { go worker() }               graphs/…/loop/iterations   = workers, a loop for each of them
//	for range *workers { queue <- stop }
//
// Three kinds of things meet here.
//
//   - A setting is a number that the program was given, or has unless it is given one, or asks the machine for
//     (given.go). What it decides in the program's text, and by which formula, the scan says.
//   - A quantity is a number of the model that an analyst may want to turn: the size of a pool, a capacity, the
//     rounds of a loop. It has a path, or several, the number of the run, and the place in the text where that
//     number comes from (quantities.go, rounds.go).
//   - A claim says that a setting decides a quantity (claims.go). Its strength is its evidence: the run was given
//     a number that makes the quantity's; the program has such a number; the scan leads there, but the number is
//     not known; nothing but the same number. A claim by which the quantity would have had another number in the
//     run is refuted.
//
// They are solved in this order:
//
//  1. every quantity goes to the one setting with the strongest claim; of two equally strong ones neither gets it;
//  2. other paths change with the size of a pool (dependents.go, scaling.go): each goes to one pool, in the same way;
//  3. the quantities of one setting are one parameter, its name, and others that follow it (emit.go);
//  4. settings that have got nothing are reported: what they change, the run does not show (report.go).
//
// A path has one driver because it is given away once (solver.drive), and every driven number is that of the run at
// the defaults because no refuted claim takes part.
package settings
