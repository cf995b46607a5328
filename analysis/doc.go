// Package analysis turns a program into a performance model.
package analysis
