package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tierscope/measure"
	"tierscope/project/work"
)

// long is how long something that must happen is waited for.
const long = 3 * time.Minute

// nobody runs tierctl in a folder, for a user whose settings are there.
func nobody(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(tierctlProgram(t), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	return cmd
}

// standing asks for the one command that there is, until it is as wanted.
func standing(t *testing.T, dir string, wanted func(work.Work) bool) work.Work {
	t.Helper()
	var last []byte
	for until := time.Now().Add(long); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		out, err := nobody(t, dir, "status", "--format", "json").Output()
		if err != nil {
			t.Fatal(err)
		}
		last = out
		var all []work.Work
		if err := json.Unmarshal(out, &all); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if len(all) == 1 && wanted(all[0]) {
			return all[0]
		}
	}
	t.Fatalf("after %v the work stands like this: %s", long, last)
	return work.Work{}
}

// A campaign goes on without its terminal; who asks is told how far it is; it is killed, as by a power failure, and
// goes on where it was, to its end: with each run once.
func TestACampaignOutlivesItsTerminalAndItsProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const runs = 3 * 10
	// What takes less than five seconds is not kept: sixteen runs take longer, and the next one does not end, so that it
	// is there to be killed however slow this machine is.
	const script = `n=$(cat made 2>/dev/null || echo 0); echo $((n+1)) >made; [ -e go ] || if [ "$n" -lt 16 ]; then sleep 0.4; else sleep 1000; fi`
	out, err := nobody(t, dir, "measure", "--background", "--program", "/bin/sh", "--grid", "X=1,2,3", "--repeats", "10", "--out", "t.csv", "--", "-c", script).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("goes on without this terminal")) {
		t.Fatalf("%v: %s", err, out)
	}
	w := standing(t, dir, func(w work.Work) bool { return w.State == work.Running && w.Done > 2 })
	if w.Planned != runs || w.Remaining == nil || w.Unit != "runs" {
		t.Errorf("of %d runs, some done, it says %+v", runs, w)
	}
	pid, err := processOf(w.Owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	standing(t, dir, func(w work.Work) bool { return w.State == work.Stopped && w.Killed() })
	before, err := measure.Open(filepath.Join(dir, "t.csv"))
	if err != nil || len(before.Runs()) == 0 || len(before.Runs()) == runs {
		t.Fatalf("after the kill there are %d of %d runs: %v", len(before.Runs()), runs, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := nobody(t, dir, "status", "--resume").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("goes on with")) {
		t.Fatalf("%v: %s", err, out)
	}
	standing(t, dir, func(w work.Work) bool { return w.State == work.Finished })
	after, err := measure.Open(filepath.Join(dir, "t.csv"))
	if err != nil || len(after.Runs()) != runs {
		t.Errorf("in the end there are %d runs (%v), want %d", len(after.Runs()), err, runs)
	}
	if !strings.HasPrefix(strings.Join(after.Runs(), " "), strings.Join(before.Runs(), " ")) {
		t.Errorf("runs from before the kill are gone: %v, now %v", before.Runs(), after.Runs())
	}
	if out, err := nobody(t, dir, "status", "--resume").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("what is finished is started again (%v): %s", err, out)
	}
}

// A capture is seen by who asks, killed, and goes on where it was: of the runs that had ended none is made again.
func TestACaptureIsSeenAndGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler here")
	}
	source, err := filepath.Abs("../../testdata/programs/c/exam.c")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), cc, "-O2", "-pthread", "-o", filepath.Join(dir, "exam"), source, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Three inputs take longer than the five seconds from which on work is kept, and the fourth does not end before it may.
	const inputs, runs = 5, 5 * 3
	const prepare = `n=$(cat made 2>/dev/null || echo 0); echo $((n+1)) >made; sleep 0.7; if [ $n -ge 9 ]; then while [ ! -e go ]; do sleep 0.1; done; fi`
	out, err := nobody(t, dir, "regress", "capture", "./exam", "--background", "--vary", "tasks=10,60", "--inputs", strconv.Itoa(inputs), "--repeats", "3",
		"--profile", "p.jsonl", "--prepare", prepare, "--", "{tasks}", "2").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w := standing(t, dir, func(w work.Work) bool { return w.State == work.Running && w.Done > 0 })
	if w.Planned != inputs || w.Unit != "inputs" || w.Remaining == nil {
		t.Errorf("of %d inputs, some done, it says %+v", inputs, w)
	}
	pid, err := processOf(w.Owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	standing(t, dir, func(w work.Work) bool { return w.Killed() })
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := nobody(t, dir, "status", "--resume").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("goes on with")) {
		t.Fatalf("%v: %s", err, out)
	}
	standing(t, dir, func(w work.Work) bool { return w.State == work.Finished })
	made, err := os.ReadFile(filepath.Join(dir, "made"))
	if n, _ := strconv.Atoi(strings.TrimSpace(string(made))); err != nil || n < runs || n > runs+1 { // the one that was killed may be made twice
		t.Errorf("%s runs were made (%v), want %d and at most the one that was killed", made, err, runs)
	}
	if _, err := os.Stat(filepath.Join(dir, "p.jsonl")); err != nil {
		t.Error(err)
	}
}

// A disk fills up in the middle of a campaign; when somebody has made room it goes on, to its end.
func TestACampaignWaitsForRoomOnTheDisk(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), t.TempDir()
	small(t, disk, "size=1m")
	cmd := nobody(t, dir, "measure", "--program", "/bin/true", "--grid", "X=1,2,3", "--repeats", "4", "--out", filepath.Join(disk, "t.csv"))
	messages, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(disk, "full")
	var said []byte
	for line := range lines(messages) {
		said = append(said, line...)
		if _, err := os.Stat(full); err != nil && bytes.Contains(line, []byte("1/12 ")) {
			fillDisk(t, disk, 0)
		}
		if bytes.HasPrefix(line, []byte("waiting: ")) {
			_ = os.Remove(full) // once is enough
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if !bytes.Contains(said, []byte("waiting: ")) || !bytes.Contains(said, []byte("no space left")) {
		t.Errorf("it did not wait for room: %s", said)
	}
	if measured, err := measure.Open(filepath.Join(disk, "t.csv")); err != nil || len(measured.Runs()) != 12 {
		t.Errorf("in the end there are %d runs (%v), want 12", len(measured.Runs()), err)
	}
}

// lines yields what is read, line by line, until the end.
func lines(from io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for s := bufio.NewReader(from); ; {
			line, err := s.ReadBytes('\n')
			if err != nil || !yield(line) {
				return
			}
		}
	}
}

// processOf is the number in the name of an owner, NAMESPACE.PROCESS.START.
func processOf(owner string) (pid int, err error) {
	_, rest, _ := strings.Cut(owner, ".")
	number, _, _ := strings.Cut(rest, ".")
	return strconv.Atoi(number)
}
