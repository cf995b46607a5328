package table

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

func read(t *testing.T, text string, m *Mapping, parameters ...string) *Table {
	t.Helper()
	table, err := Read(strings.NewReader(text), m, parameters)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return table
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	want := &Table{
		Provenance: []Note{{"machine", "2 CPUs"}, {"command", "tierctl measure --grid n=1,2"}},
		Parameters: []string{"n", "GOMAXPROCS"}, // "n" is also the header of the number of observations
		Rows: []Row{
			{Run: "r1", Settings: []float64{1, 2}, Metric: "T", Of: "program", Stat: "mean", Value: 0.123456789, Lo: nan, Hi: nan, N: 1, Unit: "s"},
			{Run: "r2", Scenario: "big, red", Settings: []float64{4, nan}, Metric: "X", Of: "", Stat: "mean", Value: 1e6, Lo: 9e5, Hi: 1.1e6, Unit: "1/s", Flags: []string{"disturbed", "late"}},
		},
	}
	want.Rows[1].Settings[1] = 8 // Settings must be numbers in a file
	var b bytes.Buffer
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := read(t, b.String(), nil)
	for i := range got.Rows { // NaN is not equal to itself
		for _, f := range []*float64{&got.Rows[i].Lo, &got.Rows[i].Hi} {
			if i == 0 && math.IsNaN(*f) {
				*f = 0
			}
		}
	}
	want.Rows[0].Lo, want.Rows[0].Hi = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back:\n%+v\nwant\n%+v", got, want)
	}
}

// UX.md §2(a): "guesses by header".
func TestColumnsAreGuessedFromTheHeader(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]Column{
		"threads":            {Role: Parameter, Name: "threads"},
		"Response time (ms)": {Role: Measure, Name: "R", Unit: "ms"},
		"R_p95_ms":           {Role: Measure, Name: "R", Stat: "p95", Unit: "ms"},
		"p99 [us]":           {Role: Measure, Name: "R", Stat: "p99", Unit: "us"},
		"throughput (req/s)": {Role: Measure, Name: "X", Unit: "req/s"},
		"elapsed_s":          {Role: Measure, Name: "T", Unit: "s"},
		"CPU %":              {Role: Measure, Name: "U", Of: "cpu", Unit: "%"},
		"sd latency (ms)":    {Role: Deviation, Name: "R", Unit: "ms"},
		"median latency":     {Role: Measure, Name: "R", Stat: "p50"},
		"n":                  {Role: CountColumn},
		"weather":            {Role: Ignore},
	} {
		want.Header = header
		if got := guess(header, []string{"threads", "rate"}); got != want {
			t.Errorf("guess(%q) = %+v, want %+v", header, got, want)
		}
	}
}

func TestAWideTableBecomesOneRowPerMetricInBaseUnits(t *testing.T) {
	t.Parallel()
	got := read(t, "threads;rate;R (ms);sd R (ms);X (req/s);n\n4;60;50;10;59.5;25\n", nil, "threads", "rate")
	if len(got.Rows) != 2 {
		t.Fatalf("%d rows, want 2: %+v", len(got.Rows), got.Rows)
	}
	r, x := got.Rows[0], got.Rows[1]
	// The standard error of the mean of 25 is 10/5 = 2 ms; 1.96 of them is 3.92 ms.
	if r.Key() != "R  mean" || math.Abs(r.Value-0.05) > 1e-12 || math.Abs(r.Lo-0.04608) > 1e-9 || math.Abs(r.Hi-0.05392) > 1e-9 || r.Unit != "s" {
		t.Errorf("R = %+v, want 0.05 s [0.04608, 0.05392]", r)
	}
	if x.Metric != "X" || x.Value != 59.5 || x.Unit != "1/s" {
		t.Errorf("X = %+v, want 59.5/s", x)
	}
	if want := []float64{4, 60}; !reflect.DeepEqual(r.Settings, want) {
		t.Errorf("settings = %v, want %v", r.Settings, want)
	}
}

