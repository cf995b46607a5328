package analysis_test

import (
	"regexp"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trail"
)

// unprefixed is a time without the prefix that fits: 0.000322 s, 3.2e-04 s, 0.05 ms.
var unprefixed = regexp.MustCompile(`(\b0\.0\d* |e-\d+ )[mµn]?s\b`)

// A trust report is read by people: times have the prefix that fits, one run is a run, and nothing is told of a disk
// that the model does not have but why it has none.
func TestTrustReportsReadAsTheScreensPromise(t *testing.T) {
	t.Parallel()
	for _, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := load(t, name)
			m, r, err := analysis.Build(in, trail.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, lines := range [][]string{r.Trust.Assumptions, r.Trust.NotModelled, r.Trust.WallClock, r.Trust.Warnings} {
				for _, line := range lines {
					if found := unprefixed.FindString(line); found != "" {
						t.Errorf("%s: %q in %q", name, found, line)
					}
					if strings.Contains(line, " 1 runs ") {
						t.Errorf("%s: 1 runs in %q", name, line)
					}
					if len(m.Disks) == 0 && (strings.Contains(line, "without requests to a disk") || strings.HasPrefix(line, "disk: ") && strings.Contains(line, "were made outside")) {
						t.Errorf("%s: the model has no disk, and the report says %q", name, line)
					}
				}
			}
		})
	}
}
