// Package trust says how far the model of a run can be relied on, and why.
package trust
