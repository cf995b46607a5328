package main

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// JSON has no infinity (RFC 8259, §6). Everything else is as encoding/json has it, in the
// order of the fields.
func TestANumberThatIsNotFiniteIsNull(t *testing.T) {
	t.Parallel()
	type inner struct {
		Deep float64 `json:"deep"`
	}
	type table struct {
		inner
		B    string             `json:"b"`
		A    []float64          `json:"a"`
		None []int              `json:"none,omitempty"`
		Nil  *float64           `json:"nil"`
		Map  map[string]float64 `json:"map"`
		Rows []inner
	}
	v := table{inner{1}, "x", []float64{1, math.NaN()}, nil, nil, map[string]float64{"z": math.Inf(1), "y": 2}, []inner{{3}, {math.Inf(-1)}}}
	var b bytes.Buffer
	if err := printJSON(&b, v); err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if want := `{"deep":1,"b":"x","a":[1,null],"nil":null,"map":{"y":2,"z":null},"Rows":[{"deep":3},{"deep":null}]}`; strings.TrimSpace(compact.String()) != want {
		t.Errorf("printed %s\nwant    %s", compact.String(), want)
	}
}

// A measurement of 0 has no relative error: a dash in the table, null in JSON, and no part
// in the mean of the others.
func TestAMeasurementOfZeroHasNoRelativeError(t *testing.T) {
	t.Parallel()
	file := write(t, "m.csv", "# warmup_s: 1\n# duration_s: 5\nrun,workers,rate,metric,of,stat,value,unit\na,4,60,R,,mean,0,s\na,4,60,X,,mean,60,1/s\n")
	args := []string{"validate", webServer, "--measured", file, "--reps", "2", "--fail-on", "R.max_abs_err > 5%"}
	out, stderr, code := tierctl(t.Context(), append(args, "--format", "json")...)
	var report struct {
		Comparisons []struct {
			Metric string
			Error  *float64
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("--format json ends with %d and %s (%v):\n%s", code, stderr, err, out)
	}
	for _, c := range report.Comparisons {
		if (c.Error == nil) != (c.Metric == "R") {
			t.Errorf("the error of %s is %v, want null for R alone", c.Metric, c.Error)
		}
	}
	if out, _, _ := tierctl(t.Context(), args...); strings.Contains(out, "Inf") || strings.Contains(out, "NaN") {
		t.Errorf("the table shows what is no number:\n%s", out)
	}
}
