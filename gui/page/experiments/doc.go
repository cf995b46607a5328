// Package experiments is the page where a sweep over configurations is
// designed, run in the background and watched: axes, constraints, precision, a
// preview of the number of runs and their time, progress, pause, cancel. What
// is in the ledger is not simulated again, so a cancelled sweep resumes.
package experiments
