// Package guards finds why a branch is taken where a probability would be wrong: a variable or the clock that
// tells a loop to stop, a barrier's last thread, an empty or full place, a count that is used up.
package guards
