package chart

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tierscope/core/quantity"
	"tierscope/gui/vector"
)

// Provenance says where a figure comes from: what has to be known to make it
// again. What is empty or zero is not said.
type Provenance struct {
	Model        string // its name
	Revision     string // hash of the model
	Scenario     string
	Runs         int // configurations that the figure shows
	Seed         uint64
	Replications int     // of every configuration
	Confidence   float64 // of the intervals
	Trust        string  // grade of the model
	Measured     string  // when and where, or in which files, and how often
	Program      string  // that made it, with its version
	Date         time.Time
	Command      string // that makes the figure again
}

// Today is the present day: figures that are made on one day are equal files.
func Today() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }

// revisionLetters are as many of a hash as tell the revisions of one model
// apart.
const revisionLetters = 7

// Line is the provenance as the line under a figure.
func (p Provenance) Line() string {
	var parts []string
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	model := p.Model
	if p.Revision != "" {
		model += "@" + p.Revision[:min(len(p.Revision), revisionLetters)]
	}
	add(model != "", "model %s", model)
	add(p.Trust != "", "trust %s", p.Trust)
	add(p.Scenario != "", "scenario %s", p.Scenario)
	add(p.Runs > 0, "%s", quantity.Plural(p.Runs, "run"))
	add(p.Replications > 0, "seed %d · %s", p.Seed, quantity.Plural(p.Replications, "replication"))
	add(p.Confidence > 0, "%g %% intervals", 100*p.Confidence)
	add(p.Measured != "", "measured %s", p.Measured)
	program := p.Program
	if program != "" && !p.Date.IsZero() {
		program += ", " + p.Date.Format("2006-01-02")
	}
	add(program != "", "%s", program)
	return strings.Join(parts, " · ")
}

// About is what a file with a picture says of itself.
func (p Provenance) About(title, description string) vector.About {
	a := vector.About{Title: title, Description: description, Creator: p.Program, Date: p.Date}
	for _, fact := range []vector.Fact{{Name: "model", Value: p.Model}, {Name: "revision", Value: p.Revision}, {Name: "scenario", Value: p.Scenario},
		{Name: "trust", Value: p.Trust}, {Name: "measured", Value: p.Measured}, {Name: "command", Value: p.Command}} {
		if fact.Value != "" {
			a.Facts = append(a.Facts, fact)
		}
	}
	if p.Replications > 0 {
		a.Facts = append(a.Facts, vector.Fact{Name: "seed", Value: strconv.FormatUint(p.Seed, 10)},
			vector.Fact{Name: "replications", Value: strconv.Itoa(p.Replications)})
	}
	return a
}
