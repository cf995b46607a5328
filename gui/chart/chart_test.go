package chart_test

import (
	"bytes"
	"flag"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tierscope/gui/chart"
)

var pictures = flag.String("pictures", "", "write every figure of the tests as PNG into this folder")

func TestEveryFigureRendersInBothThemes(t *testing.T) {
	t.Parallel()
	for name, f := range figures() {
		for theme, colours := range map[string]chart.Theme{"light": chart.Light, "dark": chart.Dark} {
			pic, err := chart.Render(f, colours, 720, 460, 96)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, theme, err)
			}
			if b := pic.Image.Bounds(); b.Dx() != 720 || b.Dy() != 460 {
				t.Errorf("%s, %s: the picture is %v, want 720×460", name, theme, b)
			}
			if a := pic.Area(); a.Dx() < 300 || a.Dy() < 250 {
				t.Errorf("%s, %s: only %v is left for the data", name, theme, a)
			}
			if *pictures == "" {
				continue
			}
			var b bytes.Buffer
			if err := png.Encode(&b, pic.Image); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*pictures, name+"_"+theme+".png"), b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A point is found where it was drawn, with its interval in the text and the
// caller's identity.
func TestPointingAtAPointTellsItsValueAndInterval(t *testing.T) {
	t.Parallel()
	pic, err := chart.Render(responseTime(), chart.Light, 720, 460, 96)
	if err != nil {
		t.Fatal(err)
	}
	area := pic.Area()
	// λ = 10 is the first point; the axis starts at 0 and ends beyond 130.
	found := false
	for x := area.Min.X; x < area.Max.X && !found; x++ {
		for y := area.Min.Y; y < area.Max.Y && !found; y++ {
			hit, _, ok := pic.At(float64(x), float64(y), 1)
			found = ok && hit.ID == "4 threads" && strings.Contains(hit.Text, "10.0 /s") && strings.Contains(hit.Text, "13.1 ms [12.4, 13.7]")
		}
	}
	if !found {
		t.Error("nowhere in the figure is the point of 4 threads at 10/s, 13.1 ms [12.4, 13.7]")
	}
	if hit, _, ok := pic.At(-100, -100, 5); ok {
		t.Errorf("outside the picture there is %q", hit.Text)
	}
}

func TestEveryFormatIsWrittenWithItsSignature(t *testing.T) {
	t.Parallel()
	signature := map[chart.Format]string{chart.PNG: "\x89PNG", chart.PDF: "%PDF-", chart.EPS: "%!PS-Adobe", chart.SVG: "<?xml"}
	for _, format := range chart.Formats {
		var b bytes.Buffer
		if err := chart.Export(&b, responseTime(), chart.Options{Format: format, Footer: "model web@1f3c · λ = 10…130/s · seed 42"}); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if !strings.HasPrefix(b.String(), signature[format]) {
			t.Errorf("%s starts with %q, want %q", format, b.String()[:8], signature[format])
		}
		if format == chart.SVG && !(strings.Contains(b.String(), "λ = 10…130/s · seed 42</text>") && strings.Contains(b.String(), "@font-face")) {
			t.Error("the svg has no text with the font that it needs")
		}
	}
	if err := chart.Export(&bytes.Buffer{}, responseTime(), chart.Options{Format: "bmp"}); err == nil {
		t.Error("an unknown format is accepted")
	}
}

func TestExportsAreTheSameBytesEveryTime(t *testing.T) {
	t.Parallel()
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := chart.Export(w, responseTime(), chart.Options{Format: chart.SVG}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two exports of one figure differ")
	}
}

func TestTablesHoldEveryNumberOfTheFigure(t *testing.T) {
	t.Parallel()
	rows := map[string]int{"lines": 13 + 6 + 13 + 6 + 2 + 2, "scatter": 2, "heatmap": 4, "bars": 2, "ranking": 3, "waterfall": 6, "steps": 8}
	for name, f := range figures() {
		table := f.Table()
		if len(table.Rows) != rows[name] {
			t.Errorf("%s: the table has %d rows, want %d", name, len(table.Rows), rows[name])
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Header) {
				t.Errorf("%s: a row has %d cells under %d headings: %q", name, len(row), len(table.Header), row)
			}
		}
		if s := f.Summary(); !strings.HasSuffix(s, ".") {
			t.Errorf("%s: the summary is no sentence: %q", name, s)
		}
	}
}

func TestEmptyFiguresSayThatThereIsNothingYet(t *testing.T) {
	t.Parallel()
	for _, f := range []chart.Figure{chart.Lines{Title: "R"}, chart.Scatter{Title: "R"}, chart.HeatMap{Title: "R"}, chart.Bars{Title: "R"}, chart.Ranking{Title: "R"}, chart.Waterfall{Title: "R"}, chart.Steps{Title: "R"}} {
		if _, err := chart.Render(f, chart.Light, 300, 200, 96); err != nil {
			t.Errorf("%T without data: %v", f, err)
		}
		if s := f.Summary(); !strings.Contains(s, "yet") {
			t.Errorf("%T without data says %q", f, s)
		}
		if !chart.Empty(f) {
			t.Errorf("%T without data is not empty", f)
		}
	}
}