func TestEveryBadRowIsReportedByItsNumber(t *testing.T) {
	t.Parallel()
	text := "# a comment\nthreads,rate,R\n1,10,0.1\n2,,0.2\n4,ten,0.3\n8,10\n16,10,0.5\n"
	table, err := Read(strings.NewReader(text), nil, []string{"threads", "rate"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"row 4: rate is empty", `row 5: rate: "ten" is not a number`, "row 6: has 2 fields, the header has 3"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if len(table.Rows) != 2 {
		t.Errorf("%d good rows kept, want 2", len(table.Rows))
	}
}

func TestFilesThatAreNoMeasurementsAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "file is empty",
		"threads,R\n":                    "no rows",
		"threads,cores\n1,2\n":           "no column holds measurements",
		"metric,value,R\nR,1,2\n":        "both long",
		"metric,value,unit\nR,1,light\n": `unit "light" is not known`,
		"metric,value\n,1\n":             "metric is empty",
	} {
		_, err := Read(strings.NewReader(text), nil, []string{"threads", "cores"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

func TestRepetitionsAreGatheredByConfiguration(t *testing.T) {
	t.Parallel()
	table := read(t, "run,workers,T\na,4,1.2\nb,1,4.0\nc,4,1.0\nd,4,1.1\ne,1,4.4\n", nil, "workers")
	got := table.Configurations()
	if len(got) != 2 || got[0].Settings["workers"] != 1 || got[1].Settings["workers"] != 4 {
		t.Fatalf("configurations %+v, want workers 1 and 4", got)
	}
	s := got[1].Metrics["T program mean"]
	// Three samples: the range covers the median with probability 1 − 2·½³.
	if s.Median != 1.1 || s.Lo != 1 || s.Hi != 1.2 || s.N != 3 || s.Confidence != 0.75 {
		t.Errorf("T = %+v, want 1.1 [1, 1.2] at 75 %%", s)
	}
}

// Le Boudec 2010, table A.1: for n = 10 the 95 % interval of the median is
// [x(2), x(9)] with confidence 0.979, for n = 20 [x(6), x(15)] with 0.959.
func TestTheIntervalOfTheMedianIsLeBoudecs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n          int
		lo, hi     float64
		confidence float64
	}{{10, 2, 9, 0.979}, {20, 6, 15, 0.959}, {6, 1, 6, 0.969}, {5, 1, 5, 0.938}, {1, 1, 1, 0}} {
		var samples []float64
		for i := c.n; i >= 1; i-- {
			samples = append(samples, float64(i))
		}
		_, lo, hi, confidence := MedianInterval(samples)
		if lo != c.lo || hi != c.hi || math.Abs(confidence-c.confidence) > 0.0005 {
			t.Errorf("n = %d: [x(%g), x(%g)] at %.3f, want [x(%g), x(%g)] at %.3f", c.n, lo, hi, confidence, c.lo, c.hi, c.confidence)
		}
	}
}

func TestOutliersAreFlaggedAndKept(t *testing.T) {
	t.Parallel()
	s := summarize([]Row{{Value: 1}, {Value: 1.1}, {Value: 0.9}, {Value: 1.05}, {Value: 9}})
	if s.N != 5 || s.Hi != 9 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "1 of 5 measurements are outliers") {
		t.Errorf("%+v, want five samples up to 9 and one warning", s)
	}
}

// FuzzRead holds that no input makes Read panic, and that what it accepts
// without complaint it can write and read again.
func FuzzRead(f *testing.F) {
	f.Add("run,scenario,w,metric,of,stat,value,lo,hi,n,unit,flags\nr,,1,T,program,mean,1,,,1,s,a;b\n")
	f.Add("threads;R (ms);sd R (ms)\n1;2;3\n")
	f.Add("# k: v\nR\n\"1\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Read(strings.NewReader(text), nil, nil)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(b.Bytes()), nil, nil)
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, b.String())
		}
		if len(again.Rows) != len(table.Rows) {
			t.Fatalf("%d rows written, %d read:\n%s", len(table.Rows), len(again.Rows), b.String())
		}
	})
}

// lbzip2 is told its threads by -n, so that its parameter is n; a file of measurements has a column n of its own, the number of values.
func TestAParameterMayHaveTheNameOfAColumn(t *testing.T) {
	t.Parallel()
	m := Guess([]string{"run", "scenario", "n", "cores", "metric", "of", "stat", "value", "lo", "hi", "n", "unit", "flags"}, []string{"n", "cores"})
	if first, last := m.Columns[2], m.Columns[10]; first.Role != Parameter || first.Name != "n" || last.Role != CountColumn {
		t.Errorf("the columns n are taken for %+v and %+v, want a parameter and a count", first, last)
	}
}
