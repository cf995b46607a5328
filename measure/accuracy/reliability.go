package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
	"tierscope/measure/advise"
)

// Reliability is whether intervals and grades keep what they say, for programs that they were
// not learned of.
type Reliability struct {
	Programs []Reliable
	Grades   []Kept // A to D, after an analysis
	Advised  []Kept // the same after the runs that are advised as well
}

// Reliable is a program beside what is learned of all others.
type Reliable struct {
	Program
	Halves []float64 // relative half-widths of the intervals of Others
	Inside int       // of them
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
	r := Reliability{Grades: slices.Clone(promises), Advised: slices.Clone(promises)}
	programs := b.Programs()
	learning := Learn(programs)
	for k, p := range programs {
		law := learning.Law(k)
		x := Reliable{Program: p}
		errors := x.judge(law.Field(p.Checks), p.Others)
		x.Grade = graded(r.Grades, law.Field(p.Checks), p.Others, p.Grade, errors)
		r.Programs = append(r.Programs, x)

		after := Reliable{}
		field, rest := advised(law, p)
		errors = after.judge(field, rest)
		graded(r.Advised, field, rest, p.Grade, errors)
	}
	return r
}

// judge holds what a field says of configurations against what was measured there, and returns |ε|.
func (x *Reliable) judge(field *core.Field, others []core.Checked) (errors []float64) {
	for _, o := range others {
		mean, half := field.Another(o.At)
		x.Halves = append(x.Halves, math.Expm1(half))
		e := o.Off - mean
		errors = append(errors, math.Abs(math.Expm1(-e)))
		if math.Abs(e) <= half {
			x.Inside++
		}
	}
	return errors
}

// graded adds a program to the grade that what is known of some configurations allows, and returns it. A model that a recording calls
// unusable stays so; what else a recording lacks does not tell how far a model is off.
func graded(grades []Kept, field *core.Field, others []core.Checked, recording string, errors []float64) string {
	i := len(grades) - 1
	for within := math.Expm1(field.Within(ats(others))); i > 0 && recording != grades[len(grades)-1].Grade && within <= grades[i-1].Promise; {
		i--
	}
	g := &grades[i]
	g.Models++
	for _, e := range errors {
		g.Of++
		if e <= g.Promise {
			g.Within++
		}
	}
	return g.Grade
}

// ats are the configurations of checks.
func ats(checks []core.Checked) (out []map[string]float64) {
	for _, c := range checks {
		out = append(out, c.At)
	}
	return out
}

// advised makes the runs that are advised after the checks, until all is known as well as grade A says or half of
// the others were run, and returns what is known then and the configurations that are left.
func advised(law core.Errors, p Program) (*core.Field, []core.Checked) {
	seen, rest := slices.Clone(p.Checks), slices.Clone(p.Others)
	asked, field := ats(p.Others), law.Field(seen)
	for 2*len(rest) > len(p.Others)+1 && !advise.Known(field, asked, promises[0].Promise) {
		var candidates []advise.Candidate
		for _, o := range rest {
			candidates = append(candidates, advise.Candidate{Settings: o.At, Cost: 1})
		}
		i, _ := advise.Next(field, asked, candidates)
		seen = append(seen, rest[i])
		rest = slices.Delete(rest, i, i+1)
		field = law.Field(seen)
	}
	return field, rest
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
	t := newTable("grade", ">95 % within", ">models", ">within", ">share", ">models, advised", ">within", ">share")
	r := b.Reliability()
	for i, g := range r.Grades {
		cells := []string{g.Grade, unknown}
		if !math.IsInf(g.Promise, 1) {
			cells[1] = "±" + quantity.Share(g.Promise)
		}
		for _, k := range []Kept{g, r.Advised[i]} {
			share := unknown
			if k.Of > 0 && !math.IsInf(k.Promise, 1) {
				share = quantity.Share(float64(k.Within) / float64(k.Of))
			}
			cells = append(cells, strconv.Itoa(k.Models), fmt.Sprintf("%d/%d", k.Within, k.Of), share)
		}
		t.row(cells...)
	}
	return t.String()
}

// intervalsTable has a line for every program that an interval missed, one for the others of each grade, and one for all.
func (b *Book) intervalsTable() string {
	t := newTable("program", "grade", ">±", ">inside")
	r := b.Reliability()
	for _, k := range promises {
		var names []string
		var halves []float64
		inside := 0
		for _, p := range r.Programs {
			half := robust.Median(p.Halves)
			switch {
			case p.Grade != k.Grade:
			case p.Inside < len(p.Others):
				t.row(p.Name, p.Grade, quantity.Share(half), fmt.Sprintf("%d/%d", p.Inside, len(p.Others)))
			default:
				names, halves, inside = append(names, p.Name), append(halves, half), inside+p.Inside
			}
		}
		if len(names) > 0 {
			span := quantity.Share(slices.Min(halves))
			if most := quantity.Share(slices.Max(halves)); most != span {
				span += " to " + most
			}
			t.row(strings.Join(names, ", "), k.Grade, span, fmt.Sprintf("%d/%d", inside, inside))
		}
	}
	inside, of, median := r.Coverage()
	t.row(fmt.Sprintf("all %d", len(r.Programs)), "", quantity.Share(median), fmt.Sprintf("%s of %d", quantity.Share(inside), of))
	return t.String()
}
