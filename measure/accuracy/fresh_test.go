package accuracy

import (
	"math"
	"strings"
	"testing"
)

func around(mean, half float64) *Value {
	low, high := mean-half, mean+half
	return &Value{Mean: mean, Low: &low, High: &high}
}

// Of three run times one is inside ±10 %, one is not and one was not predicted; R of a server that does not keep up, and what is
// a mean over configurations, do not count. Nothing is learned of such programs.
func TestFreshProgramsCountWhatTheirModelsSaid(t *testing.T) {
	t.Parallel()
	e := .1
	row := func(quantity, configuration string, predicted, measured *Value) Row {
		return Row{Quantity: quantity, Unit: "s", Configuration: configuration, Predicted: predicted, Measured: measured, Error: &e, EqualCPU: &e}
	}
	grade := "A"
	r := Result{Subject: "shop", Title: "Shop", Area: Fresh, Grade: &grade, Analysed: "workers 4", Rows: []Row{
		row("T", "workers 1", around(1, .1), &Value{Mean: 1.05}), row("T", "workers 2", around(1, .1), &Value{Mean: 1.2}),
		row("T", "workers 3", nil, &Value{Mean: 1}), row("R", "workers 1, rate 9", around(1, .3), &Value{Mean: 1.2}), row("R", "workers 1, rate 99", around(1, .3), &Value{Mean: 9}),
	}}
	r.Rows[4].Saturated = true
	if got := r.Told("T"); got.Inside != 1 || got.Of != 3 || len(got.Halves) != 2 || math.Abs(got.Halves[0]-.1) > 1e-12 {
		t.Errorf("run times: %+v, want 1 of 3 inside, known to ±10 %%", got)
	}
	if got := r.Told("R"); got.Inside != 1 || got.Of != 1 {
		t.Errorf("response times: %+v, want the one below saturation", got)
	}
	b := &Book{Results: []Result{r}}
	if len(b.Programs()) != 0 || len(b.Servers()) != 0 || len(b.Serving()) != 0 {
		t.Error("something is learned of fresh programs")
	}
	if table := b.freshTable(); !strings.Contains(table, "| Shop | A | 1/3 | 10 % | – | – | 1/1 | 30 % |") {
		t.Errorf("the table is\n%s", table)
	}
}

// A server whose R is 5 % longer than predicted in all of twelve configurations, and X as predicted: after a few runs the rest is known
// to within 10 %, and all of it is inside.
func TestServersAreKnownAfterTheRunsThatAreAdvised(t *testing.T) {
	t.Parallel()
	off, none := -.05, 0.0
	r := Result{Subject: "shop", Area: "servers"}
	for _, threads := range []string{"1", "2", "4", "8"} {
		for _, rate := range []string{"10", "20", "40"} {
			at := "threads " + threads + ", rate " + rate
			r.Rows = append(r.Rows, Row{Quantity: "R", Unit: "s", Configuration: at, Measured: &Value{Mean: 1}, Error: &off},
				Row{Quantity: "X", Unit: "1/s", Configuration: at, Measured: &Value{Mean: 1}, Error: &none})
		}
	}
	all := (&Book{Results: []Result{r}}).Serving()
	if len(all) != 2 {
		t.Fatalf("%d quantities, want R and X", len(all))
	}
	for _, s := range all {
		if s.Runs < 2 || s.Runs > 6 || s.Runs+len(s.Others) != 12 || s.Inside != len(s.Others) {
			t.Errorf("%s: %d runs, %d of %d inside; want all inside after 2 to 6", s.Quantity, s.Runs, s.Inside, len(s.Others))
		}
	}
	if share, of, _ := Covered(all, "R"); share != 1 || of != len(all[0].Others) {
		t.Errorf("%v of %d are inside, want all", share, of)
	}
}
