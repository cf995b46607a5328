package paint

import "image/color"

// Canvas is what a figure is painted on.
type Canvas interface {
	// Fill fills the inside of p (non-zero winding).
	Fill(p *Path, c color.Color)
	// Stroke draws the lines of all paths with one pen.
	Stroke(pen Pen, paths ...*Path)
	// Text draws one line of text.
	Text(t Text)
}

// Pen is how a line is drawn.
type Pen struct {
	Color color.Color
	Width float32   // device-independent pixels
	Dash  []float32 // lengths of ink and gap in turn; empty: solid
}

// Align is where a text lies relative to its position.
type Align uint8

// Alignments.
const (
	Left Align = iota
	Center
	Right
)

// Text is one line of text whose capitals are centred vertically on At.
type Text struct {
	At    Point
	S     string
	Size  float32 // of the em, in device-independent pixels
	Bold  bool
	Align Align
	Color color.Color
}
