// Package recipe turns results into figures. A Recipe says what to show — a
// metric over a parameter, one line per value of another — and Lines, Table
// and friends compute the figure from whatever results there are, so that a
// pinned figure refreshes when the data do, and the window and `tierctl plot`
// draw the same thing. It knows nothing of Fyne.
package recipe
