package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// Reliability is whether intervals and grades keep what they say, for programs that they were
// not learned of.
type Reliability struct {
	Programs []Reliable
	Grades   []Kept // A to D
}

// Reliable is a program beside what is learned of all others.
type Reliable struct {
	Program
	Halves []float64 // relative half-widths of the intervals of Others
	Inside int       // of them
	Error  float64   // mean |ε| of Others, corrected by the checks
}

// Kept is how a grade keeps its promise.
type Kept struct {
	Grade      string
	Promise    float64 // relative error
	Models     int
	Within, Of int // predictions
}

// promises of the grades, as package trust gives them. D promises nothing.
var promises = []Kept{{Grade: "A", Promise: .10}, {Grade: "B", Promise: .20}, {Grade: "C", Promise: .40}, {Grade: "D", Promise: math.Inf(1)}}

// Reliability leaves out one program after the other.
func (b *Book) Reliability() Reliability {
	r := Reliability{Grades: slices.Clone(promises)}
	programs := b.Programs()
	learning := Learn(programs)
	for k, p := range programs {
		law := learning.Law(k)
		law.Day = core.ErrorsOfModels().Day
		field := law.Field(p.Checks)
		x := Reliable{Program: p}
		var errors []float64
		for _, o := range p.Others {
			mean, half := field.Another(o.At)
			x.Halves = append(x.Halves, math.Expm1(half))
			e := o.Off - mean
			errors = append(errors, math.Abs(math.Expm1(-e)))
			if math.Abs(e) <= half {
				x.Inside++
			}
		}
		x.Error = stat.Mean(errors, nil)
		i := 0
		for slices.Max(x.Halves) > r.Grades[i].Promise || r.Grades[i].Grade < p.Grade {
			i++
		}
		g := &r.Grades[i]
		x.Grade = g.Grade
		g.Models++
		for _, e := range errors {
			g.Of++
			if e <= g.Promise {
				g.Within++
			}
		}
		r.Programs = append(r.Programs, x)
	}
	return r
}

// Coverage is the share of configurations that are inside, how many there are, and the median half-width.
func (r Reliability) Coverage() (inside float64, of int, median float64) {
	in := 0
	var halves []float64
	for _, p := range r.Programs {
		in += p.Inside
		halves = append(halves, p.Halves...)
	}
	return float64(in) / float64(len(halves)), len(halves), robust.Median(halves)
}

// gradesTable is the reliability diagram of the grades.
func (b *Book) gradesTable() string {
	t := newTable("grade", ">95 % within", ">models", ">within", ">of", ">share")
	for _, g := range b.Reliability().Grades {
		promise, share := "±"+quantity.Share(g.Promise), unknown
		if math.IsInf(g.Promise, 1) {
			promise = unknown
		} else if g.Of > 0 {
			share = quantity.Share(float64(g.Within) / float64(g.Of))
		}
		t.row(g.Grade, promise, strconv.Itoa(g.Models), strconv.Itoa(g.Within), strconv.Itoa(g.Of), share)
	}
	return t.String()
}

// intervalsTable has a line for every program, and one for all.
func (b *Book) intervalsTable() string {
	t := newTable("program", "grade", ">±", ">inside", ">mean |ε|")
	r := b.Reliability()
	sum := 0.0
	for _, p := range r.Programs {
		sum += p.Error / float64(len(r.Programs))
		t.row(p.Name, p.Grade, quantity.Share(robust.Median(p.Halves)), fmt.Sprintf("%d/%d", p.Inside, len(p.Others)), quantity.Share(p.Error))
	}
	inside, of, median := r.Coverage()
	t.row(fmt.Sprintf("all %d", len(r.Programs)), "", quantity.Share(median), fmt.Sprintf("%s of %d", quantity.Share(inside), of), quantity.Share(sum))
	return t.String()
}
