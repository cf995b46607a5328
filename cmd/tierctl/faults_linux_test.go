package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tierscope/project"
)

// What a command that writes is put through: killed at any moment, again and again, beside
// another one like it, on a disk that is full, and on one whose nth write fails. After each
// fault the files open, nothing that was finished is lost, and one more run of the command
// ends well and leaves nothing beside its result.

// faults is how often every command is put through each fault, which make faults sets, and
// the program.
func faults(t *testing.T) (n int, program string) {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("TIERSCOPE_FAULTS"))
	if err != nil {
		n = 2
	}
	if program, err = tierctlProgram(); err != nil {
		t.Fatal(err)
	}
	return n, program
}

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

// writers are the commands. In the folder are p.tier, a project with a recording, and m.json.
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
		{"sweep", []string{"sweep", "p.tier", "--axis", "cpu/cores=1,2,3,4", "--reps", "2", "--force"}, lines("p.tier/runs/ledger.jsonl", `"result"`), nil, nil},
		{"sweep --save", []string{"sweep", "m.json", "--axis", "workers=1,2", "--dry-run", "--save", "e.json"}, whole("e.json", parses), []string{"e.json"}, nil},
		{"build", []string{"build", "--out", "p.tier"}, whole("p.tier", opens), nil, nil},
		{"convert to a folder", []string{"convert", "m.json", "new.tier"}, whole("new.tier", opens), []string{"new.tier"}, []string{"new.tier"}},
		{"convert to a bundle", []string{"convert", "p.tier", "b.tierz"}, whole("b.tierz", func(string) error { return nil }), []string{"b.tierz"}, nil},
		{"measure", []string{"measure", "--program", "/bin/true", "--grid", "X=1,2,3", "--repeats", "2", "--out", "t.csv"}, lines("t.csv", ",T,program,mean,"), []string{"t.csv"}, nil},
		{"run --timeline", []string{"run", "m.json", "--reps", "2", "--duration", "2", "--timeline", "t.json"}, whole("t.json", parses), []string{"t.json"}, nil},
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
	model, err := os.ReadFile(webServer)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.json"), model, 0o600); err != nil {
		t.Fatal(err)
	}
	p := project.Project{Dir: filepath.Join(dir, "p.tier")}
	if _, err := os.Stat(p.Path("project.json")); errors.Is(err, fs.ErrNotExist) {
		if err := errors.Join(p.SaveModel(m), p.SaveManifest()); err != nil {
			t.Fatal(err)
		}
	}
}

// tierctlProgram is tierctl, built once for all tests into the folder that TestMain removes.
var tierctlProgram = sync.OnceValues(func() (string, error) {
	program := filepath.Join(built, "tierctl")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

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

// mends runs the command once more: it ends well, and beside its result there is nothing new.
func (c command) mends(t *testing.T, program, dir, after string) {
	t.Helper()
	if out, err := c.in(program, dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: after %s it ends with %v\n%s", c.name, after, err, out)
	}
	if _, err := c.finished(dir); err != nil {
		t.Fatalf("%s: after %s and another run: %v", c.name, after, err)
	}
	var left []string
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if name := e.Name(); err == nil && (strings.Contains(name, "~~") || strings.HasSuffix(name, ".lock") || name == ".pending") {
			left = append(left, path)
		}
		return nil
	})
	if len(left) > 0 {
		t.Errorf("%s: after %s and another run there is %q", c.name, after, left)
	}
}

// place makes the folder of a command, and tells how long the command takes.
func (c command) place(t *testing.T, program string) (dir string, takes time.Duration) {
	t.Helper()
	dir = t.TempDir()
	ground(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	c.mends(t, program, dir, "nothing")
	return dir, time.Since(began)
}

// Power fails, the kernel kills for want of memory, and people are impatient.
func TestNothingIsLostByBeingKilled(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	for i, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, takes := c.place(t, program)
			random := rand.New(rand.NewPCG(uint64(i), 0))
			done, err := c.finished(dir)
			if err != nil {
				t.Fatal(err)
			}
			for k := range n {
				if k%4 == 0 { // from the beginning again
					_ = os.RemoveAll(filepath.Join(dir, "p.tier", "runs"))
					for _, r := range c.result {
						_ = os.RemoveAll(filepath.Join(dir, r))
					}
					done = 0
				}
				cmd := c.in(program, dir)
				if len(c.before) > 0 {
					done = 0
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(random.Float64() * float64(takes)))
				_ = cmd.Process.Kill() // it may have ended
				_ = cmd.Wait()         // that it was killed
				now, err := c.finished(dir)
				if err != nil {
					t.Fatalf("after kill %d: %v", k, err)
				}
				if now < done {
					t.Fatalf("after kill %d %d things are finished, before it were %d", k, now, done)
				}
				done = now
			}
			c.mends(t, program, dir, fmt.Sprint(n, " kills"))
		})
	}
}

