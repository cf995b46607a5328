package recipe

import (
	"errors"
	"io/fs"

	"tierscope/core"
	"tierscope/project"
)

// PinsFormat is the file with the figures that were pinned to the report.
var PinsFormat = core.Format{Name: "tierscope-pins", Version: 1}

// Pin is a figure as it was when it was pinned to the report, whatever page it is of: the picture and its
// numbers. (A chart of the Compare page is pinned as a Recipe, and drawn anew from what is known by then.)
type Pin struct {
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"`    // of the analyst
	Summary string     `json:"summary,omitempty"` // what the figure shows, in a sentence
	From    string     `json:"from,omitempty"`    // model, scenario, seed, replications, version and day
	SVG     string     `json:"svg"`
	Header  []string   `json:"header,omitempty"` // of the figure's table
	Rows    [][]string `json:"rows,omitempty"`
}

// pins is the document.
type pins struct {
	Figures []Pin `json:"figures"`
}

// pinsFile is the document in a project.
const pinsFile = "report.json"

// Pins returns the figures that are pinned to the report of a project, in its order.
func Pins(p *project.Project) ([]Pin, error) {
	var all pins
	if err := p.Load(PinsFormat, &all, pinsFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return all.Figures, nil
}

// SavePins writes them.
func SavePins(p *project.Project, figures []Pin) error {
	return p.Save(PinsFormat, pins{figures}, pinsFile)
}
