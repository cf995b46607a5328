// Package results is the page that shows R, X and U of all runs against any
// parameter, one line per value of another, and the paired differences of two
// of them: results and comparison.
package results
