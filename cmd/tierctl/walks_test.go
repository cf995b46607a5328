package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// The script of testdata/models: a master sends each of three workers five parts of 100 µs. A worker
// finds the end after the last of them.
func TestWalksShowsWhatThreadsDidForATask(t *testing.T) {
	t.Parallel()
	const model = "../../testdata/models/version-2-relaxation.json"
	stdout, stderr, code := tierctl(t.Context(), "walks", model)
	if code != exitDone || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, line := range []string{"worker: 3 threads, 21 episodes: from receive worker:4 to the next", "  15        100 %  100 µs  100 µs"} {
		if !strings.Contains(stdout, line) {
			t.Errorf("walks prints\n%s, without the line %q", stdout, line)
		}
	}
	stdout, _, code = tierctl(t.Context(), "walks", model, "--pool", "worker", "--top", "1", "--format", "json")
	var report struct {
		Pools []struct {
			Pool        string
			Episodes    int
			OtherShapes int     `json:"other_shapes"`
			Time        float64 `json:"time_s"`
			Shapes      []struct {
				Episodes int
				Path     []string
				Longest  struct {
					Thread, Move int
					CPU          float64 `json:"cpu_s"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != exitDone || len(report.Pools) != 1 {
		t.Fatalf("exit code %d, %v:\n%s", code, err, stdout)
	}
	p := report.Pools[0]
	if p.Pool != "worker" || p.Episodes != 21 || p.OtherShapes != 2 || len(p.Shapes) != 1 || p.Shapes[0].Episodes != 15 || p.Time != 1.5e-3 {
		t.Errorf("the workers' episodes are %+v, want 15 of one shape, 3 each of two others, 1.5 ms in all", p)
	}
	if x := p.Shapes[0].Longest; x.Thread < 1 || x.Thread > 3 || x.CPU != 1e-4 {
		t.Errorf("the example is %+v, want 100 µs of a worker", x)
	}
}

// Who asks for what is not there is told what to do.
func TestWalksOfAModelWithoutThemSayWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{webServer}, exitNotApplicable, "the model has no walks"},
		{[]string{"../../testdata/models/version-2-relaxation.json", "--pool", "nobody"}, exitUsage, "no thread of such a pool was recorded"},
		{[]string{webServer, "--format", "xml"}, exitUsage, "give table or json"},
	} {
		if _, stderr, code := tierctl(t.Context(), append([]string{"walks"}, c.args...)...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("walks %v: exit code %d, %q; want %d and %q", c.args, code, stderr, c.code, c.says)
		}
	}
}
