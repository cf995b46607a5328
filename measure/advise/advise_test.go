package advise

import (
	"slices"
	"testing"

	"tierscope/core"
)

func at(workers float64) map[string]float64 { return map[string]float64{"workers": workers} }

// Where 1 and 16 are known and 1 to 16 is asked, the run in the middle tells most; if it takes ten
// times as long as others, another one does for its cost.
func TestTheNextRunIsWhereLeastIsKnown(t *testing.T) {
	t.Parallel()
	f := core.ErrorsOfModels().Field([]core.Checked{{At: at(1), Off: .02, Runs: 3}, {At: at(16), Off: -.03, Runs: 3}})
	var asked []map[string]float64
	var candidates []Candidate
	for _, n := range []float64{1, 2, 4, 8, 16} {
		asked = append(asked, at(n))
		candidates = append(candidates, Candidate{at(n), 1})
	}
	best, after := Next(f, asked, candidates)
	if candidates[best].Settings["workers"] != 4 || Width(after, asked) >= Width(f, asked) {
		t.Errorf("next is %v, with ±%.3f after ±%.3f", candidates[best].Settings, Width(after, asked), Width(f, asked))
	}
	candidates[best].Cost = 10
	if cheap, _ := Next(f, asked, candidates); cheap == best {
		t.Error("the cost of a run does not count")
	}
	agree := []core.Checked{{At: at(1), Off: .01, Runs: 2}}
	if Known(core.ErrorsOfModels().Field(agree), asked[:1], .15) || !Known(core.ErrorsOfModels().Field(append(agree, core.Checked{At: at(2), Off: .01, Runs: 2})), asked[:1], .15) {
		t.Error("two runs that agree make a neighbour known, and one alone says nothing of the spread")
	}
	if none, _ := Next(f, asked, nil); none != -1 {
		t.Error("a run that nobody can make")
	}
}

// A list of values goes on after a comma, a setting begins with its name.
func TestAQuestionNamesAMetricAndConfigurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Question{
		"T":                                {Metric: "T"},
		"T at workers=1,2,4, cores=2":      {"T", []string{"workers=1,2,4", "cores=2"}},
		"R.p95 <= 50ms at rate=10..130/10": {"R.p95 <= 50ms", []string{"rate=10..130/10"}},
	} {
		if got, err := Parse(text); err != nil || got.Metric != want.Metric || !slices.Equal(got.Settings, want.Settings) {
			t.Errorf("%q is %+v (%v), want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "T at 4", "T at workers=1,", " at workers=1"} {
		if q, err := Parse(text); err == nil {
			t.Errorf("%q is %+v", text, q)
		}
	}
}
