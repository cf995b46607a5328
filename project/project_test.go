package project_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/project"
)

const modelFile = "../testdata/models/version-1-web-server.json"

func sample(t *testing.T) (*project.Project, core.Model) {
	t.Helper()
	m, err := project.LoadModel(modelFile)
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{Name: "shop", Precision: .05}, m)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

func TestAProjectOpensAsItWasMade(t *testing.T) {
	t.Parallel()
	made, m := sample(t)
	p, err := project.Open(made.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.Manifest != made.Manifest || p.ReadOnly != "" {
		t.Errorf("opened %+v, want %+v", p, made)
	}
	back, err := p.Model()
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("the model changed on its way (%v)", err)
	}
	again, err := project.LoadModel(p.Dir)
	if err != nil || core.Hash(again) != core.Hash(m) {
		t.Errorf("the folder does not open as a model (%v)", err)
	}
}

func TestAScenarioIsADifferenceFromTheModel(t *testing.T) {
	t.Parallel()
	p, m := sample(t)
	in := []project.Scenario{
		{Name: "B: split L3", Edits: []core.Edit{{Kind: core.SplitLock, Lock: "L3", N: 4}}, Order: 2},
		{Name: "A/more workers?", Settings: map[string]float64{"workers": 8}, Order: 1},
		{Name: "a/more workers?", Settings: map[string]float64{"workers": 16}, Order: 3},
	}
	for _, s := range in {
		if err := p.SaveScenario(s); err != nil {
			t.Fatal(err)
		}
	}
	out, err := p.Scenarios()
	if err != nil || len(out) != 3 {
		t.Fatalf("saved 3 scenarios, read %d (%v)", len(out), err)
	}
	if out[0].Name != in[1].Name || out[1].Name != in[0].Name {
		t.Errorf("the order of the deck is %q, %q", out[0].Name, out[1].Name)
	}
	more, err := out[0].Apply(m)
	if err != nil || more.Pools[1].Size != 8 {
		t.Errorf("8 workers became %d (%v)", more.Pools[1].Size, err)
	}
	split, err := out[1].Apply(m)
	if err != nil || split.Locks[0].Instances != 4 {
		t.Errorf("4 stripes became %d (%v)", split.Locks[0].Instances, err)
	}
	if err := p.RemoveScenario(in[0].Name); err != nil {
		t.Fatal(err)
	}
	if out, _ = p.Scenarios(); len(out) != 2 {
		t.Errorf("%d scenarios after removing one of 3", len(out))
	}
}

