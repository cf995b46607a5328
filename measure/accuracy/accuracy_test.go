package accuracy_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tierscope/measure/accuracy"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/project"
	"tierscope/simulation/output"
)

func ptr[T any](v T) *T { return &v }

// shop is a server that was measured twice in two configurations, one of them
// saturated: R 10 % too long and 30 % too short, U 5 points too high.
func shop() accuracy.Result {
	r := accuracy.Result{
		Subject: "shop", Title: "Web shop", Area: "servers", Grade: ptr("B"), Machine: ptr("2 CPUs"), Date: ptr("2026-11-23"), Repeats: ptr(2),
		Rows: []accuracy.Row{
			{Quantity: "R", Unit: "s", Configuration: "rate 100", Predicted: &accuracy.Value{Mean: .011}, Measured: &accuracy.Value{Mean: .010}, Error: ptr(.1), EqualCPU: ptr(.05)},
			{Quantity: "R", Unit: "s", Configuration: "rate 900", Predicted: &accuracy.Value{Mean: .7}, Measured: &accuracy.Value{Mean: 1}, Error: ptr(-.3), Saturated: true},
			{Quantity: "U", Unit: "1", Configuration: "rate 100", Predicted: &accuracy.Value{Mean: .35, Low: ptr(.34), High: ptr(.36)},
				Measured: &accuracy.Value{Mean: .30, Low: ptr(.29), High: ptr(.31)}, Error: ptr(.05)},
		},
	}
	return r
}

