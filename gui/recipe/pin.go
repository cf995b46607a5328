package recipe

import (
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"slices"

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

// SavePins writes what a window has made of the figures that it knows to be there: base became now. What others have
// pinned meanwhile stays, and what they have taken out stays out.
func SavePins(p *project.Project, base, now []Pin) error {
	return p.Change(func() error {
		there, err := Pins(p)
		base, err1 := asRead(base)
		now, err2 := asRead(now)
		if err := errors.Join(err, err1, err2); err != nil {
			return err
		}
		return p.Save(PinsFormat, pins{merged(base, now, there)}, pinsFile)
	}, pinsFile)
}

// asRead are figures as they are read again, to be compared with those of a file: an empty list is none there.
func asRead(figures []Pin) (all []Pin, err error) {
	data, err := json.Marshal(figures)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	return all, err
}

// merged is what two have made of base: now, in its order, without what is not there any more, and what is there anew.
func merged(base, now, there []Pin) []Pin {
	in := func(all []Pin, f Pin) bool {
		return slices.ContainsFunc(all, func(g Pin) bool { return reflect.DeepEqual(f, g) })
	}
	all := slices.DeleteFunc(slices.Clone(now), func(f Pin) bool { return in(base, f) && !in(there, f) })
	for _, f := range there {
		if !in(base, f) {
			all = append(all, f)
		}
	}
	return all
}