// Of values that cannot be drawn, such as a response time beyond saturation, nothing but
// axes would be left.
func TestAFigureWhoseValuesCannotBeDrawnIsEmpty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		y     float64
		log   bool
		empty bool
	}{{math.Inf(1), false, true}, {math.NaN(), false, true}, {0, true, true}, {0, false, false}} {
		f := chart.Lines{Title: "R", Y: chart.Axis{Log: c.log}, Series: []chart.Series{{Points: []chart.Point{{X: 1, Y: c.y}}}}}
		if chart.Empty(f) != c.empty {
			t.Errorf("a point at %v (log: %v) makes the figure empty: %v, want %v", c.y, c.log, chart.Empty(f), c.empty)
		}
		if s := f.Summary(); c.empty != strings.Contains(s, "no value is finite") {
			t.Errorf("a point at %v (log: %v): the figure says %q", c.y, c.log, s)
		}
	}
}

func TestMalformedGridsAreRefused(t *testing.T) {
	t.Parallel()
	bad := []chart.Figure{
		chart.HeatMap{Rows: []float64{1}, Columns: []float64{1}},
		chart.HeatMap{Rows: []float64{1}, Columns: []float64{1}, Cells: [][]chart.Cell{{}}},
		chart.Bars{Parts: []chart.Part{{Name: "cpu"}}, Bars: []chart.Bar{{Name: "x"}}},
	}
	for _, f := range bad {
		if _, err := chart.Render(f, chart.Light, 300, 200, 96); err == nil {
			t.Errorf("%#v is drawn without a complaint", f)
		}
	}
}

