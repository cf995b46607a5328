package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a command that writes is put through: killed at any moment, again and again, beside
// another one like it, on a disk that is full or read-only, and on one whose nth write fails. After each
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
	return n, tierctlProgram(t)
}

// Power fails, the kernel kills for want of memory, and people are impatient.
func TestNothingIsLostByBeingKilled(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	for i, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			usual, takes := c.place(t, program, dir)
			random := rand.New(rand.NewPCG(uint64(i), uint64(n))) // other moments for another number
			for range 2 {                                         // the first one filled caches, and the machine has other work: nobody is killed after the end
				began := time.Now()
				if out, err := c.in(program, dir).CombinedOutput(); err != nil {
					t.Fatalf("again: %v\n%s", err, out)
				}
				takes = min(takes, time.Since(began))
			}
			done, err := c.finished(dir)
			if err != nil {
				t.Fatal(err)
			}
			killed := c.loses(t, program, dir, n, done, func(cmd *exec.Cmd, _ int) error {
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(random.Float64() * float64(takes)))
				_ = cmd.Process.Kill() // it may have ended
				return cmd.Wait()
			})
			c.mends(t, program, dir, usual, fmt.Sprint(n, " kills"))
			c.survived(t, "killed at a random moment: %d times", killed)
		})
	}
}

// calls are what commands change files with, and mostOfEach is how many of one a thread of a command may make.
var calls = []string{"fsync", "renameat", "unlinkat", "mkdirat", "write", "ftruncate"}

const mostOfEach = 25

// Where it hurts is between two changes of files: a command is killed as it begins its nth call of a kind.
func TestNothingIsLostByBeingKilledAtACall(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	strace := injector(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			usual, _ := c.place(t, program, dir)
			done, err := c.finished(dir)
			if err != nil {
				t.Fatal(err)
			}
			killed := c.loses(t, program, dir, min(n, len(calls)*mostOfEach), done, func(cmd *exec.Cmd, k int) error {
				call, nth := calls[k%len(calls)], k/len(calls)+1
				below(cmd, strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, nth))
				return cmd.Run()
			})
			c.mends(t, program, dir, usual, "kills at calls")
			c.survived(t, "killed at its nth fsync, rename, unlink, mkdir, write: %d times", killed)
		})
	}
}

// loses runs the command n times in a way that does not let it end, and fails if something that was finished is gone. It returns how
// often the command was killed.
func (c command) loses(t *testing.T, program, dir string, n, done int, run func(cmd *exec.Cmd, k int) error) (killed int) {
	t.Helper()
	for k := range n {
		if k%4 == 0 { // from the beginning again
			done = c.restart(dir)
		}
		cmd := c.in(program, dir)
		if len(c.before) > 0 {
			done = 0
		}
		if run(cmd, k) != nil {
			killed++
		}
		now, err := c.finished(dir)
		if err != nil {
			t.Fatalf("after kill %d: %v", k, err)
		}
		if now < done {
			t.Fatalf("after kill %d %d things are finished, before it were %d", k, now, done)
		}
		done = now
	}
	return killed
}

// below runs the command below a program that does something to it.
func below(cmd *exec.Cmd, words ...string) {
	cmd.Args = slices.Concat(words, []string{cmd.Path}, cmd.Args[1:])
	cmd.Path = words[0]
}

// injector is the path of strace, where it may trace.
func injector(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("cannot be judged here: strace injects the faults, and is not installed")
	}
	if out, err := exec.Command(strace, "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("cannot be judged here: strace may not trace: %v %s", err, out)
	}
	return strace
}

// Two at once: both end well, or one of them says that the other one is at work.
func TestTwoAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if len(c.before) > 0 {
				t.Skip("the second one finds what the first one made, and says so")
			}
			dir := t.TempDir()
			usual, _ := c.place(t, program, dir)
			for range (n + 9) / 10 {
				c.restart(dir)
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
				if done, err := c.finished(dir); err != nil || done == 0 {
					t.Errorf("after two at once %d things are finished: %v", done, err)
				}
			}
			c.mends(t, program, dir, usual, "two at once")
			c.survived(t, "beside itself: %d times", (n+9)/10)
		})
	}
}

// Every write that a command makes fails once: for want of room, because the disk is
// broken, and because a signal comes. The command says so (exit code 1), or writes again, and
// what was there before is whole.
func TestAFailedWriteIsSaidAndBreaksNothing(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	strace := injector(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			usual, _ := c.place(t, program, dir)
			times, said := 0, 0
			for k := range min(n, mostWrites) {
				if k%2 == 0 { // something is to be written
					c.restart(dir)
				}
				for _, f := range [][2]string{{"fsync", "ENOSPC"}, {"fsync", "EIO"}, {"fsync", "EINTR"}, {"renameat", "EIO"}, {"renameat", "ENOSPC"}} {
					what := fmt.Sprintf("%s at %s %d", f[1], f[0], k+1)
					inject := []string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + f[0], "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", f[0], f[1], k+1)}
					times++
					if _, failed := c.suffers(t, program, dir, what, inject...); failed {
						said++
					}
				}
			}
			c.mends(t, program, dir, usual, "failed writes")
			c.survived(t, "ENOSPC, EIO, EINTR at each write: %d times, %d said", times, said)
		})
	}
}