// Two at once: both end well, or one of them says that the other one is at work.
func TestTwoAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	_, program := faults(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if len(c.before) > 0 {
				t.Skip("the second one finds what the first one made, and says so")
			}
			dir, _ := c.place(t, program)
			_ = os.RemoveAll(filepath.Join(dir, "p.tier", "runs"))
			one, two := c.in(program, dir), c.in(program, dir)
			var said bytes.Buffer
			two.Stderr = &said
			if err := errors.Join(one.Start(), two.Start()); err != nil {
				t.Fatal(err)
			}
			first, second := one.Wait(), two.Wait()
			if first != nil && second != nil {
				t.Errorf("both fail: %v, %v", first, second)
			}
			if second != nil && !strings.Contains(said.String(), "is being written by") {
				t.Errorf("the second one fails: %v\n%s", second, said.String())
			}
			c.mends(t, program, dir, "two at once")
		})
	}
}

// Every write that a command makes fails once: for want of room, and because the disk is
// broken. The command says so (exit code 1), and what was there before is whole.
func TestAFailedWriteIsSaidAndBreaksNothing(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("cannot be judged here: strace injects the faults, and is not installed")
	}
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := c.place(t, program)
			for k := range n {
				for _, fault := range []string{"ENOSPC", "EIO"} {
					before, err := c.finished(dir)
					if err != nil {
						t.Fatal(err)
					}
					if len(c.before) > 0 {
						before = 0
					}
					what := fmt.Sprintf("%s at fsync %d", fault, k+1)
					cmd := c.in(program, dir)
					cmd.Args = append([]string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", fmt.Sprintf("inject=fsync:error=%s:when=%d", fault, k+1), program}, c.args...)
					cmd.Path = strace
					out, err := cmd.CombinedOutput()
					if bytes.Contains(out, []byte("ptrace")) {
						t.Skipf("cannot be judged here: %s", out)
					}
					if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() != exitFailure {
						t.Errorf("%s: exit code %d, want %d\n%s", what, exit.ExitCode(), exitFailure, out)
					}
					if now, err := c.finished(dir); err != nil || now < before {
						t.Errorf("%s: %d things are finished, before it were %d (%v)", what, now, before, err)
					}
				}
			}
			c.mends(t, program, dir, "failed writes")
		})
	}
}

// What cannot be printed is an error, help too.
func TestAFullStandardOutputIsAnError(t *testing.T) {
	t.Parallel()
	_, program := faults(t)
	for _, args := range [][]string{{"--help"}, {"check", webServer}, {"help", "sweep"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("there is no /dev/full")
		}
		defer full.Close()
		cmd := exec.Command(program, args...)
		cmd.Stdout = full
		err = cmd.Run()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitFailure {
			t.Errorf("tierctl %s > /dev/full ends with %v, want exit code %d", strings.Join(args, " "), err, exitFailure)
		}
	}
}

// What convert wrote, the other commands read; and an axis has the names of the flags.
func TestCommandsReadWhatOthersWrote(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ground(t, dir)
	bundle := filepath.Join(dir, "b.tierz")
	for _, args := range [][]string{
		{"convert", filepath.Join(dir, "p.tier"), bundle},
		{"run", bundle, "--reps", "2", "--duration", "2"},
		{"build", filepath.Join(dir, "p.tier")},
		{"sweep", webServer, "--axis", "cores=1,2", "--dry-run"},
		{"sweep", webServer, "--axis", "rate=10,20", "--dry-run"},
	} {
		if _, stderr, code := tierctl(t.Context(), args...); code != exitDone {
			t.Errorf("tierctl %s ends with %d: %s", strings.Join(args, " "), code, stderr)
		}
	}
}
