package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"tierscope/project"
)

// contents reads some files of a project.
func contents(t *testing.T, dir string, names ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// A set of files is the old one or the new one: before the commit nobody sees a new file, and
// a commit that was killed after any of its moves is completed by the next who opens the project.
func TestFilesThatBelongTogetherAreReplacedTogether(t *testing.T) {
	t.Parallel()
	names := []string{"analysis/workload.json", "analysis/trace", "notes.md"}
	for moved := range len(names) + 1 {
		p, _ := sample(t)
		for _, name := range names {
			if err := project.WriteFile(p.Path(name), []byte("old")); err != nil {
				t.Fatal(err)
			}
			if err := project.WriteFile(filepath.Join(project.Pending(p.Dir), name), []byte("new")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := project.Open(p.Dir); err != nil {
			t.Fatal(err)
		}
		for name, text := range contents(t, p.Dir, names...) {
			if text != "old" {
				t.Errorf("before the commit %s is %s", name, text)
			}
		}
		// The kill: everything is there, and some files have moved.
		if err := project.WriteFile(filepath.Join(project.Pending(p.Dir), "complete"), nil); err != nil {
			t.Fatal(err)
		}
		for _, name := range names[:moved] {
			if err := os.Rename(filepath.Join(project.Pending(p.Dir), name), p.Path(name)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := project.Open(p.Dir); err != nil {
			t.Fatal(err)
		}
		for name, text := range contents(t, p.Dir, names...) {
			if text != "new" {
				t.Errorf("killed after %d moves, %s is %s", moved, name, text)
			}
		}
		if _, err := os.Stat(project.Pending(p.Dir)); err == nil {
			t.Error("the folder of pending files is still there")
		}
	}
}

// A folder from a stranger may have links that lead anywhere: nothing is written through them.
func TestNothingIsWrittenThroughALinkOutOfTheProject(t *testing.T) {
	t.Parallel()
	p, m := sample(t)
	elsewhere := t.TempDir()
	if err := os.RemoveAll(p.Path("model")); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"model": elsewhere, "runs": elsewhere, "notes.md": filepath.Join(elsewhere, "profile")} {
		if err := os.Symlink(to, p.Path(from)); err != nil {
			t.Skip("there are no links here")
		}
	}
	var outside *project.OutsideError
	for what, err := range map[string]error{
		"model": p.SaveModel(m), "notes": p.SaveNotes("x"), "ledger": project.Within(p.Dir, p.LedgerPath()),
		"bundle": p.Bundle(filepath.Join(t.TempDir(), "b.tierz"), true),
	} {
		if !errors.As(err, &outside) {
			t.Errorf("the %s goes through a link: %v", what, err)
		}
	}
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("outside of the project there is %v", left)
	}
	if err := project.Within(p.Dir, p.Path("scenarios", "new.json")); err != nil {
		t.Errorf("a folder that is yet to be made: %v", err)
	}
}

// The same for files in a folder of their own: a writer who is killed in the middle of the moves leaves what the next one
// completes, and one who was killed before leaves nothing of it.
func TestASetOfFilesIsWrittenTogether(t *testing.T) {
	t.Parallel()
	names := []string{"report.json", "models.go"}
	for _, complete := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "models")
		set := func(text string) map[string][]byte {
			return map[string][]byte{names[0]: []byte(text), names[1]: []byte(text)}
		}
		if err := project.WriteSet(dir, names[0], "a test", set("old")); err != nil {
			t.Fatal(err)
		}
		for name, text := range set("killed") {
			if err := project.WriteFile(filepath.Join(project.Pending(dir), name), text); err != nil {
				t.Fatal(err)
			}
		}
		want := "old"
		if complete {
			want = "killed"
			if err := errors.Join(project.WriteFile(filepath.Join(project.Pending(dir), "complete"), nil),
				os.Rename(filepath.Join(project.Pending(dir), names[1]), filepath.Join(dir, names[1]))); err != nil {
				t.Fatal(err)
			}
		}
		if err := project.Complete(dir); err != nil {
			t.Fatal(err)
		}
		for name, text := range contents(t, dir, names...) {
			if text != want {
				t.Errorf("complete %v: %s is %s, want %s", complete, name, text, want)
			}
		}
		if err := project.WriteSet(dir, names[0], "a test", set("new")); err != nil {
			t.Fatal(err)
		}
		contents(t, dir, names...)
		if _, err := os.Stat(project.Pending(dir)); err == nil {
			t.Error("the folder of pending files is still there")
		}
	}
}

// Another process makes a file of the project and removes it while somebody asks where it is: it is inside, at any moment.
func TestAFileThatIsBeingMadeIsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "names.json")
	var made errgroup.Group
	over := make(chan struct{})
	made.Go(func() error {
		for {
			select {
			case <-over:
				return nil
			default:
			}
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Remove(path)); err != nil {
				return err
			}
		}
	})
	for range 20_000 {
		if err := project.Within(dir, path); err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	if err := made.Wait(); err != nil {
		t.Fatal(err)
	}
}
