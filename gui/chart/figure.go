package chart

import "gonum.org/v1/plot"

// Figure is a figure as plain data: Lines, Scatter, HeatMap, Matrix, Bars,
// Ranking or Steps.
type Figure interface {
	// Table returns the numbers of the figure, its twin for readers who
	// cannot or would rather not look at it.
	Table() Table
	// Summary returns one sentence that says what the figure shows.
	Summary() string

	draw(p *plot.Plot, t Theme) (layout, error)
}

// Empty reports whether a figure has nothing that one could point at: all that
// it would show are axes.
func Empty(f Figure) bool {
	if f == nil {
		return true
	}
	l, err := f.draw(newPlot(Light, true), Light)
	return err == nil && len(l.hits) == 0
}

// layout is what a figure tells the renderer beyond the plot itself.
type layout struct {
	hits   []Hit
	legend []entry
}

// Table is rows of text under a header, ready for a table widget, CSV,
// Markdown or LaTeX. Values holds the raw numbers where a cell is one, in base
// SI units.
type Table struct {
	Header []string
	Rows   [][]string
}

// Hit is a place in a figure that one can point at. X and Y are data
// coordinates; Text is what to show; ID is the caller's, such as a scenario or
// run, "" for none.
type Hit struct {
	X, Y float64
	Text string
	ID   string
}

// Axis is one axis of a figure. Values are in the base unit; the axis shows
// them in the one SI scale that fits.
type Axis struct {
	Label string
	Unit  string // "s", "1/s", "1" for a ratio, "threads", …
	Log   bool
	// Linear keeps the axis so; otherwise one whose values span more than a ratio of 30 is logarithmic.
	Linear bool
	// Min and Max fix the range; both 0 means automatic.
	Min, Max float64
}

// Role says how a series is drawn.
type Role uint8

// Roles of a series.
const (
	Predicted Role = iota // coloured line with a band: simulation
	Measured              // neutral markers with error bars
	Analytic              // dashed coloured line: a quick estimate
	Bound                 // thin dotted grey line: an operational bound
	Curve                 // coloured line with a band and without dots: between simulated points
	Simulated             // coloured dots with error bars, without a line
	Beyond                // dotted coloured line: a curve outside of the evidence
)

// Point is one value of a series with its intervals.
type Point struct {
	X, Y     float64
	Lo, Hi   float64 // interval of simulation or measurement noise; both 0: none
	Lo2, Hi2 float64 // wider interval that includes the uncertainty of measured inputs; both 0: none
	ID       string
	Note     string // added to the hover text
}

func (p Point) hasInterval() bool { return p.Lo != 0 || p.Hi != 0 }
func (p Point) hasWide() bool     { return p.Lo2 != 0 || p.Hi2 != 0 }

// Series is a named sequence of points, ascending in X.
type Series struct {
	Name   string
	Role   Role
	Points []Point
	// Colour is the index of the predicted colour, so that a measured or
	// estimated series belongs visibly to the line it is about.
	Colour int
}
