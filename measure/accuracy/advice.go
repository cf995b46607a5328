package accuracy

import (
	"math"

	"tierscope/core"
	"tierscope/measure/advise"
)

// Advice is how well a program that was measured in a whole grid is known after runs of it.
type Advice struct {
	Subject string
	Grid    int // configurations
	// Advised and InOrder are by how much more, as a part, the widest interval of the grid lets the measured value be: after
	// one run, two, …, those that are advised, and those of the grid one after the other.
	Advised, InOrder []float64
	Inside, Others   int // of the configurations that nobody had to run until all was known to the width
	Needed           int // runs until then
}

// Advice makes the runs of every program with at least so many configurations.
func (b *Book) Advice(smallest int, width float64) (all []Advice) {
	for i := range b.Results {
		var seen []core.Checked
		for _, row := range b.Results[i].Times() {
			seen = append(seen, b.Results[i].Checked(row))
		}
		if len(seen) >= smallest {
			all = append(all, adviceOf(b.Results[i].Subject, seen, width))
		}
	}
	return all
}

func adviceOf(subject string, grid []core.Checked, width float64) Advice {
	a := Advice{Subject: subject, Grid: len(grid)}
	var asked []map[string]float64
	var candidates []advise.Candidate
	for _, c := range grid {
		asked = append(asked, c.At)
		candidates = append(candidates, advise.Candidate{Settings: c.At, Cost: 1})
	}
	law := core.ErrorsOfModels()
	made := map[int]bool{}
	var seen []core.Checked
	for n := range grid {
		field := law.Field(seen)
		if a.Needed == 0 && advise.Known(field, asked, width) {
			a.Needed = n
			a.Inside, a.Others = inside(field, grid, made)
		}
		next, _ := advise.Next(field, asked, candidates)
		made[next] = true
		seen = append(seen, grid[next])
		a.Advised = append(a.Advised, advise.Width(law.Field(seen), asked))
		a.InOrder = append(a.InOrder, advise.Width(law.Field(grid[:n+1]), asked))
	}
	if a.Needed == 0 {
		a.Needed = len(grid)
	}
	return a
}

// inside counts the configurations that were not run whose measured value is in the interval.
func inside(field *core.Field, grid []core.Checked, made map[int]bool) (in, of int) {
	for i, c := range grid {
		if made[i] {
			continue
		}
		of++
		if mean, half := field.Another(c.At); math.Abs(c.Off-mean) <= half {
			in++
		}
	}
	return in, of
}
