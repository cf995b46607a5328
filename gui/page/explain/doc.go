// Package explain is the page that answers "what is the bottleneck, and why?":
// a verdict in one sentence, where a task's time goes, what would help and by
// how much, and findings with their evidence. Every number and sentence comes
// from simulation/explain, as for `tierctl explain`.
package explain
