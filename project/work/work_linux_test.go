package work_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tierscope/project"
	"tierscope/project/work"
)

// here makes a folder for the settings of a user.
func here(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	base, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "tierscope", "work")
}

func only(t *testing.T) work.Work {
	t.Helper()
	all, err := work.All()
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %d commands (%v), want 1", len(all), err)
	}
	return all[0]
}

// A command that runs is seen with how far it is; one that failed with the reason; one that was interrupted
// is not taken for one that was killed.
func TestWhoAsksIsToldHowACommandStands(t *testing.T) {
	here(t)
	l := work.Begin("runs", []string{"measure", "--background", "--out", "t.csv"})
	l.Report(3, 10, 90*time.Second)
	l.Waits("no space left on device") // is noted at once
	w := only(t)
	if w.State != work.Running || w.Done != 3 || w.Planned != 10 || w.Problem == "" || len(w.Args) != 3 {
		t.Errorf("it runs, and is said to be %+v", w)
	}
	if left := w.Left(w.Updated.Add(30 * time.Second)); left != time.Minute {
		t.Errorf("90 s were left 30 s ago, now %v are", left)
	}
	if left := w.Left(w.Updated.Add(-time.Hour)); left != 90*time.Second {
		t.Errorf("a clock that is set back leaves %v of 90 s", left)
	}
	if far := w.Far(); far != "3 of 10 runs" {
		t.Errorf("three of ten runs are %q", far)
	}
	w.Planned = 0
	if far := w.Far(); far != "3 runs" {
		t.Errorf("three runs of nobody knows how many are %q", far)
	}
	l.End(t.Context(), errors.New("it broke"))
	if w := only(t); w.State != work.Failed || w.Problem != "it broke" || w.Killed() {
		t.Errorf("it failed, and is said to be %+v", w)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	l.End(ctx, ctx.Err())
	if w := only(t); w.State != work.Stopped || w.Killed() {
		t.Errorf("it was interrupted, and is said to be %+v", w)
	}
	l.End(t.Context(), nil)
	if w := only(t); w.State != work.Finished || w.Problem != "" {
		t.Errorf("it is finished, and said to be %+v", w)
	}
}

// What is over at once leaves nothing.
func TestShortWorkIsNotKept(t *testing.T) {
	here(t)
	l := work.Begin("runs", []string{"sweep"})
	l.Report(1, 1, 0)
	l.End(t.Context(), nil)
	if all, err := work.All(); len(all) > 0 || err != nil {
		t.Errorf("of short work there is %v (%v)", all, err)
	}
}

// A process that is no more, after a kill or a restart of the machine, has stopped; a file that cannot be read
// hides no other; and what ended long ago goes.
func TestWorkOfAProcessThatIsGoneHasStopped(t *testing.T) {
	dir := here(t)
	l := work.Begin("runs", []string{"measure"})
	l.Waits("")
	w := only(t)
	file := filepath.Join(dir, "0123456789ab.json")
	gone := w
	gone.Owner = gone.Owner[:len(gone.Owner)-1] + "x" // a process of another time
	gone.Args = []string{"sweep"}
	if err := project.Save(file, work.Format, &gone); err != nil {
		t.Fatal(err)
	}
	all, err := work.All()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d commands (%v), want 2", len(all), err)
	}
	for _, w := range all {
		if killed := w.Args[0] == "sweep"; w.Killed() != killed || (w.State == work.Stopped) != killed {
			t.Errorf("%v is %s, killed: %v", w.Args, w.State, w.Killed())
		}
	}
	gone.Updated = time.Now().AddDate(-1, 0, 0)
	if err := project.Save(file, work.Format, &gone); err != nil {
		t.Fatal(err)
	}
	work.Begin("runs", nil)
	only(t)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := work.All(); len(all) != 1 || err == nil {
		t.Errorf("beside a broken file there are %d commands (%v), want 1 and an error", len(all), err)
	}
}
