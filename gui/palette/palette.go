// Package palette holds the colours of Tierscope and what they mean. It knows
// nothing of Fyne, so charts, exports and the window share it.
//
// The six resource states were searched for the widest worst-case distance
// over normal, protanope, deuteranope and tritanope vision with at least 3:1
// contrast on their background; measured values are always a neutral marker,
// predicted ones always a coloured line.
package palette

import "image/color"

// State is what a thread or a task is doing, or the resource it needs.
type State uint8

// States, in the fixed order of every breakdown.
const (
	Queue State = iota // waiting in a task queue or for a pool
	CPU                // computing, or ready to
	Lock               // waiting for a lock or a synchronization
	Disk               // waiting for the disk or being served by it
	Other              // network, delay, anything else
	Idle
)

// States lists all states in order.
var States = []State{Queue, CPU, Lock, Disk, Other, Idle}

// String is the word on the screen.
func (s State) String() string {
	return [...]string{"queue", "CPU", "lock", "disk", "other", "idle"}[s]
}

// Scheme is the set of colours of one appearance.
type Scheme struct {
	Dark bool

	Paper    color.NRGBA // behind figures and main views
	Surface  color.NRGBA // rail, inspector, cards
	Raised   color.NRGBA // buttons, fields
	Line     color.NRGBA // separators, grid lines
	Ink      color.NRGBA // text and measured markers
	Muted    color.NRGBA // secondary text, at least 4.5:1
	Edge     color.NRGBA // outlines of nodes, arrows, at least 3:1
	Accent   color.NRGBA // selection, focus, links, primary buttons
	OnAccent color.NRGBA
	Tint     color.NRGBA // selected row or rail entry

	Good, Fair, Bad color.NRGBA // verdicts: always with a glyph and a word

	states [6]color.NRGBA
	series [6]color.NRGBA
}

func hex(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// Light is the appearance on white.
func Light() Scheme {
	return Scheme{
		Paper: hex(0xFFFFFF), Surface: hex(0xF5F6F8), Raised: hex(0xE9ECF0), Line: hex(0xDDE1E6),
		Ink: hex(0x1B1F24), Muted: hex(0x59636E), Edge: hex(0x79838E),
		Accent: hex(0x1F5FBF), OnAccent: hex(0xFFFFFF), Tint: hex(0xDCE8FA),
		Good: hex(0x1A7346), Fair: hex(0x8A5A00), Bad: hex(0xB3261E),
		states: [6]color.NRGBA{hex(0x1D594D), hex(0x1B93D4), hex(0x983317), hex(0xC48718), hex(0x792B7F), hex(0x8D949C)},
		series: [6]color.NRGBA{hex(0x0072B2), hex(0xC4500A), hex(0x007A5A), hex(0xA8457C), hex(0x8A6A00), hex(0x4A5568)},
	}
}

// Dark is the appearance on near-black.
func Dark() Scheme {
	return Scheme{
		Dark:  true,
		Paper: hex(0x171718), Surface: hex(0x1F2124), Raised: hex(0x2B2E33), Line: hex(0x363A40),
		Ink: hex(0xECEEF1), Muted: hex(0xA3ABB5), Edge: hex(0x87909B),
		Accent: hex(0x78AEFF), OnAccent: hex(0x10151C), Tint: hex(0x263C5C),
		Good: hex(0x63D297), Fair: hex(0xF0BE4A), Bad: hex(0xFF8A80),
		states: [6]color.NRGBA{hex(0x4EF0A5), hex(0x3C6A8E), hex(0x9B583D), hex(0xE8BF48), hex(0xF66BEF), hex(0xA4A9B4)},
		series: [6]color.NRGBA{hex(0x56B4E9), hex(0xE69F00), hex(0x3CCB9C), hex(0xE391BF), hex(0xF0E442), hex(0xB8C0CC)},
	}
}

// State returns the colour of a resource state.
func (s Scheme) State(x State) color.NRGBA { return s.states[x] }

// Series returns the colour of the i-th predicted line of a chart.
func (s Scheme) Series(i int) color.NRGBA { return s.series[i%len(s.series)] }

// Again returns how often the colour of the i-th line was used before it.
func (s Scheme) Again(i int) int { return i / len(s.series) }

// OkabeIto is the set of colours that people with every kind of colour vision
// can tell apart, for fills with outlines and for reports (Okabe & Ito 2008).
var OkabeIto = [8]color.NRGBA{
	hex(0x000000), hex(0xE69F00), hex(0x56B4E9), hex(0x009E73),
	hex(0xF0E442), hex(0x0072B2), hex(0xD55E00), hex(0xCC79A7),
}
