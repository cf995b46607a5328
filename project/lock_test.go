package project_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"tierscope/project"
)

// Other processes are tested by this one run again: with this variable it locks the
// file, says so, and keeps the lock until it is killed.
const lockFor = "TIERSCOPE_TEST_LOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockFor); path != "" {
		if _, err := project.Lock(path, "the other"); err != nil {
			panic(err)
		}
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func TestAFileHasOneWriterAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "measured.csv")
	release, err := project.Lock(path, "tierctl measure")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := project.Lock(path, "the window"); err == nil || !strings.Contains(err.Error(), "tierctl measure (process") {
		t.Errorf("a second writer: %v, want who is the first", err)
	}
	release()
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		t.Errorf("a released lock leaves %v", left)
	}
	again, err := project.Lock(path, "the window")
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again()
}

// The lock ends with its process even if that is killed: nobody has to remove a file.
func TestALockEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "measured.csv")
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), lockFor+"="+path)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q (%v)", line, err)
	}
	if _, locked := errors.AsType[*project.LockedError](lockError(path)); !locked {
		t.Error("two processes have the lock")
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // that it was killed
	if err := lockError(path); err != nil {
		t.Errorf("the lock of a dead process holds: %v", err)
	}
}

// In a project from a stranger the lock may be a link to a file of ours, which keeps what it has.
func TestALockThatIsALinkIsNotFollowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "measured.csv")
	ours := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(ours, []byte("ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(ours, filepath.Join(filepath.Dir(path), ".measured.csv.lock")); err != nil {
		t.Skip("there are no links here")
	}
	if err := lockError(path); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("a lock that is a link: %v, want that it is one", err)
	}
	if text, err := os.ReadFile(ours); err != nil || string(text) != "ours" {
		t.Errorf("the file that it leads to has %q (%v), want what it had", text, err)
	}
}

// Two windows give names to elements of one model at the same time, twenty each: all are kept.
func TestNamesThatTwoGiveAtOnceAreKept(t *testing.T) {
	t.Parallel()
	p, _ := sample(t)
	const names = 20
	var both errgroup.Group
	for _, who := range []string{"one", "two"} {
		window, err := project.Open(p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		both.Go(func() error {
			var errs []error
			for i := range names {
				errs = append(errs, window.Call(fmt.Sprintf("pools/%s%d", who, i), "a name"))
			}
			return errors.Join(append(errs, window.Call("pools/"+who+"0", ""))...)
		})
	}
	if err := both.Wait(); err != nil {
		t.Fatal(err)
	}
	if all, err := p.Names(); err != nil || len(all) != 2*(names-1) {
		t.Errorf("%d names are kept (%v), want those of both but the two that were taken back, %d", len(all), err, 2*(names-1))
	}
	if left, _ := filepath.Glob(filepath.Join(p.Dir, ".*.lock")); len(left) > 0 {
		t.Errorf("after all changes there is %q", left)
	}
}

// A project that cannot be written is said to be so, and nothing is left in it.
func TestAChangeOfAReadOnlyProjectIsRefused(t *testing.T) {
	t.Parallel()
	p := project.Project{Dir: t.TempDir(), ReadOnly: "it is of a newer version"}
	err := p.Change(func() error { t.Error("it was changed"); return nil }, "names.json")
	if _, refused := errors.AsType[*project.ReadOnlyError](err); !refused {
		t.Errorf("error %v, want a ReadOnlyError", err)
	}
	if left, _ := os.ReadDir(p.Dir); len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
}

func lockError(path string) error {
	release, err := project.Lock(path, "this test")
	if err == nil {
		release()
	}
	return err
}
