package experiment

import (
	"math"
	"strings"
	"testing"
)

func TestExpressionsFollowTheUsualPrecedence(t *testing.T) {
	t.Parallel()
	values := map[string]float64{"workers": 4, "cores": 2, "pools/worker/size": 8, "x": 0}
	for _, c := range []struct {
		text string
		want float64
	}{
		{"1 + 2*3", 7},
		{"(1 + 2)*3", 9},
		{"8/4/2", 1},
		{"5 - 3 - 1", 1},
		{"-2 * -3", 6},
		{"1.5e3 + .5", 1500.5},
		{"workers >= cores", 1},
		{"workers < cores", 0},
		{"workers == 4 && cores != 4", 1},
		{"workers > 5 || cores > 1 && x == 0", 1},
		{"!(workers >= cores) || x", 0},
		{`"pools/worker/size" / workers`, 2},
		{"'pools/worker/size' - 1 >= 2*workers - 1", 1},
		{"cores + 0.05*workers", 2.2},
		{"2e", math.NaN()},
	} {
		e, err := Parse(c.text)
		if err != nil {
			if math.IsNaN(c.want) {
				continue
			}
			t.Fatal(err)
		}
		if got, err := e.Eval(values); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s = %g (%v), want %g", c.text, got, err, c.want)
		}
	}
}

func TestABadExpressionSaysWhereAndWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "expected a number or a name at the end"},
		{"workers >=", "expected a number or a name at the end"},
		{"workers >= >= 2", `at character 12: expected a number or a name instead of ">="`},
		{"(1 + 2", `expected ")"`},
		{"1 2", `at character 3: unexpected "2"`},
		{"1..2", `"1..2" is not a number`},
		{"a $ b", `at character 3: unexpected "$"`},
		{`"open`, "expected a number or a name instead of"},
		{strings.Repeat("(", 1000), "nested more than 100 deep"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: error %v, want %q", c.text, err, c.want)
		}
	}
	e, err := Parse("workers > y")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Eval(map[string]float64{"workers": 1}); err == nil || !strings.Contains(err.Error(), `"y" has no value`) {
		t.Errorf("error %v, want one about y", err)
	}
}

// Whatever the text, Parse returns an error or an expression that has a value
// for every assignment to its names.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a>=b", "(1+2)*'x y'", "!-1||2e5", "\"", "1e", "((((", "a&&b||!c==4/0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		values := map[string]float64{}
		for _, n := range e.Names() {
			values[n] = 2
		}
		if _, err := e.Eval(values); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
