// Package figure makes the figures of the answer pages from the reports of
// simulation/explain and measure/validate: the window, `tierctl report` and
// `tierctl plot` draw the same. It knows nothing of Fyne.
package figure
