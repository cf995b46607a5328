//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
)

const shop = `# a shop
go shop -clerks 3
	grid clerks=1,3
	pools 3 2
	queues 1
	locks mutex
	knobs clerks room
	other goods
`

func TestWhatIsKnownOfProgramsIsRead(t *testing.T) {
	t.Parallel()
	ps, err := parse(shop)
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) != 1 || ps[0].Name != "shop" || !slices.Equal(ps[0].Args, []string{"-clerks", "3"}) || !slices.Equal(ps[0].Pools, []int{2, 3}) || ps[0].Queues != 1 {
		t.Errorf("read as %+v", ps)
	}
	for _, wrong := range []string{"go", "\tpools 3", "go shop\n\tpools three", "go shop\n\tcolour red", "go shop\n\tqueues 1 2"} {
		if _, err := parse(wrong); err == nil {
			t.Errorf("%q was read without an error", wrong)
		}
	}
}

// A model is right if it has the pools, the queues, the locks and the knobs that the program
// has; each thing in which it differs is said.
func TestTheModelIsHeldAgainstTheProgram(t *testing.T) {
	t.Parallel()
	ps, err := parse(shop)
	if err != nil {
		t.Fatal(err)
	}
	m := core.Model{
		Pools:  []core.Pool{{ID: "main", Size: 1}, {ID: "clerk", Size: 3}, {ID: "porter", Size: 2}},
		Queues: []core.Queue{{ID: "counter"}}, Locks: []core.Lock{{ID: "till", Kind: core.Mutex}},
		Parameters: []core.Parameter{{Name: "clerks"}, {Name: "room"}},
	}
	if d := ps[0].differences(&m); len(d) > 0 {
		t.Errorf("the right model differs in %q", d)
	}
	if n := ps[0].found(&m); n != 2 {
		t.Errorf("%d knobs, want 2 of the 3", n)
	}
	m.Pools = append(m.Pools, core.Pool{ID: "clock", Size: 1, Kind: core.SpawnPool}, core.Pool{ID: "errand", Size: 3, Kind: core.SpawnPool})
	if d := ps[0].differences(&m); len(d) != 1 {
		t.Errorf("with a pool too many it differs in %q", d)
	}
	ps[0].Each = 1
	if d := ps[0].differences(&m); len(d) > 0 {
		t.Errorf("with a thread for each errand it differs in %q", d)
	}
	ps[0].Each = 0
	m.Pools, m.Queues, m.Locks, m.Parameters = m.Pools[:2], nil, nil, m.Parameters[:1]
	d := strings.Join(ps[0].differences(&m), "; ")
	if want := "pools of [3] threads, not [2 3]; 0 queues, not 1; no mutex; no knob room"; d != want {
		t.Errorf("differences %q, want %q", d, want)
	}
}

// Of errors of 1, −2 and 30 % the median is 2 %, the worst +30 %, and two are within 15 %.
func TestThePageHasARowForEachProgram(t *testing.T) {
	t.Parallel()
	o := outcome{program: program{Language: "go", Name: "shop", Knobs: []string{"clerks"}}, Trust: trust.Trust{Grade: "B"}, Errors: []float64{0.01, -0.02, 0.3},
		Seconds: 9.6, Megabyte: 120, Date: "2026-11-30", Machine: "a loom"}
	all := []program{o.program, {Language: "c", Name: "inn"}}
	got := page([]row{o.keep("abc")}, all)
	for _, want := range []string{"| go shop | right | B | 2.0 % | +30 % | 2 of 3 | 0 of 1 | 10 s, 120 MB, +0 % | abc | 2026-11-30 | 1 |", "Machine 1: a loom.",
		"Not measured: c inn.", "2 of 3 configurations within 15 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page has no %q:\n%s", want, got)
		}
	}
}

// Rows are kept in the order of the programs, the last of each; a program that has one of this commit is not measured again unless it is named.
func TestWhatWasMeasuredIsKept(t *testing.T) {
	t.Parallel()
	all := []program{{Language: "go", Name: "shop"}, {Language: "c", Name: "inn"}, {Language: "java", Name: "Mill"}}
	rows := []row{{Program: "c inn", Commit: "old"}, {Program: "go gone"}}
	rows = with(rows, row{Program: "java Mill", Commit: "new"}, all) // not measured
	rows = with(rows, row{Program: "go shop", Commit: "new", Errors: errorsOf([]float64{-0.5})}, all)
	path := filepath.Join(t.TempDir(), "results.jsonl")
	if kept, err := load(path); err != nil || kept != nil {
		t.Fatalf("of no file %v, %v", kept, err)
	}
	if err := save(path, rows); err != nil {
		t.Fatal(err)
	}
	kept, err := load(path)
	if err != nil || len(kept) != 3 || kept[0].Program != "go shop" || *kept[0].Errors != (errs{0.5, -0.5, 0, 1}) || kept[1].Program != "c inn" {
		t.Fatalf("kept %+v, %v; want go shop, c inn and java Mill", kept, err)
	}
	r := runner{commit: "new"}
	for _, c := range []struct{ names, want []string }{{nil, []string{"inn", "Mill"}}, {[]string{"shop"}, []string{"shop"}}} {
		var got []string
		for _, p := range r.asked(all, kept, c.names) {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("with the names %v: %v are measured, want %v", c.names, got, c.want)
		}
	}
	if err := os.WriteFile(path, []byte("{}\nno\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := load(path); err == nil || !strings.Contains(err.Error(), "results.jsonl:2") {
		t.Errorf("a line that is none: %v, want its number", err)
	}
}

func TestEveryProgramThatIsKnownIsThere(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "testdata", "unseen")
	text, err := os.ReadFile(filepath.Join(folder, "programs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ps, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 24 {
		t.Errorf("%d programs, want 24 at least", len(ps))
	}
	for _, p := range ps {
		pattern := map[string]string{"go": "/main.go", "java": ".java", "c": ".[cr]*"}[p.Language]
		found, err := filepath.Glob(filepath.Join(folder, p.Language, p.Name) + pattern)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %d files are its source (%v)", p.Name, len(found), err)
		}
	}
}
