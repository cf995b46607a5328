package native

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// recordedRun runs a program once with the recorder and returns what it wrote, with the error of the run.
func recordedRun(t *testing.T, exe string, args []string, more ...string) (*recording, *trace.Trace, error) {
	t.Helper()
	w := workload(exe, args...)
	w.Cores = 0
	s, err := front().prepare(t.Context(), w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var r *recording
	var tr *trace.Trace
	_, err = front().recorded(t.Context(), s, w, func(rec *recording, names *addresses) error {
		r, tr = rec, rec.decode(names, true)
		return nil
	}, more...)
	return r, tr, err
}

func odd(t *testing.T, args []string, more ...string) (*recording, *trace.Trace) {
	t.Helper()
	r, tr, err := recordedRun(t, compiled(t, "cc", "odd.c", "-O2", "-pthread", "-ldl", "-lm"), args, more...)
	if err != nil {
		t.Fatal(err)
	}
	return r, tr
}

// began counts the operations of a kind.
func began(tr *trace.Trace, op trace.Op) (n int) {
	for i := range tr.Threads {
		for _, r := range tr.Threads[i].Records {
			if r.Op == op && !r.End {
				n++
			}
		}
	}
	return n
}

// A thousand threads, one after the other or all at a time, are recorded from their begin to their end; addresses
// of threads that ended are used again.
func TestAThousandThreadsAreRecorded(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"many", "together"} {
		r, tr := odd(t, []string{mode})
		ended := 0
		for i := range tr.Threads {
			if th := &tr.Threads[i]; th.Ended > 0 && th.Start == "work" && th.Parent == 1 {
				ended++
			}
		}
		if locks := began(tr, trace.OpLock); ended != 1000 || locks != 1000 || began(tr, trace.OpJoin) != 1000 || r.full || tr.Unmatched > 0 {
			t.Errorf("%s: %d of 1000 threads of work() ended, %d locks, %d joins, full %v, %d unmatched", mode, ended, locks, began(tr, trace.OpJoin), r.full, tr.Unmatched)
		}
		joined := map[uint64]bool{}
		for _, rec := range tr.Threads[0].Records {
			if rec.Op == trace.OpJoin && rec.End {
				joined[rec.Value] = true
			}
		}
		if len(joined) != 1000 {
			t.Errorf("%s: %d different threads were joined, want 1000", mode, len(joined))
		}
	}
}

