package prolong

import (
	"bytes"
	"strings"
	"testing"

	"tierscope/analysis/factor"
)

// small is a study of two modules, of which one holds a lock that the other waits for.
func small(t testing.TB) []byte {
	t.Helper()
	e := &factor.Experiment{Modules: []string{"a", "b"}, Calls: [][]bool{{false, false}, {false, false}}, Carriers: [][]string{{"lock l"}, {"lock l"}}}
	for i, delay := range []float64{0, 0, 0, 1, 2, 3, 1, 2, 3} {
		r := factor.Run{Module: factor.Nothing, Times: []float64{1 + 0.01*float64(i%3), 2}, Elapsed: 3}
		if i > 2 {
			r.Module, r.Delay = (i-3)/3, delay
			r.Times[0] += delay
			r.Times[1] += delay
		}
		e.Runs = append(e.Runs, r)
	}
	s := New("p")
	if err := s.UseMeasured(e, factor.Options{}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What Read takes, a page shows and another analysis starts from, whoever made the file.
func FuzzReadStudy(f *testing.F) {
	f.Add(small(f))
	f.Add([]byte(`{"format":"tierscope-prolongation","version":1,"measured":{"experiment":{"modules":["a","b"],"runs":[]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, a := range []*factor.Analysis{s.Simulated, s.Measured} {
			if a == nil {
				continue
			}
			a.Groups()
			for _, d := range a.Latent() {
				_ = d.Sentence()
			}
			if len(a.Experiment.Runs) > 50 || len(a.Experiment.Modules) > 10 {
				continue // takes long, and shows nothing new
			}
			if err := New("again").UseMeasured(a.Experiment, factor.Options{Trials: 2}); err != nil && strings.Contains(err.Error(), "module") {
				t.Fatalf("what was read cannot be analysed: %v", err)
			}
		}
	})
}

// A file says of its modules what it likes; a table that lacks one is refused, with its name.
func TestAStudyWhoseTablesLackModulesIsRefused(t *testing.T) {
	t.Parallel()
	whole := string(small(t))
	if _, err := Read(strings.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string][2]string{
		"no runs":            {`"runs": [`, `"runs": [], "was": [`},
		"prolonged module 2": {`"module": 1`, `"module": 2`},
		"calls":              {`"calls": [`, `"calls": [[true],`},
		"carriers":           {`"carriers": [`, `"carriers": [["x"],`},
		"loadings":           {`"explained": [`, `"explained": [1,`},
		"sensitivities":      {`"sensitivities": [`, `"sensitivities": [[],`},
	} {
		damaged := strings.Replace(whole, change[0], change[1], 1)
		if damaged == whole {
			t.Errorf("%s: the study has no %s", says, change[0])
			continue
		}
		if _, err := Read(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: read with %v", says, err)
		}
	}
}
