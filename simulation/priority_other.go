//go:build !linux

package simulation

// lowerPriority does nothing where threads have no priorities of their own.
func lowerPriority() {}