func save(t *testing.T, results ...accuracy.Result) string {
	t.Helper()
	dir := t.TempDir()
	for _, r := range results {
		if err := project.Save(filepath.Join(dir, r.Subject+".json"), accuracy.Format, r); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string) *accuracy.Book {
	t.Helper()
	b, err := accuracy.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Any result that has no defect is read as it was written, what is not known too.
func TestAResultSurvivesItsFile(t *testing.T) {
	t.Parallel()
	number := rapid.Float64Range(1e-9, 1e9)
	some := rapid.StringMatching(`[a-zA-Z0-9 ×|"]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		want := accuracy.Result{Subject: "a", Title: some.Draw(t, "title"), Area: "area", Load: rapid.Ptr(some, true).Draw(t, "load"),
			Commit: rapid.Ptr(some, true).Draw(t, "commit"), Repeats: rapid.Ptr(rapid.IntRange(1, 9), true).Draw(t, "repeats")}
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row := accuracy.Row{Quantity: some.Draw(t, "quantity"), Unit: "s", Configuration: some.Draw(t, "configuration"), Measured: &accuracy.Value{Mean: number.Draw(t, "measured")}}
			if rapid.Bool().Draw(t, "interval") {
				row.Measured.Low, row.Measured.High = ptr(row.Measured.Mean*.9), ptr(row.Measured.Mean*1.1)
			}
			if rapid.Bool().Draw(t, "compared") {
				ratio := rapid.Float64Range(.1, 3).Draw(t, "ratio")
				row.Predicted, row.Error = &accuracy.Value{Mean: row.Measured.Mean * ratio}, ptr(ratio-1)
			}
			want.Rows = append(want.Rows, row)
		}
		if err := want.Check(); err != nil {
			t.Skip(err) // such as a quantity that begins with U
		}
		text, err := accuracy.Format.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got accuracy.Result
		if err := accuracy.Format.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		again, err := accuracy.Format.Marshal(got)
		if err != nil || string(again) != string(text) {
			t.Fatalf("read and written again (error %v):\n%s\nwant\n%s", err, again, text)
		}
	})
}

func TestAFileWithADefectIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	whole, err := accuracy.Format.Marshal(shop())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"area"`, `"region"`, "region"},
		{`"version": 1`, `"version": 2`, "version 2 is newer"},
		{`"grade": "B"`, `"grade": "E"`, `grade "E"`},
		{`"2026-11-23"`, `"yesterday"`, `date "yesterday"`},
		{`"subject": "shop"`, `"subject": "shack"`, `expected "shop"`},
		{`"error": -0.3`, `"error": -0.2`, "that of the values beside it -0.3"},
		{`"low":0.29`, `"low":null`, "both ends"},
	} {
		if !strings.Contains(string(whole), c.old) {
			t.Fatalf("the file has no %s:\n%s", c.old, whole)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "shop.json"), []byte(strings.Replace(string(whole), c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := accuracy.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "shop.json") {
			t.Errorf("with %s: error %v; want one of shop.json with %q", c.new, err, c.want)
		}
	}
}

// R: mean of 10 and 30 % is 20 %, the worst −30 %. U: 5 points, [34, 36] and [29, 31]
// have no point in common.
const errorsOfTheShop = `| subject | quantity | configurations | mean |ε| | at equal CPU | worst | where | grade |
|---|---|--:|--:|--:|--:|---|---|
| Web shop | R | 2 | 20.0 % | 5.0 % | −30.0 % | rate 900 | B |
| ″ | U | 1 | 5.0 pp | – | – | – | B |
`

const runsOfTheShop = `| subject | machine | commit | date | repeats |
|---|---|---|---|--:|
| Inn | 2 CPUs | – | 2026-11-23 | 2 |
| Web shop | ″ | 72f2678 | ″ | ″ |
`

func TestTablesSumUpTheRowsAndShowWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	r, other := shop(), shop()
	r.Commit = ptr("72f2678")
	other.Subject, other.Title, other.Rows = "inn", "Inn", []accuracy.Row{{Quantity: "V", Unit: "number", Configuration: "as analysed", Measured: &accuracy.Value{Mean: 3}}}
	b := read(t, save(t, r, other))
	const page = "# Page\n\nBefore.\n\n<!-- generated: errors servers -->\nold\n<!-- end of the generated part -->\n\n<!-- generated: runs servers --><!-- end of the generated part -->\nAfter.\n"
	got, err := b.Fill(page)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Page\n\nBefore.\n\n<!-- generated: errors servers -->\n" + strings.ReplaceAll(errorsOfTheShop, "mean |ε|", `mean \|ε\|`) + "<!-- end of the generated part -->\n\n" +
		"<!-- generated: runs servers -->\n" + runsOfTheShop + "<!-- end of the generated part -->\nAfter.\n"
	if got != want {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
	both, err := b.Fill("<!-- generated: errors+runs servers --><!-- end of the generated part -->")
	if want := "| Web shop | R | 2 | 20.0 % | 5.0 % | −30.0 % | rate 900 | B | 2 CPUs | 72f2678 | 2026-11-23 | 2 |"; err != nil || !strings.Contains(both, want) {
		t.Errorf("error %v, table\n%s\nwant a line %s", err, both, want)
	}
	if again, err := b.Fill(got); err != nil || again != got {
		t.Errorf("filled again, the page changes (error %v):\n%s", err, again)
	}
}

// A mean over six configurations weighs as much as six: (6·4 % + 1·11 %)/7 = 5 %.
func TestAMeanCountsAsOftenAsItHasConfigurations(t *testing.T) {
	t.Parallel()
	r := accuracy.Result{Subject: "pool", Title: "Pool", Area: "go", Rows: []accuracy.Row{
		{Quantity: "T", Unit: "s", Configuration: "6 of them", Error: ptr(.04), Of: 6},
		{Quantity: "T", Unit: "s", Configuration: "workers 9", Error: ptr(-.11)},
	}}
	got, err := read(t, save(t, r)).Fill("<!-- generated: errors go --><!-- end of the generated part -->")
	if err != nil || !strings.Contains(got, "| Pool | T | 7 | 5.0 % | −11.0 % | workers 9 |") {
		t.Errorf("error %v, table\n%s\nwant 7 configurations with 5.0 %%", err, got)
	}
}

func TestSizesShowWhatIsKnownOfTheModel(t *testing.T) {
	t.Parallel()
	r := shop()
	r.Size = &accuracy.Size{Seen: 209, SeenEdges: 240, Fragments: 42, Edges: 44, Metric: "R", Change: ptr(-.012), Half: .0013, SpeedUp: 1050, Explained: .94}
	got, err := read(t, save(t, r)).Fill("<!-- generated: sizes servers --><!-- end of the generated part -->")
	if want := "| Web shop | 209 | 42 | 240 | 44 | R −1.2 % ± 0.13 % | 1050 | – | 94 % |"; err != nil || !strings.Contains(got, want) {
		t.Errorf("error %v, table\n%s\nwant a line %s", err, got, want)
	}
}

func TestTheSummaryComparesWithThePapersAndTheGoal(t *testing.T) {
	t.Parallel()
	other := shop()
	other.Subject, other.Title = "inn", "Inn"
	other.Rows = other.Rows[:1]
	dir := save(t, shop(), other)
	measures := []accuracy.Measure{
		// (20 + 10)/2 over two subjects.
		{What: "R", Page: "servers.md", Area: "servers", Quantity: "R", Figure: accuracy.MeanError, Paper: "0.269", Goal: "≤ 0.1"},
		{What: "R, saturated", Page: "servers.md", Area: "servers", Quantity: "R", Figure: accuracy.MeanError, Saturated: ptr(true)},
		{What: "worst R", Page: "servers.md", Area: "servers", Quantity: "R", Figure: accuracy.WorstError},
		{What: "U", Page: "servers.md", Area: "servers", Subjects: []string{"shop"}, Quantity: "U", Figure: accuracy.Measured},
	}
	if err := project.Save(filepath.Join(dir, "summary.json"), accuracy.SummaryFormat, accuracy.Summary{Measures: measures}); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, dir).Fill("<!-- generated: summary --><!-- end of the generated part -->")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| [R](servers.md) | **15.0 %** | 0.269 | ≤ 0.1 | 2 subjects, 3 configurations |",
		"| [R, saturated](servers.md) | **30.0 %** | – | – | 1 configuration |",
		"| [worst R](servers.md) | **30.0 %** | – | – | 2 subjects, 3 configurations |",
		"| [U](servers.md) | **30.0 %** | – | – | 1 configuration |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %s in\n%s", want, got)
		}
	}
}