// A broken part is reported and hides nothing else.
func TestABrokenScenarioDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	p, _ := sample(t)
	if err := p.SaveScenario(project.Scenario{Name: "good"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path("scenarios", "bad.json"), []byte(`{"format": "tierscope-scenario", "version": 1, "nmae": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := p.Scenarios()
	if len(out) != 1 || out[0].Name != "good" {
		t.Errorf("read %v, want the good scenario", out)
	}
	if err == nil || !strings.Contains(err.Error(), "bad.json") || !strings.Contains(err.Error(), `did you mean "name"`) {
		t.Errorf("error %v does not name the file and the remedy", err)
	}
}

// A project of a later release opens, but is not written to.
func TestANewerProjectIsReadOnly(t *testing.T) {
	t.Parallel()
	made, _ := sample(t)
	newer := []byte(`{"format": "tierscope-project", "version": 7, "hologram": true}`)
	if err := os.WriteFile(made.Path("project.json"), newer, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(made.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.ReadOnly, "version 7 is newer than version 1") {
		t.Errorf("ReadOnly is %q, want both versions named", p.ReadOnly)
	}
	if _, err := p.Model(); err != nil {
		t.Errorf("the model of a newer project, in a version we know, does not open: %v", err)
	}
	var readOnly *project.ReadOnlyError
	for what, err := range map[string]error{
		"model": p.SaveModel(core.Model{}), "manifest": p.SaveManifest(), "notes": p.SaveNotes("x"),
		"scenario": p.SaveScenario(project.Scenario{Name: "x"}), "removal": p.RemoveScenario("x"),
	} {
		if !errors.As(err, &readOnly) {
			t.Errorf("writing the %s gives %v, want a ReadOnlyError", what, err)
		}
	}
	if data, _ := os.ReadFile(made.Path("project.json")); !bytes.Equal(data, newer) {
		t.Error("the newer project.json was changed")
	}
}

func TestWhatIsNotAProjectSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := project.Open(filepath.Join(dir, "missing.tier")); err == nil || !strings.Contains(err.Error(), "is the path right?") {
		t.Errorf("a missing folder gives %v", err)
	}
	if _, err := project.Open(dir); err == nil || !strings.Contains(err.Error(), "no project.json") {
		t.Errorf("a folder without manifest gives %v", err)
	}
	if _, err := project.Open(modelFile); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file gives %v", err)
	}
	made, m := sample(t)
	if _, err := project.Create(made.Dir, project.Manifest{}, m); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("making a project over another gives %v", err)
	}
}

// A write that fails leaves the old file whole and no rubbish beside it.
func TestAFailedWriteLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.md")
	if err := project.WriteFile(file, []byte("old")); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(blocked, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := project.WriteFile(blocked, []byte("new")); err == nil { // a file cannot replace a folder
		t.Error("a file replaced a folder")
	}
	if err := project.WriteFile(filepath.Join(file, "below"), []byte("new")); err == nil {
		t.Error("a file was written below a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, want the notes and the folder only", entries)
	}
	if data, _ := os.ReadFile(file); string(data) != "old" {
		t.Errorf("the notes are %q, want the old ones", data)
	}
}

func TestABundleHoldsTheWholeProjectButTheViewOfItsOwner(t *testing.T) {
	t.Parallel()
	p, m := sample(t)
	if err := p.SaveNotes("# Notes\n"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"view.json", "runs/ledger.d", "measured/a.csv"} {
		if err := project.WriteFile(p.Path(filepath.FromSlash(part)), []byte("data")); err != nil {
			t.Fatal(err)
		}
	}
	bundle := filepath.Join(t.TempDir(), "shop.tierz")
	if err := p.Bundle(bundle, false); err != nil {
		t.Fatal(err)
	}
	if again, err := project.LoadModel(bundle); err != nil || core.Hash(again) != core.Hash(m) {
		t.Errorf("the bundle does not open as a model (%v)", err)
	}
	dir := filepath.Join(t.TempDir(), "copy.tier")
	for results, wantLedger := range map[bool]bool{true: true, false: false} {
		if err := p.Bundle(bundle, results); err != nil {
			t.Fatal(err)
		}
		to := dir
		if results {
			to += "-with-results"
		}
		if err := project.Unbundle(bundle, to); err != nil {
			t.Fatal(err)
		}
		back, err := project.Open(to)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := back.Model(); err != nil || core.Hash(again) != core.Hash(m) {
			t.Errorf("the model changed in the bundle (%v)", err)
		}
		if notes, _ := back.Notes(); notes != "# Notes\n" {
			t.Errorf("the notes became %q", notes)
		}
		if _, err := os.Stat(back.LedgerPath()); (err == nil) != wantLedger {
			t.Errorf("with results %v the ledger is there: %v", results, err == nil)
		}
		if _, err := os.Stat(back.Path("view.json")); err == nil {
			t.Error("the bundle holds the state of its owner's window")
		}
	}
	if err := project.Unbundle(bundle, dir); err == nil {
		t.Error("a bundle was unpacked over a project")
	}
}

// A model that is a link to another file of the project is in the bundle all the same; a linked folder, whose files would
// be missing, is said to be one.
func TestABundleHoldsWhatLinksStandFor(t *testing.T) {
	t.Parallel()
	p, m := sample(t)
	if err := os.Rename(p.Path("model", "model.json"), p.Path("model", "kept.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("kept.json", p.Path("model", "model.json")); err != nil {
		t.Skip("there are no links here")
	}
	bundle := filepath.Join(t.TempDir(), "shop.tierz")
	if err := p.Bundle(bundle, true); err != nil {
		t.Fatal(err)
	}
	if again, err := project.LoadModel(bundle); err != nil || core.Hash(again) != core.Hash(m) {
		t.Errorf("the bundle does not open as a model (%v)", err)
	}
	if err := os.Symlink("model", p.Path("charts")); err != nil {
		t.Fatal(err)
	}
	if err := p.Bundle(bundle, true); err == nil || !strings.Contains(err.Error(), "charts") {
		t.Errorf("with a linked folder: error %v, want one that names it", err)
	}
}

// A bundle from a stranger cannot write outside its folder.
func TestABundleStaysInItsFolder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../evil.json", "/etc/evil", "a/../../evil", `..\evil`} {
		var b bytes.Buffer
		archive := zip.NewWriter(&b)
		for _, file := range []string{"project.json", name} {
			w, err := archive.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte("{}")); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		bundle := filepath.Join(dir, "evil.tierz")
		if err := os.WriteFile(bundle, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := project.Unbundle(bundle, filepath.Join(dir, "out")); err == nil {
			t.Errorf("a bundle with %q was unpacked", name)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("a refused bundle left %v behind", entries)
		}
	}
}

func TestFileNamesAreDistinctAndSafe(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range []string{"a", "A", "a b", "a_b", "ä", "a/b", "..", ".", "con", "a:b", "a?b", "~", "a~b"} {
		f := project.FileName(name)
		if other, taken := seen[f]; taken {
			t.Errorf("%q and %q both become %q", name, other, f)
		}
		seen[f] = name
		if strings.ContainsAny(f, `/\:?*"<>|`) || strings.HasPrefix(f, ".") || f == "" {
			t.Errorf("%q becomes %q, which is not safe", name, f)
		}
	}
}