// A sweep may have more lines than there are colours that the eye tells apart.
func TestLinesOfOneColourHaveDifferentMarks(t *testing.T) {
	t.Parallel()
	legend := func(colour int) []byte {
		var b bytes.Buffer
		f := chart.Lines{Series: []chart.Series{{Name: "x", Colour: colour, Points: []chart.Point{{X: 1, Y: 1}, {X: 2, Y: 2}}}}}
		if err := chart.Export(&b, f, chart.Options{Format: chart.SVG}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for i := range 12 {
		for j := range i {
			if bytes.Equal(legend(i), legend(j)) {
				t.Errorf("lines %d and %d look the same", i, j)
			}
		}
	}
}

// Measured is neutral on every figure: grey to within what the eye sees.
func TestMeasuredHasNoColour(t *testing.T) {
	t.Parallel()
	for name, theme := range map[string]chart.Theme{"light": chart.Light, "dark": chart.Dark} {
		m := theme.Ink
		if spread := max(m.R, m.G, m.B) - min(m.R, m.G, m.B); spread > 16 {
			t.Errorf("%s: measured has colour (%v)", name, m)
		}
	}
}

// P(a ≤ 1) = 1 and P(b ≤ 1) = 0.5 when b is uniform on 0…2 and a on 0…1.
func TestDistanceIsTheLargestGapOfTheDistributionFunctions(t *testing.T) {
	t.Parallel()
	a := chart.Law{Values: []float64{0, 1}, Probabilities: []float64{0, 1}}
	b := chart.Law{Values: []float64{0, 2}, Probabilities: []float64{0, 1}}
	if got := chart.Distance(a, b); got != 0.5 {
		t.Errorf("distance %g, want 0.5", got)
	}
}

func BenchmarkRender(b *testing.B) {
	f := responseTime()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := chart.Render(f, chart.Light, 800, 600, 96); err != nil {
			b.Fatal(err)
		}
	}
}

// A band that reaches a hundred times as far as the values does not press them flat on the axis: it ends at the edge of the figure, and
// pointing tells how far it reaches.
func TestAWideBandLeavesRoomForTheValues(t *testing.T) {
	t.Parallel()
	f := chart.Lines{X: chart.Axis{Label: "rate"}, Y: chart.Axis{Label: "R", Unit: "s"}, Series: []chart.Series{{Points: []chart.Point{
		{X: 100, Y: .002, Lo: .0018, Hi: .0022, ID: "low"}, {X: 200, Y: .005, Hi: .29, ID: "high"}}}}}
	pic, err := chart.Render(f, chart.Light, 400, 300, 96)
	if err != nil {
		t.Fatal(err)
	}
	at, texts := map[string]int{}, map[string]string{}
	for x := range 400 {
		for y := range 300 {
			if hit, _, ok := pic.At(float64(x), float64(y), 1); ok {
				at[hit.ID], texts[hit.ID] = y, hit.Text
			}
		}
	}
	if !strings.Contains(texts["high"], "290") {
		t.Errorf("pointing at the last value says %q, want its interval up to 290 ms", texts["high"])
	}
	if high := at["low"] - at["high"]; high < 20 {
		t.Errorf("2 and 5 ms are %d pixels apart in a figure of 300", high)
	}
}

// spread is how many pixels lie between the lowest and the highest value of a picture.
func spread(t *testing.T, f chart.Figure, w, h int) int {
	t.Helper()
	pic, err := chart.Render(f, chart.Light, w, h, 96)
	if err != nil {
		t.Fatal(err)
	}
	lowest, highest := 0, h
	for x := range w {
		for y := range h {
			if _, at, ok := pic.At(float64(x), float64(y), 1); ok {
				lowest, highest = max(lowest, int(at.Y)), min(highest, int(at.Y))
			}
		}
	}
	return lowest - highest
}

// What a small picture is there for is its values: they take most of its height, with a logarithmic axis as with a linear one, and
// with a legend of four lines and what was measured of each.
func TestValuesHaveMostOfASmallPicture(t *testing.T) {
	t.Parallel()
	points := []chart.Point{{X: 20, Y: .01}, {X: 100, Y: .02}, {X: 200, Y: 1}}
	for _, log := range []bool{false, true} {
		f := chart.Lines{Title: "R", X: chart.Axis{Label: "rate", Unit: "/s"}, Y: chart.Axis{Label: "Response time R", Unit: "s", Log: log, Linear: !log}}
		for i, name := range []string{"workers 2", "workers 4", "workers 6", "workers 8"} {
			f.Series = append(f.Series, chart.Series{Name: name, Role: chart.Predicted, Colour: i, Points: points},
				chart.Series{Name: name + ", measured", Role: chart.Measured, Colour: i, Points: points})
		}
		if got := spread(t, f, 420, 220); got < 80 {
			t.Errorf("logarithmic %v: values have %d pixels of 220", log, got)
		}
	}
}

// A point without an interval has no band: none is drawn past it from the one before to the one behind.
func TestABandEndsWhereAnIntervalIsMissing(t *testing.T) {
	t.Parallel()
	f := chart.Lines{X: chart.Axis{Label: "rate"}, Y: chart.Axis{Label: "R"}, Series: []chart.Series{{Role: chart.Predicted, Points: []chart.Point{
		{X: 0, Y: 1, Lo: .5, Hi: 1.5}, {X: 1, Y: 5, Lo: math.Inf(-1), Hi: math.Inf(1)}, {X: 2, Y: 1, Lo: .5, Hi: 1.5}}}}}
	band := 0
	pic, err := chart.Render(f, chart.Light, 400, 300, 96)
	if err != nil {
		t.Fatal(err)
	}
	for x := 150; x < 250; x++ {
		for y := 150; y < 260; y++ {
			if r, _, b, _ := pic.Image.At(x, y).RGBA(); b > r+0x1800 {
				band++
			}
		}
	}
	if band > 100 {
		t.Errorf("%d pixels below the point without an interval are of a band", band)
	}
}

// The line under a figure says how far it can be relied on: the grade of the model, and of what level the intervals are.
func TestTheLineUnderAFigureSaysHowFarItCanBeReliedOn(t *testing.T) {
	t.Parallel()
	p := chart.Provenance{Model: "web", Revision: "0123456789", Trust: "D", Scenario: "A", Seed: 1, Replications: 10, Confidence: 0.95, Measured: "runs.csv, n = 3…5"}
	if got, want := p.Line(), "model web@0123456 · trust D · scenario A · seed 1 · 10 replications · 95 % intervals · measured runs.csv, n = 3…5"; got != want {
		t.Errorf("the line is %q, want %q", got, want)
	}
}

// Values that differ by how they were computed only are one value: its line is in the middle,
// as if all were the same.
func TestRoundingIsNoChange(t *testing.T) {
	t.Parallel()
	line := func(noise float64) chart.Picture {
		pic, err := chart.Render(chart.Lines{X: chart.Axis{Label: "db-ms"}, Y: chart.Axis{Label: "T", Unit: "s"}, Series: []chart.Series{{Role: chart.Curve,
			Points: []chart.Point{{X: 1, Y: .6230915857954267}, {X: 2, Y: .6230915857954267 + noise}, {X: 3, Y: .6230915857954267}}}}}, chart.Light, 400, 300, 96)
		if err != nil {
			t.Fatal(err)
		}
		return pic
	}
	if same, noisy := line(0), line(5e-15); !reflect.DeepEqual(same.Image, noisy.Image) {
		t.Error("a line with a rounding error is drawn otherwise than one without")
	}
}
