package execution_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tierscope/analysis/execution"
)

// With this variable the test binary is who runs a program and is killed: a shell that
// starts another process and waits, and writes both numbers to the file.
const victim = "TIERSCOPE_TEST_VICTIM"

func TestMain(m *testing.M) {
	if file := os.Getenv(victim); file != "" {
		p := shell(fmt.Sprintf("sleep 1000 & echo $$ $! >%[1]s.part; mv %[1]s.part %[1]s; trap '' HUP INT TERM QUIT; wait", file))
		_, _, err := p.Finish(context.Background(), time.Hour)
		fmt.Println("the program ended before its parent:", err)
		os.Exit(1)
	}
	if os.Getenv(waiter) != "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		_, _ = l.Accept() // nobody comes
	}
	os.Exit(m.Run())
}

// With this variable the test binary is a server that nobody asks.
const waiter = "TIERSCOPE_TEST_WAITER"

// A server without a load would be waited for until somebody loses patience.
func TestAServerThatNobodyAsksIsRecognised(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  string
		args []string
		says string
	}{{waiter + "=1", nil, "--load-url http://127.0.0.1:"}, {"X=1", []string{"-test.run=^$"}, ""}} {
		p := execution.Program{Path: os.Args[0], Args: c.args, Env: append(os.Environ(), c.env), Messages: filepath.Join(t.TempDir(), "messages")}
		r, err := p.Start()
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Batch(t.Context(), time.Minute, r.AsksForLoad(time.Second))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.env, err, c.says)
		}
	}
}

// Signals of a lost terminal, of an impatient user and of the kernel: however we end, what
// we started ends too, with what it started itself.
func TestNoProgramOutlivesUs(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(sig) {
				t.Skip("whoever started this ignores the signal, as nohup does, and so do all that it starts")
			}
			file := filepath.Join(t.TempDir(), "pids")
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), victim+"="+file)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var program, child int
			eventually(t, "the program starts", func() bool {
				text, err := os.ReadFile(file)
				n, _ := fmt.Sscan(string(text), &program, &child)
				return err == nil && n == 2
			})
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // how it ended
			for what, pid := range map[string]int{"the program": program, "what it started": child} {
				eventually(t, what+" ends", func() bool { return !alive(pid) })
			}
		})
	}
}

// alive reports whether a process runs: one that has ended and that nobody waited for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

// eventually waits for something that happens soon on a machine that has time for it.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for began := time.Now(); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// A guard is dismissed with the program that it guards.
func TestAGuardEndsWithItsProgram(t *testing.T) {
	t.Parallel()
	g, err := execution.NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sleep", "1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g.Watch(cmd.Process.Pid)
	g.Dismiss() // returns when the guard has ended
	if !alive(cmd.Process.Pid) {
		t.Error("the guard killed a program whose end it was told")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // that it was killed
}
