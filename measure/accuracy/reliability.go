package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strconv"

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
	Half   float64 // relative half-width of its intervals
	Inside int     // of the configurations that were not checked
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
	for _, p := range programs {
		half := Learn(programs, p.Name, false).Half(p)
		x := Reliable{Program: p, Half: math.Expm1(half)}
		i := 0
		for x.Half > r.Grades[i].Promise || r.Grades[i].Grade < p.Grade {
			i++
		}
		g := &r.Grades[i]
		x.Grade = g.Grade
		g.Models++
		for _, e := range p.Others {
			g.Of++
			if math.Abs(math.Expm1(e)) <= g.Promise {
				g.Within++
			}
			if math.Abs(e) <= half {
				x.Inside++
			}
		}
		r.Programs = append(r.Programs, x)
	}
	return r
}

// Coverage is the share of configurations that are inside, and the median half-width.
func (r Reliability) Coverage() (inside float64, median float64) {
	in, of := 0, 0
	var halves []float64
	for _, p := range r.Programs {
		in += p.Inside
		of += len(p.Others)
		for range p.Others {
			halves = append(halves, p.Half)
		}
	}
	return float64(in) / float64(of), robust.Median(halves)
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
	t := newTable("program", "grade", ">±", ">inside")
	r := b.Reliability()
	of := 0
	for _, p := range r.Programs {
		of += len(p.Others)
		t.row(p.Name, p.Grade, quantity.Share(p.Half), fmt.Sprintf("%d/%d", p.Inside, len(p.Others)))
	}
	inside, median := r.Coverage()
	t.row(fmt.Sprintf("all %d", len(r.Programs)), "", quantity.Share(median), fmt.Sprintf("%s of %d", quantity.Share(inside), of))
	return t.String()
}
