package golang

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

const constructs = "../../testdata/programs/go/constructs"

// builds are the executables that tests share: with probes, the standard
// library has to be compiled once.
var builds struct {
	sync.Mutex
	done map[string]*subject
	dir  string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "golang-test-")
	if err != nil {
		panic(err)
	}
	builds.dir = dir
	builds.done = map[string]*subject{}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// probed builds a program with probes and without, once; the user's flags cut folders off the names of files.
func probed(t testing.TB, program string) *subject {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library with probes")
	}
	builds.Lock()
	defer builds.Unlock()
	if s := builds.done[program]; s != nil {
		return s
	}
	s, err := Target{}.prepare(t.Context(), trace.Workload{Program: program, Env: map[string]string{"GOFLAGS": "-trimpath"}}, filepath.Join(builds.dir, fmt.Sprint(len(builds.done))))
	if err != nil {
		t.Fatal(err)
	}
	builds.done[program] = s
	return s
}

// record runs a program with probes and returns its trace.
func record(t testing.TB, w trace.Workload, env ...string) *trace.Trace {
	t.Helper()
	s := probed(t, w.Program)
	w.Env = map[string]string{}
	for _, e := range env {
		k, v, _ := strings.Cut(e, "=")
		w.Env[k] = v
	}
	tr, _, err := Target{Record: minProbeFile, Timeout: time.Minute}.record(t.Context(), s, w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

type want struct {
	start  string
	ops    []string
	others bool // operations between them do not matter
}

// wants reads the WANT comments of a construct.
func wants(t *testing.T, file string) []want {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []want
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		rest, ok := strings.CutPrefix(sc.Text(), "// WANT")
		if !ok {
			continue
		}
		var w want
		rest, w.others = strings.CutPrefix(rest, "+")
		start, ops, ok := strings.Cut(strings.TrimSpace(rest), ": ")
		if !ok {
			t.Fatalf("%s: %q: want a start function, a colon and operations", file, sc.Text())
		}
		w.start, w.ops = start, strings.Fields(ops)
		out = append(out, w)
	}
	if len(out) == 0 {
		t.Fatalf("%s has no WANT comment", file)
	}
	return out
}

// The probes see what the source says: every operation of every goroutine, in
// order, with its result.
func TestProbesSeeEveryConstructOfGoAsTheSourceSaysIt(t *testing.T) {
	t.Parallel()
	probed(t, constructs)
	files, err := filepath.Glob(constructs + "/*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d constructs, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if name == "main" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tr := record(t, trace.Workload{Program: constructs, Args: []string{name}}, "TMPDIR="+t.TempDir())
			for _, w := range wants(t, file) {
				checkWant(t, tr, filepath.Base(file), w)
			}
		})
	}
}

func checkWant(t *testing.T, tr *trace.Trace, file string, w want) {
	t.Helper()
	found := false
	for i := range tr.Threads {
		th := &tr.Threads[i]
		if th.Start != w.start {
			continue
		}
		got := listOperations(tr, th, file, w)
		if len(got) == 0 && len(w.ops) > 0 && w.others {
			continue
		}
		found = true
		if w.others && subsequence(w.ops, got) || slices.EqualFunc(w.ops, got, matches) {
			continue
		}
		t.Errorf("goroutine %s:\n got %s\nwant %s", w.start, strings.Join(got, " "), strings.Join(w.ops, " "))
	}
	if !found {
		var have []string
		for _, th := range tr.Threads {
			have = append(have, th.Start)
		}
		t.Errorf("no goroutine starts with %s; there are %q", w.start, have)
	}
}

// listOperations lists a goroutine's operations, each with its result.
func listOperations(tr *trace.Trace, th *trace.Thread, file string, w want) []string {
	var out []string
	for _, r := range th.Records {
		if r.Site < 0 || !w.others && !slices.ContainsFunc(tr.Sites[r.Site].Frames, func(f trace.Frame) bool { return strings.HasSuffix(f.File, "/constructs/"+file) }) {
			continue
		}
		switch r.Op {
		case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
			if !r.End {
				out = append(out, fmt.Sprintf("%v(%d)", r.Op, r.Arg))
				continue
			}
		}
		if r.End {
			out[len(out)-1] += fmt.Sprint("=", r.Arg)
		} else {
			out = append(out, r.Op.String())
		}
	}
	return out
}

// matches compares with the result only if the source tells it.
func matches(want, got string) bool { return got == want || strings.HasPrefix(got, want+"=") }

func subsequence(want, got []string) bool {
	for _, g := range got {
		if len(want) > 0 && matches(want[0], g) {
			want = want[1:]
		}
	}
	return len(want) == 0
}
