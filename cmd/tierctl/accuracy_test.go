package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/measure/accuracy"
)

// What validate prints becomes a result file, of which the table of a page is made; a
// page that is not what the files give is told by exit code 3.
func TestARecordedComparisonFillsThePage(t *testing.T) {
	dir := t.TempDir()
	report := `{"machine": "2 CPUs", "date": "2026-11-23T02:00:00Z", "command": "tierctl measure --model /home/me/shop.tier",
		"comparisons": [{"name": "workers 1", "metric": "T", "stat": "mean", "unit": "s", "error": 0.25, "measured": {"median": 4, "n": 2}, "predicted": {"mean": 5, "lo": 4.9, "hi": 5.1}}]}`
	sizes := `{"fragments_seen": 209, "edges_seen": 240, "fragments": 42, "edges": 44, "metric": "T", "change": null, "half_width": 0, "speed_up": 1050, "overhead": 0.057, "explained": 0.9}`
	page := filepath.Join(dir, "page.md")
	for path, text := range map[string]string{page: "<!-- generated: runs go --><!-- end of the generated part -->\n", filepath.Join(dir, "sizes"): sizes} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root := newRoot()
	root.SetIn(strings.NewReader(report))
	root.SetArgs([]string{"accuracy", "record", "-q", "--subject", "shop", "--title", "Web shop", "--area", "go", "--commit", "abc1234", "--sizes", filepath.Join(dir, "sizes"), dir})
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	book, err := accuracy.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := book.Results[0]; r.Size == nil || r.Size.Fragments != 42 || *r.Repeats != 2 || r.Load != nil || r.Grade != nil || *r.Commit != "abc1234" {
		t.Errorf("result %+v, size %+v; want 42 fragments, 2 repeats, the commit, and neither load nor grade", r, r.Size)
	}
	if out, errs, code := tierctl(t.Context(), "accuracy", "pages", "--check", dir, dir); code != exitViolated || strings.TrimSpace(out) != page {
		t.Errorf("check of a stale page: exit code %d, output %q %q; want %d and its name", code, out, errs, exitViolated)
	}
	if _, errs, code := tierctl(t.Context(), "accuracy", "pages", dir, dir); code != exitDone {
		t.Errorf("writing: exit code %d, %s", code, errs)
	}
	text, err := os.ReadFile(page)
	if want := "| Web shop | 2 CPUs | abc1234 | `tierctl measure --model P.tier` | 2026-11-23 | 2 |"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("page (error %v):\n%s\nwant a line %s", err, text, want)
	}
	if out, _, code := tierctl(t.Context(), "accuracy", "pages", "--check", dir, dir); code != exitDone || out != "" {
		t.Errorf("check of a written page: exit code %d, output %q; want %d and none", code, out, exitDone)
	}
}