// What a program did until it is killed is in the recording.
func TestARecordingSurvivesTheKill(t *testing.T) {
	t.Parallel()
	w := workload(compiled(t, "cc", "odd.c", "-O2", "-pthread", "-ldl", "-lm"), "killed")
	s, err := front().prepare(t.Context(), w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	name, err := recordingFile(s.dir, headSize+front().Record)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(name)
	maps := filepath.Join(s.dir, "maps")
	if _, err := front().run(t.Context(), s.program, w, s.dir, "LD_PRELOAD="+s.library, "TIERSCOPE_RECORDING="+name, "TIERSCOPE_MAPS="+maps, "TIERSCOPE_PROGRAM="+s.path); err == nil || !strings.Contains(err.Error(), "SIGKILL") {
		t.Fatalf("got %v, want that the program was killed", err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parseRecording(b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(maps)
	if err != nil {
		t.Fatal(err)
	}
	if tr := r.decode(newAddresses(parseMaps(string(text))), true); began(tr, trace.OpLock) != 50 || began(tr, trace.OpUnlock) != 50 {
		t.Errorf("%d locks and %d unlocks before the kill, want 50", began(tr, trace.OpLock), began(tr, trace.OpUnlock))
	}
}

// A child that fork() makes must not write to its parent's recording, and that there were some is said.
func TestChildrenAreNotRecordedAndThatIsSaid(t *testing.T) {
	t.Parallel()
	r, tr := odd(t, []string{"forks"})
	if locks := began(tr, trace.OpLock); locks != 6 || r.children != 6 || len(tr.Threads) != 1 {
		t.Errorf("%d locks of %d threads, %d children, want the 6 of the only thread and 6", locks, len(tr.Threads), r.children)
	}
	if ws := strings.Join(r.doubts(), "; "); !strings.Contains(ws, "made 6 processes of its own") {
		t.Errorf("the warnings do not say it: %q", ws)
	}
	if n := began(tr, trace.OpExternal); n != 7 {
		t.Errorf("%d waits for processes, want 6 and one by system()", n)
	}
}

// A program that puts itself into its own place is recorded from then on.
func TestAProgramThatStartsItselfAnewIsRecordedAnew(t *testing.T) {
	t.Parallel()
	r, tr := odd(t, []string{"again"})
	if r.execs != 1 || began(tr, trace.OpLock) != 20 {
		t.Errorf("%d times anew, %d locks, want 1 and the 20 of the second time", r.execs, began(tr, trace.OpLock))
	}
}

// A call that a signal of the program's ends, ends; the recorder's own signals are not seen. The program
// checks that itself.
func TestInterruptedCallsStayInterrupted(t *testing.T) {
	t.Parallel()
	for _, more := range [][]string{nil, {"TIERSCOPE_HZ=1000"}} {
		r, _ := odd(t, []string{"interrupted"}, more...)
		if more != nil && r.records() < 40 {
			t.Errorf("%d records, want samples among them", r.records())
		}
	}
}

// Code that is loaded while the program runs is known by its name.
func TestCodeThatIsLoadedLaterHasItsName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, library := filepath.Join(dir, "late.c"), filepath.Join(dir, "late.so")
	if err := os.WriteFile(source, []byte("void call(void (*f)(int), int n) { f(n); __asm__ volatile(\"\"); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "cc", "-O2", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("there is no cc here")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	_, tr := odd(t, []string{"loads", library})
	var functions []string
	for _, r := range tr.Threads[0].Records {
		if r.Op == trace.OpLock {
			for _, f := range trace.FramesAt(tr.Sites, r.Site) {
				functions = append(functions, f.Function)
			}
			break
		}
	}
	if got, want := strings.Join(functions, " ◂ "), "add ◂ call ◂ main"; got != want {
		t.Errorf("the lock was asked for in %s, want %s", got, want)
	}
}

// Threads that are cancelled, or leave by pthread_exit, have ends.
func TestThreadsThatAreCancelledHaveEnds(t *testing.T) {
	t.Parallel()
	_, tr := odd(t, []string{"cancelled"})
	ended := map[string]int{}
	for i := range tr.Threads {
		if tr.Threads[i].Ended > 0 {
			ended[tr.Threads[i].Start]++
		}
	}
	if ended["waits"] != 20 || ended["leaves"] != 20 {
		t.Errorf("ends: %v, want 20 of each", ended)
	}
}

// A recursive mutex that a thread has already is not taken again.
func TestARecursiveMutexIsTakenOnce(t *testing.T) {
	t.Parallel()
	_, tr := odd(t, []string{"twice"})
	if began(tr, trace.OpLock) != 100 || began(tr, trace.OpUnlock) != 100 {
		t.Errorf("%d locks, %d unlocks, want 50 of each mutex", began(tr, trace.OpLock), began(tr, trace.OpUnlock))
	}
}

// Where the kernel or the C library leave rseq(2) to nobody, the CPU clock is asked: times are as exact, only dearer. The
// threads' CPU time is the process's, but what it needs to start and end.
func TestWithoutRseqTimesAreAsExact(t *testing.T) {
	t.Parallel()
	for _, more := range [][]string{nil, {"TIERSCOPE_NORSEQ=1"}, {"GLIBC_TUNABLES=glibc.pthread.rseq=0"}} {
		w := workload(compiled(t, "cc", "exam.c", "-O2", "-pthread", "-lm"), "150", "3")
		s, err := front().prepare(t.Context(), w, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var r *recording
		o, err := front().recorded(t.Context(), s, w, func(rec *recording, _ *addresses) error { r = rec; return nil }, more...)
		if err != nil {
			t.Fatal(err)
		}
		if more != nil && r.rseq {
			t.Errorf("%v: rseq was used", more)
		}
		if process := o.CPU.Seconds(); r.threadTime() > process || r.threadTime() < 0.9*process-0.02 {
			t.Errorf("%v: the threads used %.3f s of the process's %.3f", more, r.threadTime(), process)
		}
		if said := strings.Contains(strings.Join(r.doubts(), ";"), "was a system call"); said == r.rseq {
			t.Errorf("%v: that the clock is a system call is said: %v", more, said)
		}
	}
}

// One program may go by several names, and do what its name says: it is called as the user calls it, by whatever link.
func TestAProgramIsCalledByTheNameThatIsGiven(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "names.c", "-O2", "-pthread")
	link := filepath.Join(t.TempDir(), "lock")
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	_, tr, err := recordedRun(t, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := began(tr, trace.OpLock); n != 200 {
		t.Errorf("%d locks are recorded, want 200", n)
	}
}
