package golang

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tierscope/analysis/trace"
)

// module makes a main package of its own.
func module(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module failing\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAPackageThatCannotBeAnalysedIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, want string
		w          trace.Workload
	}{
		{"nothing", "no program given", trace.Workload{}},
		{"does not compile", "does not build", trace.Workload{Program: module(t, "package main\n\nfunc main() { x }\n")}},
		{"does not parse", "does not build", trace.Workload{Program: module(t, "package main\n\nfunc main( {\n")}},
		{"imports nothing there is", "does not load", trace.Workload{Program: module(t, "package main\n\nimport _ \"nowhere.example/x\"\n\nfunc main() {}\n")}},
		{"library", "want a main package", trace.Workload{Program: module(t, "package lib\n")}},
		{"executable", "want the Go package", trace.Workload{Program: "/bin/true"}},
		{"no such directory", "does not load", trace.Workload{Program: "./nowhere"}},
		{"overlay of its own", "-overlay", trace.Workload{Program: module(t, "package main\n\nfunc main() {}\n"), Env: map[string]string{"GOFLAGS": "-overlay=/dev/null"}}},
		{"other system", "linux/amd64", trace.Workload{Program: module(t, "package main\n\nfunc main() {}\n"), Env: map[string]string{"GOOS": "plan9"}}},
		{"server without address", "address", trace.Workload{Program: module(t, "package main\n\nfunc main() {}\n"), Load: &trace.Load{}}},
	} {
		err := Target{}.Check(t.Context(), x.w)
		if err == nil { // only the build tells
			if testing.Short() {
				continue
			}
			_, err = Target{}.prepare(t.Context(), x.w, t.TempDir())
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want one with %q", x.name, err, x.want)
		}
	}
}

const misbehaving = `package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	var mu sync.Mutex
	for range 1000 {
		mu.Lock()
		mu.Unlock()
	}
	switch os.Args[1] {
	case "panic":
		panic("boom")
	case "exit":
		fmt.Fprintln(os.Stderr, "no such file: x.conf")
		os.Exit(3)
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "never":
		for {
			time.Sleep(time.Millisecond)
		}
	case "deaf":
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		time.Sleep(time.Hour) // another thread may be told to stop, a little later
	case "deadlock":
		mu.Lock()
		mu.Lock()
	case "signals":
		signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1)
	case "again":
		for range 3 {
			if err := exec.Command(os.Args[0], "brief").Run(); err != nil {
				panic(err)
			}
		}
	case "brief":
	}
}
`

// A program that ends badly is reported with what to do, and what it wrote. A
// program that does not end is stopped, and its recording is whole up to then.
func TestAProgramThatEndsBadlyIsReportedWithTheRemedy(t *testing.T) {
	t.Parallel()
	dir := module(t, misbehaving)
	s := probed(t, dir)
	for _, x := range []struct{ arg, want string }{
		{"panic", "panicked"},
		{"panic", "boom"},
		{"exit", "exit status 3"},
		{"exit", "x.conf"},
		{"killed", "SIGKILL"},
		{"deadlock", "deadlock"},
	} {
		_, _, err := Target{Record: minProbeFile}.record(t.Context(), s, trace.Workload{Program: dir, Args: []string{x.arg}}, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want one with %q", x.arg, err, x.want)
		}
	}
	for _, arg := range []string{"never", "deaf"} {
		tr, o, err := Target{Record: minProbeFile, Timeout: 300 * time.Millisecond}.record(t.Context(), s, trace.Workload{Program: dir, Args: []string{arg}}, t.TempDir())
		if err != nil || !o.Stopped || len(tr.Warnings) == 0 || !strings.Contains(tr.Warnings[0], "stopped after 300ms") {
			t.Fatalf("%s: error %v, outcome %+v", arg, err, o)
		}
		locks := 0
		for _, r := range tr.Threads[0].Records {
			if r.Op == trace.OpLock && r.End && len(tr.Sites[r.Site].Frames) > 0 && tr.Sites[r.Site].Frames[0].Function == "main.main" {
				locks++
			}
		}
		if locks != 1000 {
			t.Errorf("%s: %d locks recorded before it was stopped, want 1000", arg, locks)
		}
	}
	_, err := Target{Record: minProbeFile}.Sample(t.Context(), trace.Workload{Program: dir, Args: []string{"deadlock"}}, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "deadlocked") || !strings.Contains(err.Error(), "main.go:") {
		t.Errorf("deadlock, while it is sampled: error %v, want one that says so, and where", err)
	}
	// The run-time system has a goroutine of its own for signals: who waits for it is not asleep, though it may not have begun, as
	// in one of ten runs.
	for range 50 {
		asks := exec.Command(s.probed, "signals")
		asks.Env = append(os.Environ(), "TIERSCOPE_TRACE="+filepath.Join(t.TempDir(), "trace"))
		if said, err := asks.CombinedOutput(); err != nil {
			t.Fatalf("signals, while it is sampled: %v\n%s", err, said)
		}
	}
	_, err = Target{Record: minProbeFile, Timeout: 300 * time.Millisecond}.Sample(t.Context(), trace.Workload{Program: dir, Args: []string{"never"}}, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "--timeout") || !strings.Contains(err.Error(), "--load-url") {
		t.Errorf("never, and nobody said after what time to stop it: error %v, want one with the remedies", err)
	}
	_, err = Target{Record: minProbeFile}.Sample(t.Context(), trace.Workload{Program: dir, Args: []string{"never"}, Timeout: 0.3}, t.TempDir(), nil)
	if err != nil {
		t.Errorf("never, to be stopped after 0.3 s: error %v", err)
	}
	_, err = Target{Record: minProbeFile}.Trace(t.Context(), trace.Workload{Program: dir, Args: []string{"brief"}}, nil, nil, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "too short") || !strings.Contains(err.Error(), "--stdin FILE") {
		t.Errorf("brief, without input: error %v, want one with %q and --stdin", err, "too short")
	}
}

