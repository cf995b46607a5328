package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tierscope/project"
	"tierscope/simulation/experiment"
)

// command is one that writes, in a folder of its own.
type command struct {
	name string
	args []string
	// finished counts what is finished in the folder, in units that must not become fewer.
	finished func(dir string) (int, error)
	// result are the names in the folder when all is well, beside what was there before.
	result []string
	before []string // removed first: a command that makes something new refuses to replace it
}

// writers are the commands. In the folder are p.tier, a project with a recording, m.json and profile.jsonl.
func writers() []command {
	whole := func(path string, open func(string) error) func(string) (int, error) {
		return func(dir string) (int, error) {
			path := filepath.Join(dir, path)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				return 0, nil
			}
			return 1, open(path)
		}
	}
	opens := func(path string) error {
		p, err := project.Open(path)
		if err == nil {
			_, err = p.Model()
		}
		return err
	}
	parses := func(path string) error {
		data, err := os.ReadFile(path)
		if err == nil && !json.Valid(data) {
			err = fmt.Errorf("%s is no JSON", path)
		}
		return err
	}
	ends := func(with string) func(string) error {
		return func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil && !bytes.HasSuffix(bytes.TrimSpace(data), []byte(with)) {
				err = fmt.Errorf("%s does not end with %s", path, with)
			}
			return err
		}
	}
	kept := func(path string) func(string) (int, error) {
		return func(dir string) (int, error) {
			path := filepath.Join(dir, path)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				return 0, nil
			}
			l, err := experiment.OpenLedger(path)
			if err != nil {
				return 0, err
			}
			return l.Len(), l.Close()
		}
	}
	lines := func(path, with string) func(string) (int, error) {
		return func(dir string) (int, error) {
			data, err := os.ReadFile(filepath.Join(dir, path))
			if errors.Is(err, fs.ErrNotExist) {
				return 0, nil
			}
			n := 0
			for line := range bytes.Lines(data) {
				if bytes.Contains(line, []byte(with)) && bytes.HasSuffix(line, []byte("\n")) {
					n++
				}
			}
			return n, err
		}
	}
	return []command{
		{"sweep", []string{"sweep", "p.tier", "--axis", "cpu/cores=1,2,3,4", "--reps", "2", "--duration", "2", "--patience", "0s", "--force"}, kept("p.tier/runs/ledger.d"), nil, nil},
		{"sweep --save", []string{"sweep", "m.json", "--axis", "workers=1,2", "--dry-run", "--save", "e.json"}, whole("e.json", parses), []string{"e.json"}, nil},
		{"build", []string{"build", "--out", "p.tier"}, whole("p.tier", opens), nil, nil},
		{"convert to a folder", []string{"convert", "m.json", "new.tier"}, whole("new.tier", opens), []string{"new.tier"}, []string{"new.tier"}},
		{"convert to a bundle", []string{"convert", "p.tier", "b.tierz"}, whole("b.tierz", func(string) error { return nil }), []string{"b.tierz"}, nil},
		{"measure", []string{"measure", "--program", "/bin/true", "--grid", "X=1,2,3", "--repeats", "2", "--patience", "0s", "--out", "t.csv"}, lines("t.csv", ",T,program,mean,"), []string{"t.csv"}, nil},
		{"run --timeline", []string{"run", "m.json", "--reps", "2", "--duration", "2", "--timeline", "t.json"}, whole("t.json", parses), []string{"t.json"}, nil},
		{"report", []string{"report", "p.tier", "--without", "explain", "--without", "validate", "--out", "r.html"}, whole("r.html", ends("</html>")), []string{"r.html"}, nil},
		{"regress", []string{"regress", "profile.jsonl", "--splits", "1", "--out", "models"}, whole("models/report.json", parses), []string{"models"}, nil},
		{"run", []string{"run", "p.tier", "--reps", "2", "--duration", "2", "--force"}, kept("p.tier/runs/ledger.d"), nil, nil},
		{"prolong --out", []string{"prolong", "m.json", "--repeats", "1", "--baselines", "3", "--level", "1", "--out", "s.json"}, whole("s.json", parses), []string{"s.json"}, nil},
		{"man", []string{"man", "man"}, whole("man/tierctl.1", func(string) error { return nil }), []string{"man"}, nil},
		{"show --svg", []string{"show", "m.json", "--svg", "m.svg"}, whole("m.svg", ends("</svg>")), []string{"m.svg"}, nil},
	}
}

