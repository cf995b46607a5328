// Package settings finds the knobs of a program: which flag, environment variable or argument drives which
// numbers of its model.
package settings
