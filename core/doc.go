// Package core is the three-tier performance model as a document: what the
// analysis writes, an analyst edits, and the simulator reads.
package core