// mostWrites is more than any of the commands makes.
const mostWrites = 20

// A disk fills up: there is room for fewer and fewer pages. The command says so (exit code 1), and
// when there is room again, all is well.
func TestAFullDiskIsSaidAndBreaksNothing(t *testing.T) {
	t.Parallel()
	n, program := faults(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			small(t, dir, "size=24m")
			usual, _ := c.place(t, program, dir)
			said := 0
			for k := range n {
				c.restart(dir)
				fillDisk(t, dir, k*k*4096)
				what := fmt.Sprintf("a disk with room for %d pages", k*k)
				if _, failed := c.suffers(t, program, dir, what); failed {
					said++
				}
				if err := os.Remove(filepath.Join(dir, "full")); err != nil {
					t.Fatal(err)
				}
			}
			c.mends(t, program, dir, usual, "a full disk")
			c.survived(t, "a full disk: %d times, %d said", n, said)
		})
	}
}

// What lies on a disk that cannot be written stays as it is, and the command says that.
func TestAReadOnlyDiskIsSaid(t *testing.T) {
	t.Parallel()
	_, program := faults(t)
	for _, c := range writers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			small(t, dir, "size=24m")
			usual, _ := c.place(t, program, dir)
			c.restart(dir)
			before := names(dir)
			if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
			out, _ := c.suffers(t, program, dir, "a read-only disk") // a sweep warns and prints its results
			if !bytes.Contains(out, []byte("read-only")) {
				t.Errorf("%s: on a read-only disk it does not say so:\n%s", c.name, out)
			}
			if now := names(dir); !slices.Equal(now, before) {
				t.Errorf("%s: on a read-only disk there is %q, and was %q", c.name, now, before)
			}
			if err := unix.Mount("", dir, "", unix.MS_REMOUNT, ""); err != nil {
				t.Fatal(err)
			}
			c.mends(t, program, dir, usual, "a read-only disk")
			c.survived(t, "a read-only disk: 1 time, said")
		})
	}
}

// What is asked of a project on a read-only disk is answered, and that the answer is not kept is a warning.
func TestAVerdictOnAReadOnlyDiskIsSaid(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it simulates all that a sample has measurements of")
	}
	dir := t.TempDir()
	small(t, dir, "size=64m")
	home := filepath.Join(dir, "cache.tier")
	if err := os.CopyFS(home, os.DirFS("../../assets/samples/cache.tier")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	out, errs, code := tierctl(t.Context(), "validate", home)
	if code != exitDone || out == "" || !strings.Contains(errs, "the verdict is not kept") {
		t.Errorf("validate ends with %d: %s", code, errs)
	}
}

// survived prints a line of the table of make faults.
func (c command) survived(t *testing.T, format string, args ...any) {
	t.Helper()
	if !t.Failed() {
		t.Logf("fault table: %s: %s", c.name, fmt.Sprintf(format, args...))
	}
}

// suffers runs the command where something fails. It ends well or with exit code 1, and nothing
// that was finished is lost.
func (c command) suffers(t *testing.T, program, dir, what string, under ...string) (out []byte, failed bool) {
	t.Helper()
	cmd := c.in(program, dir)
	before, err := c.finished(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(under) > 0 {
		below(cmd, under...)
	}
	out, err = cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		failed = true
		if exit.ExitCode() != exitFailure {
			t.Errorf("%s: %s: exit code %d, want %d\n%s", c.name, what, exit.ExitCode(), exitFailure, out)
		}
	}
	if now, err := c.finished(dir); err != nil || now < before {
		t.Errorf("%s: %s: %d things are finished, before it were %d (%v)", c.name, what, now, before, err)
	}
	return out, failed
}

// small mounts a file system of its own at dir, until the end of the test.
func small(t *testing.T, dir, options string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("cannot be judged here: mounting a small file system needs root: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// fillDisk writes a file that leaves only so many bytes of the file system free.
func fillDisk(t *testing.T, dir string, left int) {
	t.Helper()
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	size := int64(st.Bavail)*st.Bsize - int64(left)
	f, err := os.Create(filepath.Join(dir, "full"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if size > 0 {
		if err := unix.Fallocate(int(f.Fd()), 0, 0, size); err != nil {
			t.Fatal(err)
		}
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
