// Package validate is the page that answers "does the model match what was
// measured?": a verdict, every configuration with its signed error and both
// intervals, lines, 45° scatter and residual heat-map, the position of the
// knee, and where the error comes from. All numbers and sentences come from
// measure/validate, as for `tierctl validate`.
package validate