// A program that executes itself hands our environment on to its children: they write into none of our files, neither while
// it is recorded nor while it is sampled. Of four processes with 1000 locks each those of the first one are recorded.
func TestChildrenThatAreTheProgramItselfAreNotRecorded(t *testing.T) {
	t.Parallel()
	dir := module(t, misbehaving)
	w := trace.Workload{Program: dir, Args: []string{"again"}}
	tr, _, err := Target{Record: minProbeFile}.record(t.Context(), probed(t, dir), w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	locks, waits := 0, 0
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			switch {
			case !r.End:
			case r.Op == trace.OpExternal:
				waits++
			case r.Op == trace.OpLock && len(tr.Sites[r.Site].Frames) > 0 && tr.Sites[r.Site].Frames[0].Function == "main.main":
				locks++
			}
		}
	}
	if locks != 1000 || waits < 3 {
		t.Errorf("%d locks and %d waits for children recorded, want 1000 and one at least for each of 3", locks, waits)
	}
	if _, err := (Target{Record: minProbeFile}).Sample(t.Context(), w, t.TempDir(), nil); err != nil {
		t.Errorf("while it is sampled: %v", err)
	}
}

func TestAServerThatIsNoneIsReportedWithTheRemedy(t *testing.T) {
	t.Parallel()
	dir := module(t, misbehaving)
	s := probed(t, dir)
	for _, x := range []struct{ arg, want string }{
		{"brief", "is it a batch program?"},
		{"exit", "before it was ready"},
	} {
		w := trace.Workload{Program: dir, Args: []string{x.arg}, Load: &trace.Load{URL: "http://127.0.0.1:1/", Duration: 1}}
		_, _, err := Target{Record: minProbeFile, Drive: inTurn(1)}.record(t.Context(), s, w, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want one with %q", x.arg, err, x.want)
		}
	}
}

// Records that do not fit are counted; those that do are kept.
func TestAFullRecordingKeepsItsBeginningAndCountsTheRest(t *testing.T) {
	t.Parallel()
	tr := record(t, trace.Workload{Program: module(t, `package main

import "sync"

func main() {
	var mu sync.Mutex
	for range 300_000 {
		mu.Lock()
		mu.Unlock()
	}
}
`)})
	n := int64(0)
	for _, th := range tr.Threads {
		n += int64(len(th.Records))
	}
	const records, capacity = 4 * 300_000, minProbeFile / 32
	if n < capacity*9/10 || n > capacity || n+tr.Dropped < records {
		t.Errorf("%d records kept, %d dropped: want about %d kept and %d in all", n, tr.Dropped, capacity, records)
	}
	if len(tr.Warnings) == 0 || !strings.Contains(tr.Warnings[0], "full") {
		t.Errorf("warnings %q, want one that the recording was full", tr.Warnings)
	}
}

// A full disk is reported before the program runs, and nothing is left behind.
func TestAFullDiskIsReportedBeforeTheProgramRuns(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("mounting a small file system needs root: ", err)
	}
	defer unix.Unmount(dir, 0)
	err := createProbeFile(filepath.Join(dir, "probes"), 64<<20)
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "16 MB free") {
		t.Errorf("error %v, want ENOSPC and how much is needed", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
}
