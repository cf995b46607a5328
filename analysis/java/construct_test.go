package java

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// compiled compiles a Java program of testdata. Without a JDK the test is
// skipped.
func compiled(t *testing.T, sources ...string) string {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("no JDK on this machine: javac is not in PATH (Debian: apt install openjdk-17-jdk-headless)")
	}
	dir := t.TempDir()
	if out, err := exec.Command(javac, append([]string{"-g", "-d", dir}, sources...)...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return dir
}

// traced samples a program and records it.
func traced(t *testing.T, args ...string) (*trace.Trace, *instrumented) {
	t.Helper()
	target := Target{CacheDir: cacheDir, Timeout: time.Minute, Record: 64 << 20}
	w := trace.Workload{Program: "java", Args: args}
	dir := t.TempDir()
	if _, err := target.Sample(t.Context(), w, dir, nil); err != nil {
		t.Fatal(err)
	}
	in, err := substitutes(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, jar, err := target.prepare(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	tr, _, _, err := target.record(t.Context(), &experiment{p: p, jar: jar, w: w, dir: dir, in: in})
	if err != nil {
		t.Fatal(err)
	}
	return tr, in
}

var want = regexp.MustCompile(`WANT ([a-z-]+) (\S+) (\d+)`)

// Every construct is in the trace as often as the program executes it, and the
// classes with probes pass the verifier, to which the JVM sends every class of a
// program: a VerifyError would end the
// program. It ends by System.exit while a thread still runs.
func TestEveryConstructIsRecordedAsOftenAsItIsExecuted(t *testing.T) {
	t.Parallel()
	source := filepath.Join("testdata", "constructs", "Constructs.java")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	tr, in := traced(t, "-cp", compiled(t, source), "Constructs")
	for _, s := range in.skipped {
		t.Errorf("without probes: %s", s)
	}
	for _, w := range tr.Warnings {
		t.Errorf("warning: %s", w)
	}
	type operation struct{ op, function string }
	began, ended := map[operation]int{}, map[operation]int{}
	kernel := map[int32]int64{}
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			if other, known := kernel[r.OS]; r.OS == 0 || known && other != th.ID {
				t.Errorf("thread %d has the kernel's number %d, of thread %d, in %v", th.ID, r.OS, other, r)
				break
			}
			kernel[r.OS] = th.ID
		}
		for _, r := range th.Records {
			if r.Site < 0 || len(tr.Sites[r.Site].Frames) == 0 {
				continue
			}
			o := operation{r.Op.String(), tr.Sites[r.Site].Frames[0].Function}
			if r.End {
				ended[o]++
			} else {
				began[o]++
			}
		}
	}
	wants := want.FindAllStringSubmatch(string(text), -1)
	if len(wants) < 30 {
		t.Fatalf("only %d WANT lines were found", len(wants))
	}
	for _, w := range wants {
		n, err := strconv.Atoi(w[3])
		if err != nil {
			t.Fatal(err)
		}
		if o := (operation{w[1], w[2]}); began[o] != n || ended[o] != n {
			t.Errorf("%s in %s: %d began and %d ended, want %d", o.op, o.function, began[o], ended[o], n)
		}
	}
}

// A program that cannot go on is stopped, and who waits for whom is said.
func TestADeadlockIsSaidAndNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := compiled(t, filepath.Join("testdata", "deadlock", "Deadlock.java"))
	target := Target{CacheDir: cacheDir, Timeout: 2 * time.Minute}
	_, err := target.Sample(t.Context(), trace.Workload{Program: "java", Args: []string{"-cp", dir, "Deadlock"}}, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "the program is deadlocked: ") || !strings.Contains(err.Error(), "first waits in Deadlock.hold") {
		t.Errorf("error %v, want one that names the thread first and Deadlock.hold", err)
	}
}
