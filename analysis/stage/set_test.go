package stage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/project"
)

// analysed runs a study to its end and keeps the model.
func analysed(t *testing.T, s *Study) {
	t.Helper()
	o, err := s.Run(context.Background(), Sample, Build)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Save(o); err != nil {
		t.Fatal(err)
	}
}

// Who builds again, and is killed while the files of the model are put aside for that, has begun no other study: what is built then
// is built from the project's recording, which is there.
func TestABuildThatIsKilledAsItBeginsIsNoStudyBegun(t *testing.T) {
	s := study(t, front{})
	analysed(t, s)
	inTheWay := filepath.Join(s.Dir, "analysis", "facts.json")
	if err := errors.Join(os.RemoveAll(inTheWay), os.Mkdir(inTheWay, 0o700)); err != nil { // can be neither linked nor copied
		t.Fatal(err)
	}
	again := &Study{Dir: s.Dir, Target: front{}}
	if _, err := again.Run(context.Background(), Build, Build); err == nil {
		t.Fatal("a folder is taken for facts")
	}
	if begun(s.Dir) {
		t.Error("a study counts as begun of which the recording is not there")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Run(context.Background(), Build, Build); err != nil {
		t.Errorf("after that the project cannot be built: %v", err)
	}
}

// An analysis that ends in the middle, however it ends, leaves the model with what it was made
// of; taking it up makes the new set whole.
func TestAnInterruptedAnalysisLeavesTheModelWithItsWorkload(t *testing.T) {
	s := study(t, front{})
	analysed(t, s)
	before, err := os.ReadFile(filepath.Join(s.Dir, "analysis", "trace"))
	if err != nil {
		t.Fatal(err)
	}
	killed := errors.New("killed")
	again := &Study{Dir: s.Dir, Target: front{traceFails: killed}, Workload: trace.Workload{Program: "p", Args: []string{"-n", "99"}}}
	if _, err := again.Run(context.Background(), Sample, Build); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	if _, w, err := Load(s.Dir); err != nil || strings.Join(w.Args, " ") != "-n 3" {
		t.Errorf("the workload of the model is %v (%v), want that of the finished analysis", w.Args, err)
	}
	if now, err := os.ReadFile(filepath.Join(s.Dir, "analysis", "trace")); err != nil || string(now) != string(before) {
		t.Errorf("the trace of the model is gone (%v)", err)
	}
	if m := Mismatches(s.Dir); len(m) > 0 {
		t.Errorf("the project does not hold together: %q", m)
	}
	// Build alone must not take the trace of the old workload for that of the new one.
	if _, err := again.Run(context.Background(), Build, Build); err == nil || !strings.Contains(err.Error(), "--from trace") {
		t.Errorf("a model of the new workload and the old trace: %v", err)
	}
	_, w, err := LoadBegun(s.Dir)
	if err != nil || strings.Join(w.Args, " ") != "-n 99" {
		t.Errorf("the study that was begun has %v (%v)", w.Args, err)
	}
	again.Target = front{}
	o, err := again.Run(context.Background(), Trace, Build)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Save(o); err != nil {
		t.Fatal(err)
	}
	if _, w, err := Load(s.Dir); err != nil || strings.Join(w.Args, " ") != "-n 99" {
		t.Errorf("after the end the workload is %v (%v)", w.Args, err)
	}
	if _, err := os.Stat(project.Pending(s.Dir)); err == nil {
		t.Error("the pending files are still there")
	}
}

// In a project from a stranger the folder of pending files may be a link: where it leads to, nothing is removed or made.
func TestAnAnalysisDoesNotFollowALinkOutOfTheProject(t *testing.T) {
	s := study(t, front{})
	analysed(t, s)
	elsewhere := t.TempDir()
	ours := filepath.Join(elsewhere, "analysis", "trust.json")
	if err := errors.Join(os.Mkdir(filepath.Dir(ours), 0o700), os.WriteFile(ours, []byte("ours"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, project.Pending(s.Dir)); err != nil {
		t.Skip("there are no links here")
	}
	var outside *project.OutsideError
	if _, err := s.Run(context.Background(), Build, Build); !errors.As(err, &outside) {
		t.Errorf("a model was built through a link: %v", err)
	}
	if text, err := os.ReadFile(ours); err != nil || string(text) != "ours" {
		t.Errorf("where the link leads to, a file has %q (%v)", text, err)
	}
}

// A model that is built again of the same recording keeps its other files.
func TestBuildingAgainTakesOverWhatTheModelWasMadeOf(t *testing.T) {
	s := study(t, front{})
	analysed(t, s)
	o, err := s.Run(context.Background(), Build, Build)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Save(o); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(s.Dir, "analysis", f.name)); err != nil {
			t.Error(err)
		}
	}
	if m := Mismatches(s.Dir); len(m) > 0 {
		t.Errorf("the project does not hold together: %q", m)
	}
}

// Whoever replaces one file of the set is told by every command.
func TestAFileThatIsNotOfTheModelIsNamed(t *testing.T) {
	s := study(t, front{})
	analysed(t, s)
	name := filepath.Join(s.Dir, "analysis", "workload.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), `"3"`, `"4"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if m := Mismatches(s.Dir); len(m) != 1 || !strings.Contains(m[0], "workload.json") || !strings.Contains(m[0], "tierctl build") {
		t.Errorf("another workload beside the model: %q", m)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := project.LoadModel(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Name = "renamed by the analyst"
	p, err := project.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SaveModel(m); err != nil {
		t.Fatal(err)
	}
	if m := Mismatches(s.Dir); len(m) > 0 {
		t.Errorf("an edited model is still that of the analysis: %q", m)
	}
	m.Provenance.Created = "2020-01-01T00:00:00Z"
	if err := p.SaveModel(m); err != nil {
		t.Fatal(err)
	}
	if m := Mismatches(s.Dir); len(m) != 1 || !strings.Contains(m[0], "the model is not the one") {
		t.Errorf("another model beside the analysis: %q", m)
	}
}

// Two analyses at once would mix their files.
func TestAProjectIsAnalysedByOneAtATime(t *testing.T) {
	s := study(t, front{})
	release, err := s.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lock(); err == nil || !strings.Contains(err.Error(), "an analysis") {
		t.Errorf("a second analysis: %v", err)
	}
	release()
	if release, err = s.Lock(); err != nil {
		t.Fatal(err)
	}
	release()
}
