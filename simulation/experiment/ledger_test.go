package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// files are the files of a ledger.
func files(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A crash may cut the last run off at any byte. The runs before it are found,
// and the next run is written to another file.
func TestATornLastRunOfTheLedgerIsIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := ledgerIn(t, dir)
	var ends []int
	for _, id := range []string{"a", "b"} {
		if err := l.Append(Run{ID: id, Result: &simulation.Result{Seed: 1}}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(files(t, filepath.Join(dir, "runs", "ledger.d"))[0])
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(data))
	}
	whole, err := os.ReadFile(files(t, filepath.Join(dir, "runs", "ledger.d"))[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := ends[0] + 1; cut < ends[1]; cut++ {
		torn := t.TempDir()
		name := filepath.Base(files(t, filepath.Join(dir, "runs", "ledger.d"))[0])
		if err := os.WriteFile(filepath.Join(torn, name), whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLedger(torn)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := l.Find("a"); !ok || l.Damaged() != 1 {
			t.Fatalf("cut at byte %d: run a found %t, %d damaged places; want it, and 1", cut, ok, l.Damaged())
		}
		if err := l.Append(Run{ID: "c", Result: &simulation.Result{}}); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if l, err = OpenLedger(torn); err != nil {
			t.Fatal(err)
		}
		_, a := l.Find("a")
		_, c := l.Find("c")
		if !a || !c || l.Len() != 2 {
			t.Fatalf("cut at byte %d: a %t, c %t, %d runs; want both in 2", cut, a, c, l.Len())
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A disk may lose a block in the middle: what stands behind it is found.
func TestRunsBehindADamagedPlaceAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := ledgerIn(t, dir)
	var ends []int
	path := ""
	for _, id := range []string{"a", "b", "c"} {
		if err := l.Append(Run{ID: id, Result: &simulation.Result{Seed: 1}}); err != nil {
			t.Fatal(err)
		}
		path = files(t, filepath.Join(dir, "runs", "ledger.d"))[0]
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(data))
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := ends[0]; at < ends[1]; at++ {
		broken := bytes.Clone(whole)
		broken[at] ^= 0x55
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "x"+segmentSuffix), broken, 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLedger(folder)
		if err != nil {
			t.Fatal(err)
		}
		_, a := l.Find("a")
		_, c := l.Find("c")
		if !a || !c || l.Damaged() == 0 {
			t.Errorf("byte %d of the second run is damaged: a %t, c %t, %d damaged places", at, a, c, l.Damaged())
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// In a project from a stranger the file that we would write may be a link: it is read, and what it leads to stays as it is.
func TestALinkInALedgerIsNotWrittenThrough(t *testing.T) {
	t.Parallel()
	first := t.TempDir()
	l, err := OpenLedger(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Append(Run{ID: "a", Result: &simulation.Result{Seed: 1}}), l.Close()); err != nil {
		t.Fatal(err)
	}
	linked := files(t, first)[0]
	before, err := os.ReadFile(linked)
	if err != nil {
		t.Fatal(err)
	}
	second := t.TempDir()
	if err := os.Symlink(linked, filepath.Join(second, filepath.Base(linked))); err != nil {
		t.Skip("there are no links here")
	}
	if l, err = OpenLedger(second); err != nil {
		t.Fatal(err)
	}
	err = l.Append(Run{ID: "b", Result: &simulation.Result{Seed: 2}})
	_, a := l.Find("a")
	_, b := l.Find("b")
	if err != nil || !a || !b {
		t.Errorf("beside the linked run another is kept: %v; found %t and %t", err, a, b)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(linked); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file that the link leads to has %d bytes (%v), had %d", len(after), err, len(before))
	}
}

// Two programs may append to one ledger, each to a file of its own: either sees what the other wrote.
func TestTwoWritersShareALedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := ledgerIn(t, dir), ledgerIn(t, dir)
	for i, l := range []*Ledger{a, b, a} {
		if err := l.Append(Run{ID: string(rune('x' + i)), Result: &simulation.Result{}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Refresh(); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Find("y"); !ok || a.Len() != 3 || a.Damaged() != 0 {
		t.Errorf("the first writer sees %d runs and %d damaged places, want 3 and 0", a.Len(), a.Damaged())
	}
	if n := len(files(t, filepath.Join(dir, "runs", "ledger.d"))); n != 2 {
		t.Errorf("%d files, want one for each writer", n)
	}
}

// Who comes later goes on with the file that nobody writes any more.
func TestWritersOneAfterTheOtherShareAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, id := range []string{"a", "b", "c"} {
		l, err := OpenLedger(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Append(Run{ID: id, Result: &simulation.Result{}}); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(files(t, dir)); n != 1 {
		t.Errorf("three writers left %d files, want 1", n)
	}
}

func TestAnInterruptedRunIsKeptButNotFound(t *testing.T) {
	t.Parallel()
	l := ledgerIn(t, t.TempDir())
	if err := l.Append(Run{ID: "a", Result: &simulation.Result{Interrupted: true}}); err != nil {
		t.Fatal(err)
	}
	if _, ok := l.Find("a"); ok || l.Len() != 1 {
		t.Errorf("found %t among %d runs, want it in the ledger only", ok, l.Len())
	}
}

// drawRun is any run whose result may come from a simulator: numbers may be infinite or not numbers.
func drawRun(t *rapid.T) Run {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, math.Inf(1), math.Inf(-1), math.NaN(), 1. / 3}))
	text := rapid.StringMatching(`[a-zµ ]{0,6}`)
	r := simulation.Result{
		Model: text.Draw(t, "model"), ModelHash: text.Draw(t, "hash"), Seed: rapid.Uint64().Draw(t, "seed"), Version: text.Draw(t, "version"),
		Fingerprint:  rapid.SampledFrom([]string{"", "0123456789abcdef", "no number"}).Draw(t, "fingerprint"),
		Replications: rapid.IntRange(0, 1000).Draw(t, "replications"), Terminating: rapid.Bool().Draw(t, "terminating"), BatchMeans: rapid.Bool().Draw(t, "batch means"),
		Duration: rapid.Float64Range(0, 1e9).Draw(t, "duration"), Warmup: rapid.Float64Range(0, 1e9).Draw(t, "warm-up"), Completions: rapid.Int64().Draw(t, "completions"),
		Events: rapid.Int64().Draw(t, "events"), Elapsed: time.Duration(rapid.Int64().Draw(t, "elapsed")), Busy: time.Duration(rapid.Int64().Draw(t, "busy")),
		Unstable: rapid.Bool().Draw(t, "unstable"), Interrupted: rapid.Bool().Draw(t, "interrupted"), Halted: text.Draw(t, "halted"),
	}
	some := func(label string, n int) []float64 {
		if n = rapid.IntRange(0, n).Draw(t, label); n == 0 {
			return nil
		}
		return rapid.SliceOfN(number, n, n).Draw(t, label)
	}
	words := func(label string) []string {
		w := rapid.SliceOfN(text, 0, 2).Draw(t, label)
		if len(w) == 0 {
			return nil
		}
		return w
	}
	r.Warnings = words("warnings")
	for range rapid.IntRange(0, 3).Draw(t, "metrics") {
		r.Metrics = append(r.Metrics, simulation.Metric{Name: text.Draw(t, "name"), Of: text.Draw(t, "of"), Stat: text.Draw(t, "stat"), Unit: text.Draw(t, "unit"),
			Estimate: output.Estimate{Mean: number.Draw(t, "mean"), Lo: number.Draw(t, "lo"), Hi: number.Draw(t, "hi"), N: rapid.IntRange(0, 100).Draw(t, "n"),
				Confidence: .95, Samples: some("samples", 5), Warnings: words("doubts")}})
	}
	if rapid.Bool().Draw(t, "distribution") {
		d := simulation.Distribution{Name: "R", Of: "class/task", Unit: "s", Count: rapid.Int64Range(1, 1000).Draw(t, "count")}
		for _, x := range some("cdf", 5) {
			d.CDF = append(d.CDF, output.Point{X: x, P: float64(rapid.Int64Range(0, d.Count).Draw(t, "k")) / float64(d.Count)})
		}
		r.Distributions = append(r.Distributions, d)
	}
	if rapid.Bool().Draw(t, "course") {
		r.Courses = append(r.Courses, simulation.Course{Name: "N", Of: "system", Unit: "tasks", Step: 2, Values: some("course", 5)})
	}
	if rapid.Bool().Draw(t, "settings") {
		r.Configuration = map[string]float64{"workers": number.Draw(t, "workers"), "rate": 3}
	}
	return Run{ID: rapid.SampledFrom([]string{"0123456789abcdef0123456789abcdef", "a", ""}).Draw(t, "id"), Time: time.Unix(0, rapid.Int64().Draw(t, "time")).UTC(),
		Scenario: text.Draw(t, "scenario"), Only: words("only"), Inputs: simulation.Inputs{Seed: 7, Confidence: .95}, Result: &r}
}

// What comes out of a ledger is what went in, to the last bit.
func TestALedgerGivesBackWhatItWasGiven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := ledgerIn(t, dir)
	rapid.Check(t, func(t *rapid.T) {
		want := drawRun(t)
		if err := l.Append(want); err != nil {
			t.Fatal(err)
		}
		l.mu.Lock()
		last := l.order[len(l.order)-1]
		l.mu.Unlock()
		got, err := l.load(last)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := printed(want), printed(got); a != b {
			t.Fatalf("went in\n%s\ncame out\n%s", a, b)
		}
	})
}

// printed shows every field of a run, and numbers that JSON has not.
func printed(r Run) string {
	var b strings.Builder
	var show func(reflect.Value)
	show = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				show(v.Elem())
			}
		case reflect.Struct:
			if t, ok := v.Interface().(time.Time); ok {
				b.WriteString(t.Format(time.RFC3339Nano) + " ")
				return
			}
			for i := range v.NumField() {
				b.WriteString(v.Type().Field(i).Name + ":")
				show(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				show(v.Index(i))
			}
			b.WriteString("; ")
		case reflect.Map:
			keys := v.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
			for _, k := range keys {
				b.WriteString(k.String() + "=")
				show(v.MapIndex(k))
			}
		case reflect.Float64:
			bits, _ := json.Marshal(math.Float64bits(v.Float()))
			b.Write(bits)
			b.WriteString(" ")
		default:
			text, _ := json.Marshal(v.Interface())
			b.Write(text)
			b.WriteString(" ")
		}
	}
	show(reflect.ValueOf(r))
	return b.String()
}

// Ten replications of R with its percentiles and X fit into a kilobyte, settings, identity and all that is common included.
func TestARunWithTheMetricsAskedForTakesLessThanAKilobyte(t *testing.T) {
	t.Parallel()
	l := ledgerIn(t, t.TempDir())
	const runs = 200
	for i := range runs {
		r := &simulation.Result{Model: "web server", ModelHash: strings.Repeat("0123456789abcdef", 4), Configuration: map[string]float64{"workers": float64(i), "rate": 1 / float64(i+1)},
			Fingerprint: "0123456789abcdef", Replications: 10, Duration: 100, Warmup: 1, Completions: 1e6, Events: 1e7, Elapsed: 1e9, Busy: 1e9}
		for k, stat := range []string{"mean", "p50", "p90", "p95", "p99", "mean"} {
			var samples []float64
			for s := range 10 {
				samples = append(samples, math.Sqrt(float64(1+i+10*k+100*s)))
			}
			r.Metrics = append(r.Metrics, simulation.Metric{Name: "R", Of: "class/task", Stat: stat, Unit: "s", Estimate: output.Replications(samples, .95)})
		}
		id := strings.Repeat("0", 28) + string([]byte{"0123456789abcdef"[i/16%16], "0123456789abcdef"[i%16], '0', '0'})
		if err := l.Append(Run{ID: id, Time: time.Unix(1, 0), Scenario: "sweep", Only: []string{"R", "X"}, Result: r}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(l.own.path)
	if err != nil {
		t.Fatal(err)
	}
	if per := info.Size() / runs; per > 1000 {
		t.Errorf("%d bytes a run, want at most 1000", per)
	}
}

// A ledger of JSON lines, as versions before kept it, is taken over with all its runs; lines that are not whole are skipped.
func TestALedgerOfLinesIsTakenOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	var lines bytes.Buffer
	want := map[string]string{}
	for _, id := range []string{"a", "b"} {
		run := Run{ID: id, Time: time.Unix(5, 0).UTC(), Scenario: "s", Edits: []core.Edit{{Kind: core.SplitLock, Lock: "L", N: 2}},
			Result: &simulation.Result{Replications: 3, Metrics: []simulation.Metric{{Name: "R", Estimate: output.Replications([]float64{1, 2, 4}, .95)}}}}
		want[id] = printed(run)
		line, err := json.Marshal(struct {
			Format  string `json:"format"`
			Version int    `json:"version"`
			Run
		}{RunFormat.Name, RunFormat.Version, run})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	lines.WriteString(`{"format": "tierscope-run", "ver`)
	if err := os.WriteFile(path, lines.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to be done
		l, err := OpenLedger(path)
		if err != nil {
			t.Fatal(err)
		}
		for id, text := range want {
			if run, ok := l.Find(id); !ok || printed(run) != text {
				t.Errorf("run %s: found %t\n%s\nwant\n%s", id, ok, printed(run), text)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the lines would be taken over again")
	}
}

// Whatever bytes a file of a ledger has, it opens, its runs can be listed, and a run
// that is appended is found.
func FuzzLedger(f *testing.F) {
	f.Add([]byte(SegmentFormat + "x"))
	f.Add(append([]byte(SegmentFormat), appendFrame(appendFrame(nil, contextFrame, []byte(`{"result":{}}`)), runFrame, []byte{4})...))
	f.Add([]byte{0, 255, '\n', '{'})
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{"a": data, "b": append([]byte(SegmentFormat), appendFrame(appendFrame(appendFrame(nil, contextFrame, []byte(`{"result":{}}`)), schemaFrame, []byte(`[{}]`)), runFrame, data)...)} {
			if err := os.WriteFile(filepath.Join(dir, name+segmentSuffix), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		l, err := OpenLedger(dir)
		if err != nil {
			t.Fatal(err)
		}
		for run, err := range l.All() {
			if err == nil && run.Result == nil {
				t.Error("a run without a result")
			}
		}
		if err := l.Append(Run{ID: "new", Result: &simulation.Result{Seed: 7}}); err != nil {
			t.Fatal(err)
		}
		if run, ok := l.Find("new"); !ok || run.Result.Seed != 7 {
			t.Errorf("the appended run is found %t: %+v", ok, run)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
