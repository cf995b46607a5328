package main

import (
	"strings"
	"testing"
)

// Of three recordings one has the same model, one another whose T is 10 % longer (11/10 − 1) and X
// 20 % less, and one has none any more.
func TestTheLargestChangeOfAllRecordingsCounts(t *testing.T) {
	t.Parallel()
	was := map[string]Made{
		"a": {Model: "1", Trust: "1", Metrics: map[string][]float64{"T program": {1, 1}}},
		"b": {Model: "2", Trust: "2", Metrics: map[string][]float64{"T program": {10, 10}, "X class/task": {5, 5}, "R class/task": {0, 0}}},
		"c": {Model: "3", Trust: "3", Metrics: map[string][]float64{"T program": {1, 1}}},
	}
	is := map[string]Made{
		"a": {Model: "1", Trust: "9"},
		"b": {Model: "4", Trust: "2", Simulated: true, Metrics: map[string][]float64{"T program": {11, 11}, "X class/task": {4, 4}, "R class/task": {7, 7}}},
		"c": {Trouble: "no model"},
	}
	c := compared(was, is)
	if c.Models != 2 || c.Reports != 2 || c.Without != 1 {
		t.Errorf("%d models, %d reports, %d without; want 2, 2 and 1", c.Models, c.Reports, c.Without)
	}
	if l := c.Largest; l == nil || *l != (Largest{-0.2, "X class/task", "b"}) {
		t.Errorf("largest change %+v, want X of b by −0.2", l)
	}
}

// The weight is that of the larger of the two changes; a recording without a model is as strong as
// anything.
func TestWeights(t *testing.T) {
	t.Parallel()
	small, large := Change{Models: 1, Largest: &Largest{Change: 0.01}}, Change{Models: 1, Largest: &Largest{Change: -0.5}}
	for _, c := range []struct {
		halved, doubled Change
		want            Weight
		idle            bool
	}{
		{Change{}, Change{}, None, true},
		{Change{Reports: 1}, Change{}, None, false},
		{Change{Models: 1}, Change{}, Slight, false},
		{small, Change{}, Slight, false},
		{small, large, Strong, false},
		{Change{}, Change{Without: 1}, Strong, false},
	} {
		if e := (Entry{Halved: c.halved, Doubled: c.doubled}); e.Weight() != c.want || e.Idle() != c.idle {
			t.Errorf("%s, %s: weight %s, idle %t; want %s, %t", c.halved, c.doubled, e.Weight(), e.Idle(), c.want, c.idle)
		}
	}
}

// A page has the constants that matter, with their figures, and how many others there are.
func TestThePageHasALineForWhatMatters(t *testing.T) {
	t.Parallel()
	table := Table{Recordings: 3, Entries: []Entry{
		{ID: "analysis/pcg.small", Value: "3"},
		{ID: "analysis/pcg.tiny", Value: "4"},
		{ID: "analysis/trail.large", Value: "0.5", Halved: Change{Models: 2, Largest: &Largest{0.25, "T program", "shop"}}, Doubled: Change{Models: 1}},
	}}
	page, err := table.Fill("# Title\n" + begin + "\nformer\n" + end + "\nafter\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Title\n", "| **trail.large** | 0.5 | 2, 1 | T shop +25.0 % | – |", "None: pcg 2.", "\nafter\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "former") {
		t.Errorf("the page still has what was in the generated part:\n%s", page)
	}
}

// A source is a reference, a law, a measurement, or a convention whose weight is that of the table.
func TestACommentNamesASource(t *testing.T) {
	t.Parallel()
	references := []string{"Tarvo & Reiss 2014"}
	strong := Entry{Halved: Change{Without: 1}}
	for comment, want := range map[string]string{
		"of waits (Tarvo & Reiss 2014, §4.3.1)":      "",
		"Theory: 2⁻⁸ by chance":                      "",
		"Measured: 60 µs":                            "",
		"Nagle's rule (RFC 896)":                     "",
		"Convention, sensitivity strong":             "",
		"Convention of statistics, sensitivity none": "by the table it is strong",
		"least share that shows anything":            "names no source",
		"":                                           "names no source",
	} {
		err := Constant{Comment: comment}.Source(references, strong)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", comment, err, want)
		}
	}
}