// No bytes, whoever made them, break the reader of a project's parts.
func FuzzScenario(f *testing.F) {
	f.Add([]byte(`{"format": "tierscope-scenario", "version": 1, "name": "a", "settings": {"workers": 8}, "edits": [{"kind": "split_lock", "lock": "L3", "n": 2}]}`))
	m, err := project.LoadModel(modelFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s project.Scenario
		if project.ScenarioFormat.Unmarshal(data, &s) != nil {
			return
		}
		out, err := s.Apply(m)
		if err != nil {
			return
		}
		if err := out.Validate(); err != nil {
			t.Fatalf("a scenario makes a valid model invalid: %v", err)
		}
		again, err := project.ScenarioFormat.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back project.Scenario
		if err := project.ScenarioFormat.Unmarshal(again, &back); err != nil || !reflect.DeepEqual(s, back) && len(s.Settings)+len(s.Edits) > 0 {
			t.Fatalf("wrote %+v, read %+v (%v)", s, back, err)
		}
	})
}

// No bundle, whoever made it, breaks who unpacks it or leaves anything when it is refused.
func FuzzUnbundle(f *testing.F) {
	m, err := project.LoadModel(modelFile)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	p, err := project.Create(filepath.Join(dir, "p.tier"), project.Manifest{}, m)
	if err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(dir, "p.tierz")
	if err := p.Bundle(file, true); err != nil {
		f.Fatal(err)
	}
	bundle, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bundle)
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "b.tierz"), filepath.Join(dir, "to", "p.tier")
		if err := os.WriteFile(from, data, 0o600); err != nil {
			t.Fatal(err)
		}
		err := project.Unbundle(from, to)
		if _, there := os.Stat(to); (there == nil) != (err == nil) {
			t.Fatalf("the folder is there: %v; error: %v", there == nil, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 2 {
			t.Fatalf("beside the folder there is %v", left)
		}
	})
}

// Far more than a bundle of its size holds: 80 MB of zeros in 80 kB.
func TestABundleMadeToFillADiskIsRefusedBeforeItFillsIt(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, name := range []string{"project.json", "runs/zeros"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		zeros := make([]byte, 1<<20)
		for range 40 {
			if _, err := w.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := filepath.Join(dir, "bomb.tierz")
	if err := os.WriteFile(from, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := project.Unbundle(from, filepath.Join(dir, "p.tier")); err == nil || !strings.Contains(err.Error(), "made to fill a disk") {
		t.Errorf("80 MB in %d kB: %v", b.Len()>>10, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("beside the bundle there is %v", left)
	}
}

// A file without an end is refused, not read into memory.
func TestAFileWithoutAnEndIsRefused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no file without an end here")
	}
	if _, err := project.LoadModel("/dev/zero"); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("a model of zeros without end: %v", err)
	}
}
