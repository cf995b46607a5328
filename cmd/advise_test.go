package cmd_test

import (
	"fmt"
	"math"
	"testing"

	"tierscope/core"
	"tierscope/core/robust"
	"tierscope/measure/accuracy"
	"tierscope/measure/advise"
)

// grid is a program that was measured in every configuration of a grid.
type grid struct {
	asked      []map[string]float64
	candidates []advise.Candidate
	seen       []core.Checked
}

func gridOf(r *accuracy.Result) (g grid) {
	for _, row := range r.Times() {
		c := r.Checked(row)
		g.asked, g.seen = append(g.asked, c.At), append(g.seen, c)
		g.candidates = append(g.candidates, advise.Candidate{Settings: c.At, Cost: 1})
	}
	return g
}

// advised makes the runs that are advised until all is known to a width. widths are those after each.
func (g grid) advised(width float64) (widths []float64, inside, others int) {
	var seen []core.Checked
	made := map[int]bool{}
	law := core.ErrorsOfModels()
	f := law.Field(nil)
	for !advise.Known(f, g.asked, width) && len(seen) < len(g.asked) {
		i, _ := advise.Next(f, g.asked, g.candidates)
		made[i] = true
		seen = append(seen, g.seen[i])
		f = law.Field(seen)
		widths = append(widths, advise.Width(f, g.asked))
	}
	for i, s := range g.seen {
		if made[i] {
			continue
		}
		others++
		if mean, half := f.Another(s.At); math.Abs(s.Off-mean) <= half {
			inside++
		}
	}
	return widths, inside, others
}

// Of programs that were measured in whole grids, runs that are advised one after the other make all
// configurations known to ±15 % after half as many runs or fewer for two programs of three, and
// those that were not run are within their intervals in 90 to 99 %.
func TestAdvisedRunsAreLessThanHalfOfAGrid(t *testing.T) {
	t.Parallel()
	const smallest = 8 // configurations that are worth advice
	var shares []float64
	few, inside, others := 0, 0, 0
	for _, r := range book(t).Results {
		g := gridOf(&r)
		if len(g.asked) < smallest {
			continue
		}
		widths, in, of := g.advised(.15)
		inside, others = inside+in, others+of
		share := float64(len(widths)) / float64(len(g.asked))
		if shares = append(shares, share); share <= .5 {
			few++
		}
		text := ""
		for _, w := range widths {
			text += fmt.Sprintf(" %.0f", 100*w)
		}
		t.Logf("%-20s %d of %d runs, of the others %d of %d inside; widths%s %%", r.Subject, len(widths), len(g.asked), in, of, text)
	}
	covered := float64(inside) / float64(others)
	t.Logf("%d programs: median share of the runs %.2f, at most half for %d; %.1f %% of %d inside", len(shares), robust.Median(shares), few, 100*covered, others)
	if len(shares) < 4 || robust.Median(shares) > .5 || 3*few < 2*len(shares) {
		t.Errorf("at most half of the runs for %d of %d programs; want two of three", few, len(shares))
	}
	if covered < .90 || covered > .99 {
		t.Errorf("%.1f %% of the configurations that were not run are inside, want 90 to 99 %%", 100*covered)
	}
}
