package chart

import "image/color"

// Theme holds the colours of a figure.
type Theme struct {
	Background, Foreground, Grid, Faint color.NRGBA
	// Series are the colours of predicted lines, in order. Each has a
	// contrast of at least 3:1 with Background (WCAG 2.1, 1.4.11).
	Series []color.NRGBA
	// Measured is the neutral colour of everything measured.
	Measured color.NRGBA
	// States are the colours of the parts of a task's time.
	States map[State]color.NRGBA
	// Low, Zero and High are the ends and middle of the diverging scale of
	// signed residuals.
	Low, Zero, High color.NRGBA
}

// State is what a task or resource is doing; its colours are those of the
// timeline and the graphs.
type State string

// States.
const (
	Running State = "cpu"
	DiskIO  State = "disk"
	Locked  State = "lock"
	Queued  State = "queue"
	Other   State = "other"
	Idle    State = "idle"
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// Light is the theme for screens with a light background and for print.
var Light = Theme{
	Background: rgb(0xFFFFFF), Foreground: rgb(0x24292F), Grid: rgb(0xE4E7EB), Faint: rgb(0x8D949C),
	Series:   []color.NRGBA{rgb(0x0072B2), rgb(0xC0500A), rgb(0x00805C), rgb(0xA8558A), rgb(0x8A6D00), rgb(0x3A3F9E), rgb(0x6B3F1D), rgb(0x207A8C)},
	Measured: rgb(0x1B1F24),
	States: map[State]color.NRGBA{
		Running: rgb(0x1B93D4), DiskIO: rgb(0xC48718), Locked: rgb(0x983317),
		Queued: rgb(0x1D594D), Other: rgb(0x792B7F), Idle: rgb(0x8D949C)},
	Low: rgb(0x2166AC), Zero: rgb(0xFFFFFF), High: rgb(0xD6610B),
}

// Dark is the theme for screens with a dark background.
var Dark = Theme{
	Background: rgb(0x171718), Foreground: rgb(0xE6E8EA), Grid: rgb(0x2C2E31), Faint: rgb(0x8A9099),
	Series:   []color.NRGBA{rgb(0x56B4E9), rgb(0xE69F00), rgb(0x2BC49A), rgb(0xE08FBD), rgb(0xF0E442), rgb(0x9AA5FF), rgb(0xD2A27C), rgb(0x63D0DF)},
	Measured: rgb(0xF2F3F5),
	States: map[State]color.NRGBA{
		Running: rgb(0x3C6A8E), DiskIO: rgb(0xE8BF48), Locked: rgb(0x9B583D),
		Queued: rgb(0x4EF0A5), Other: rgb(0xF66BEF), Idle: rgb(0xA4A9B4)},
	Low: rgb(0x4393C3), Zero: rgb(0x171718), High: rgb(0xF08A24),
}

// line returns the colour of the i-th predicted series.
func (t Theme) line(i int) color.NRGBA { return t.Series[i%len(t.Series)] }

// faded returns c with the given opacity.
func faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(255*alpha + 0.5)
	return c
}

// diverging returns the colour of v in −1…1 between Low, Zero and High.
func (t Theme) diverging(v float64) color.NRGBA {
	end := t.High
	if v < 0 {
		end, v = t.Low, -v
	}
	v = min(v, 1)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-v) + float64(b)*v + 0.5) }
	return color.NRGBA{R: mix(t.Zero.R, end.R), G: mix(t.Zero.G, end.G), B: mix(t.Zero.B, end.B), A: 255}
}
