package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// narrow is the front end with room for 100,000 records.
func narrow() Target {
	t := front()
	t.Record = 100_000 * recordSize
	return t
}

// fewOf prepares a program and records it without what it does most often.
func fewOf(t *testing.T, w trace.Workload) (*subject, run) {
	t.Helper()
	s, err := narrow().prepare(t.Context(), w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := narrow().few(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// What a program does so often that there is no room for what comes later is seen at its beginning, and left out: the rest
// is there to its end, and how much was left out is said.
func TestWhatHappensVeryOftenLeavesRoomForTheRest(t *testing.T) {
	t.Parallel()
	w := workload(compiled(t, "gcc", "often.c", "-O1", "-pthread"), "150000", "50")
	_, r := fewOf(t, w)
	if n := r.trace.Records(); n > 1000 {
		t.Errorf("%d records are read, want those of 50 turns", n)
	}
	if began(r.trace, trace.OpBroadcast) != 100 || r.full {
		t.Errorf("%d turns are recorded, want 100; full: %v", began(r.trace, trace.OpBroadcast), r.full)
	}
	if len(r.left) != 2 || len(r.trace.Warnings) == 0 || !strings.Contains(r.trace.Warnings[len(r.trace.Warnings)-1], "2 places where locks or files are used are not recorded") {
		t.Errorf("left out: %v; warnings: %q", r.left, r.trace.Warnings)
	}
}

// Samples are of the whole run, whatever happens often.
func TestSamplesAreOfAllThreadsWhateverHappensOften(t *testing.T) {
	t.Parallel()
	w := workload(compiled(t, "gcc", "often.c", "-O1", "-pthread"), "150000", "50")
	samples, err := narrow().Sample(t.Context(), w, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(samples.Threads) != 2 {
		t.Errorf("%d threads are known, want main and the one that it starts", len(samples.Threads))
	}
}

// A function that calls itself makes few contexts, however deep it is; and what is left out of a library is left out by whatever link that is loaded.
func TestWhatIsCalledFromDeepDownIsFewContexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	library := compiled(t, "gcc", "locklib.c", "-O1", "-fPIC", "-shared", "-Wl,-soname,liblocks.so.1")
	if err := os.Rename(library, filepath.Join(dir, "liblocks.so.1.2")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("liblocks.so.1.2", filepath.Join(dir, "liblocks.so.1")); err != nil {
		t.Fatal(err)
	}
	w := workload(compiled(t, "gcc", "deep.c", "-O1", "-pthread", "-L"+dir, "-l:liblocks.so.1", "-Wl,-rpath,"+dir), "9", "50")
	s, r := fewOf(t, w)
	if n := r.trace.Records(); n > 1000 || len(r.left) != 2 {
		t.Errorf("%d records are read, want those of 50 turns; left out: %v", n, r.left)
	}
	first, err := narrow().record(t.Context(), &subject{program: s.program, library: s.library, dir: s.dir}, w)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(first.trace.Sites); n > 420 {
		t.Errorf("%d contexts, want those of two calls at the ends of 196 ways down: four calls in all orders, up to the first that recurs", n)
	}
}

// A further run is recorded without what the one of the analysis was, since it is compared with that.
func TestFurtherRunsLeaveOutTheSame(t *testing.T) {
	t.Parallel()
	w := workload(compiled(t, "gcc", "often.c", "-O1", "-pthread"), "150000", "50")
	s, r := fewOf(t, w)
	watched, err := front().Watch(t.Context(), w, s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if watched.Records() > 2*r.trace.Records() || began(watched, trace.OpBroadcast) != 100 {
		t.Errorf("%d records of a further run, of %d turns, beside %d: want 100 turns and nothing else", watched.Records(), began(watched, trace.OpBroadcast), r.trace.Records())
	}
}
