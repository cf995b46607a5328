package validate

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/measure/table"
	"tierscope/simulation/output"
)

// Three runs of 1 s, of which two were disturbed. Something else had a CPU for 0.3 s for which the program waited, so that the median may
// be too long by anything up to that: ln 1/0.7 in all, of which √⅓ is the deviation. Where R follows demands twice as strongly, those who
// waited delayed others as long. Without a disturbance, runs that are alike add nothing.
func TestWhatOthersCanHaveCausedIsNoise(t *testing.T) {
	t.Parallel()
	part := .3
	x := Comparison{Measured: table.Summary{Median: 1, N: 3, Samples: []float64{1, 1, 1}, Disturbed: 2}, Predicted: output.Estimate{Mean: 1, Lo: 1, Hi: 1}, Delayed: &part}
	want := -math.Log(.7) / math.Sqrt(3)
	if got := x.Noise(0); math.Abs(got-want) > 1e-12 {
		t.Errorf("the noise is %v, want %v", got, want)
	}
	if got := x.Noise(2); math.Abs(got-2*want) > 1e-12 {
		t.Errorf("of what follows twice as strongly it is %v, want %v", got, 2*want)
	}
	x.Measured.Disturbed = 0
	if got := x.Noise(2); got != 0 {
		t.Errorf("undisturbed it is %v", got)
	}
	x.Measured.Disturbed, x.Delayed = 2, nil
	if got := x.Noise(0); !math.IsInf(got, 1) {
		t.Errorf("where nobody knows how long the program waited it is %v", got)
	}
}

// Runs that scatter as much as those of other programs add nothing, as errors of models have that already; ten times as much is nearly
// all counted. What simulations leave unknown is added.
func TestWhatRunsScatterByIsNoise(t *testing.T) {
	t.Parallel()
	run := core.ErrorsOfModels().Run()
	runs := func(deviation float64) Comparison {
		return Comparison{Measured: table.Summary{Median: 1, N: 3, Samples: []float64{math.Exp(-deviation), 1, math.Exp(deviation)}}, Predicted: output.Estimate{Mean: 1, Lo: 1, Hi: 1}}
	}
	usual, wide := runs(run), runs(10*run)
	if got := usual.Noise(0); got > 1e-9 {
		t.Errorf("of a usual scatter it is %v", got)
	}
	if got, least, most := wide.Noise(0), 6*run/math.Sqrt(3), 10*run/math.Sqrt(3); got < least || got > most {
		t.Errorf("of ten times the scatter it is %v, want %v to %v", got, least, most)
	}
	usual.Predicted = output.Estimate{Mean: 1, Lo: .8, Hi: 1.2, Confidence: .95}
	if got := usual.Noise(0); math.Abs(got-.2/core.Normal95) > 1e-9 {
		t.Errorf("of a simulation that is known to ±20 %% it is %v", got)
	}
}

// The part is of the run time, or of the response times of all requests, the server's own where it has them; without the row, or where the
// generator was late, nobody knows.
func TestThePartThatOthersDelayedIsOfWhatWasMeasured(t *testing.T) {
	t.Parallel()
	rows := func(flag string, metrics ...table.Row) Request {
		q := Request{Measured: &table.Table{}}
		for _, r := range metrics {
			r.Run, r.Flags, r.Lo, r.Hi = "1", []string{flag}, math.NaN(), math.NaN()
			q.Measured.Rows = append(q.Measured.Rows, r)
		}
		q.Measured.SetNote("warmup_s", "1")
		q.Measured.SetNote("duration_s", "3")
		return q
	}
	row := func(metric, of, stat string, value float64) table.Row {
		return table.Row{Metric: metric, Of: of, Stat: stat, Value: value}
	}
	waited := row("waited", "others", "sum", .1)
	batch := []table.Row{row("T", "program", "mean", 2), waited}
	server := []table.Row{row("R", "", "mean", .01), row("R", "server", "mean", .005), row("X", "", "mean", 100), waited}
	for _, c := range []struct {
		name, metric string
		q            Request
		want         float64 // −1: nobody knows
	}{
		{"batch", "T", rows(table.OthersRan, batch...), .05},
		{"server", "R", rows(table.OthersRan, server...), .05}, // 400 requests of 5 ms
		{"clients", "R", rows(table.OthersRan, server[0], server[2], waited), .025},
		{"closed", "X", rows(table.OthersRan, server...), .05},
		{"recorded by an earlier version", "T", rows(table.OthersRan, batch[0], row("waited", "cpu", "sum", .4)), .2},
		{"recorded elsewhere", "T", rows(table.OthersRan, batch[0]), -1},
		{"late", "R", rows(table.GeneratorLate, server...), -1},
	} {
		got := c.q.delayed(c.q.Measured.Configurations()[0], c.metric)
		if (got == nil) != (c.want < 0) || got != nil && math.Abs(*got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
