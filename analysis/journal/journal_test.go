package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// study makes runs 0 to n−1, and is killed before the run that killed says.
func study(t *testing.T, n, killed int, identity ...string) (made []int, values []int) {
	t.Helper()
	j, err := Open(identity...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if i == killed {
			j.file.Close() // as the kernel does when it kills the process
			j.unlock()
			return made, values
		}
		v, err := Do(j, "run", func() (int, error) {
			made = append(made, i)
			return 10 * i, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	if err := j.Finish(); err != nil {
		t.Fatal(err)
	}
	return made, values
}

// A study that is killed goes on where it was, gives the same, and leaves nothing
// behind; another study does not find its runs.
func TestAStudyThatWasKilledGoesOnWhereItWas(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if made, _ := study(t, 5, 3, "a", "b"); len(made) != 3 {
		t.Fatalf("the first made runs %v", made)
	}
	if made, _ := study(t, 2, -1, "ab", ""); len(made) != 2 {
		t.Errorf("another study made runs %v, want its own two", made)
	}
	made, values := study(t, 5, -1, "a", "b")
	if len(made) != 2 || made[0] != 3 || len(values) != 5 || values[1] != 10 {
		t.Errorf("the second made runs %v with the values %v, want 3 and 4", made, values)
	}
	if made, _ := study(t, 5, -1, "a", "b"); len(made) != 5 {
		t.Errorf("a study after one that was done made runs %v, want all", made)
	}
}

// What comes out of the journal tells nothing of how long the rest takes; what is made does.
func TestOnlyRunsThatAreMadeTellHowLongTheRestTakes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	study(t, 5, 2)
	j, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	pace := j.Pace(make([][]float64, 5))
	for i := range 5 {
		now := pace.Now("")
		if known := now.Remaining > 0; now.Done != i || now.Planned != 5 || known != (i > 2) {
			t.Errorf("before step %d, two of which were there, it says %+v", i, now)
		}
		if _, err := Do(j, "run", func() (int, error) { return i, nil }); err != nil {
			t.Fatal(err)
		}
		pace.Step()
	}
	if now := pace.Now(""); now.Remaining != 0 || now.Done != 5 || j.Made() != 3 || j.Taken() != 5 {
		t.Errorf("in the end it says %+v of %d runs made and %d taken", now, j.Made(), j.Taken())
	}
	if err := j.Finish(); err != nil {
		t.Fatal(err)
	}
}

// Half a line, and what follows it, is no run.
func TestWhatACrashLeftOfALineIsNoRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	study(t, 4, 3)
	files, err := filepath.Glob(filepath.Join(dir, "tierscope", "runs", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], []byte(strings.TrimSuffix(string(data), "}\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if made, values := study(t, 4, -1); len(made) != 2 || values[3] != 30 {
		t.Errorf("made runs %v with %v, want 2 and 3 again", made, values)
	}
}

func TestARunThatFailsIsMadeAgain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	j, err := Open("x")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if _, err := Do(j, "k", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open("x")
	if err != nil || again.Known() != 0 {
		t.Errorf("%d runs are known (%v)", again.Known(), err)
	}
}

// Two that write to one journal would mix their runs, and the first that is done would take the file from
// the other. Another study is not in the way, and after the end of the first the second begins.
func TestNobodyMakesAStudyThatIsBeingMade(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	first, err := Open("x")
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Open("x"); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Fatalf("the second study of the same opened %v, error %v; want one that names the process of the first", second, err)
	}
	other, err := Open("y")
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range []*Journal{first, other} {
		if _, err := Do(j, "k", func() (int, error) { return 1, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(first.Close(), other.Finish(), other.Close()); err != nil {
		t.Fatal(err)
	}
	second, err := Open("x")
	if err != nil || second.Known() != 1 {
		t.Fatalf("after the first the second knows %d runs, error %v", second.Known(), err)
	}
	if err := second.Finish(); err != nil {
		t.Fatal(err)
	}
}

func TestAProgramThatWasChangedIsAnotherOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a")
	file, folder := State(filepath.Join(dir, "a.go")), State(dir)
	write("a.go", "package b // longer")
	if State(filepath.Join(dir, "a.go")) == file || State(dir) == folder {
		t.Error("a changed file has the state that it had")
	}
}