func TestWhatPagesAskForInVainIsAnError(t *testing.T) {
	t.Parallel()
	dir := save(t, shop())
	b := read(t, dir)
	for page, want := range map[string]string{
		"<!-- generated: errors moon --><!-- end of the generated part -->":      `area "moon"`,
		"<!-- generated: opinions servers --><!-- end of the generated part -->": "expected errors, values, pivot, sizes, runs, errors+runs, summary, grades, intervals, serving or fresh",
		"<!-- generated: errors servers -->\nno end":                             "has no end",
	} {
		if _, err := b.Fill(page); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("page %q: error %v; want one with %q", page, err, want)
		}
	}
	if err := project.Save(filepath.Join(dir, "summary.json"), accuracy.SummaryFormat,
		accuracy.Summary{Measures: []accuracy.Measure{{What: "X of the moon", Area: "servers", Quantity: "X"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, dir).Fill("<!-- generated: summary --><!-- end of the generated part -->"); err == nil || !strings.Contains(err.Error(), "X of the moon") {
		t.Errorf("a measure without rows: error %v; want one that names it", err)
	}
}

func TestOnlyStalePagesAreWritten(t *testing.T) {
	t.Parallel()
	b := read(t, save(t, shop()))
	docs := t.TempDir()
	for name, text := range map[string]string{"plain.md": "nothing\n", "servers.md": "<!-- generated: runs servers --><!-- end of the generated part -->\n"} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 0} {
		if n, err := b.Update(docs); err != nil || n != want {
			t.Errorf("%d pages written, error %v; want %d", n, err, want)
		}
	}
}

// What validate found becomes rows: means only, the interval of a single run is not
// known, and the folders of the machine that measured are nobody's business.
func TestAComparisonBecomesAResult(t *testing.T) {
	t.Parallel()
	c := func(name, stat string, measured table.Summary) validate.Comparison {
		return validate.Comparison{Name: name, Metric: "T", Of: "program", Stat: stat, Unit: "s", Error: .25, Measured: measured,
			Predicted: output.Estimate{Mean: 5, Lo: 4.9, Hi: 5.1}}
	}
	knees := []validate.Knee{{Parameter: "rate", Others: "workers 2", Predicted: 73.6, PredictedLo: 73, PredictedHi: 74, Measured: 74.4, MeasuredLo: 74, MeasuredHi: 75, Unit: "1/s"},
		{Parameter: "workers", Predicted: 2, Measured: 2}}
	r := accuracy.From(&validate.Report{Knees: knees, Machine: "2 CPUs", Date: "2026-11-23T01:56:27Z", Command: "tierctl measure --model /somewhere/else/shop.tier --repeats 3",
		Comparisons: []validate.Comparison{
			c("workers 1", "mean", table.Summary{Median: 4, Lo: 3.9, Hi: 4.1, Confidence: .75, N: 3}),
			c("workers 2", "mean", table.Summary{Median: 4, N: 215, Samples: []float64{4}, Warnings: []string{"steal"}}),
			c("workers 2", "p95", table.Summary{Median: 4, N: 1}),
			func() validate.Comparison {
				x := c("workers 4", "mean", table.Summary{Median: 4, N: 3})
				x.Error = math.NaN() // measured and not predicted
				return x
			}(),
		}})
	if k := r.Rows[len(r.Rows)-1]; k.Quantity != "knee over rate" || k.Configuration != "workers 2" || math.Abs(*k.Error-(73.6/74.4-1)) > 1e-12 {
		t.Errorf("the last row is %+v, want the knee over the rate", k)
	}
	if missing := r.Rows[2]; missing.Predicted != nil || missing.Error != nil || missing.Measured.Mean != 4 {
		t.Errorf("the third row is %+v, want what was measured alone", missing)
	}
	if len(r.Rows) != 4 || r.Rows[0].Measured.Low == nil || r.Rows[1].Measured.Low != nil || !r.Rows[1].Flagged || r.Rows[0].Flagged {
		t.Errorf("rows %+v; want three and a knee, the first with an interval of what was measured, the second flagged and without", r.Rows)
	}
	if *r.Repeats != 1 || *r.Date != "2026-11-23" || *r.Command != "tierctl measure --model P.tier --repeats 3" || r.Commit != nil {
		t.Errorf("repeats %d, date %s, command %s, commit %v; want 1, 2026-11-23, no folders, not known", *r.Repeats, *r.Date, *r.Command, r.Commit)
	}
}