// ground makes a folder with what the commands need.
func ground(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "p.tier"), os.DirFS("../../testdata/traces/api.tier")); err != nil {
		t.Fatal(err)
	}
	m, err := project.LoadModel(webServer)
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"m.json": webServer, "profile.jsonl": "../../analysis/regress/testdata/threadmarks/swaptions.jsonl"} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := project.Project{Dir: filepath.Join(dir, "p.tier")}
	if _, err := os.Stat(p.Path("project.json")); errors.Is(err, fs.ErrNotExist) {
		if err := errors.Join(p.SaveModel(m), p.SaveManifest()); err != nil {
			t.Fatal(err)
		}
	}
}

// tierctlProgram is tierctl in a process of its own: none for a short test.
func tierctlProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tierctl and watches its process")
	}
	program, err := builtTierctl()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// builtTierctl is built once for all tests, into the folder that TestMain removes.
var builtTierctl = sync.OnceValues(func() (string, error) {
	program := filepath.Join(built, "tierctl")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// restart takes the results of the command away, and returns how much is finished then.
func (c command) restart(dir string) int {
	_ = os.RemoveAll(filepath.Join(dir, "p.tier", "runs"))
	for _, r := range c.result {
		_ = os.RemoveAll(filepath.Join(dir, r))
	}
	n, _ := c.finished(dir) // a project that is built anew was there
	return n
}

// in is the command in a folder, with temporary files and configuration below it.
func (c command) in(program, dir string) *exec.Cmd {
	for _, b := range c.before {
		_ = os.RemoveAll(filepath.Join(dir, b)) // what is not there need not be removed
	}
	cmd := exec.Command(program, c.args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	return cmd
}

// names are the files below a folder, without those of the user: cache and settings.
func names(dir string) (all []string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
		case name == "cache" || name == "config" || name == "full":
			return filepath.SkipDir
		case !e.IsDir():
			all = append(all, name)
		}
		return nil
	})
	return all
}

// mends runs the command once more: it ends well, and beside its result there is nothing new,
// no file and no process.
func (c command) mends(t *testing.T, program, dir string, usual []string, after string) {
	t.Helper()
	if out, err := c.in(program, dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: after %s it ends with %v\n%s", c.name, after, err, out)
	}
	if n, err := c.finished(dir); err != nil || n == 0 {
		t.Fatalf("%s: after %s and another run %d things are finished: %v", c.name, after, n, err)
	}
	left := slices.DeleteFunc(names(dir), func(name string) bool { return slices.Contains(usual, name) || ofLedger(name) })
	if len(left) > 0 {
		t.Errorf("%s: after %s and another run there is %q", c.name, after, left)
	}
	patience := time.Now().Add(time.Minute)
	for ; len(processes(dir)) > 0 && time.Now().Before(patience); time.Sleep(10 * time.Millisecond) {
	}
	if still := processes(dir); len(still) > 0 {
		t.Errorf("%s: after %s and another run there is the process %q", c.name, after, still)
	}
}

// ofLedger reports whether a file belongs to a ledger: each of two writers has one, and so has who comes after one that was
// killed in the middle of a run, which stays as it is.
func ofLedger(name string) bool {
	return strings.HasPrefix(name, "p.tier/runs/ledger.d/") && strings.HasSuffix(name, ".runs")
}

// processes are those that were started in a folder.
func processes(dir string) (all []string) {
	folders, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, f := range folders {
		if at, err := os.Readlink(f); err == nil && strings.HasPrefix(at, dir) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			all = append(all, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return all
}

// place fills the folder of a command, and tells which files are there when all is well, and
// how long the command takes.
func (c command) place(t *testing.T, program, dir string) (usual []string, takes time.Duration) {
	t.Helper()
	ground(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if out, err := c.in(program, dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", c.name, err, out)
	}
	return names(dir), time.Since(began)
}
