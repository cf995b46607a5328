package measure

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/measure/load"
)

// subjects is where the programs to analyse are. Packages below testdata are
// not matched by ./..., so they are tested from here.
const subjects = "../testdata/programs/go"

func build(t *testing.T, name string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not on the PATH")
	}
	executable, err := Build(t.Context(), trace.Workload{Program: filepath.Join(subjects, name)}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return executable
}

// What a batch subject computes must not depend on how many threads do it:
// else a comparison of configurations would compare different work.
func TestBatchSubjectsComputeTheSameWithAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	for _, s := range []struct {
		name, knob string
		tasks      int
		small      string
	}{
		{"montecarlo", "-workers", 20, "-tasks 20 -paths 10 -steps 10"},
		{"tiles", "-workers", 12, "-width 64 -height 48 -tile 16 -samples 1 -spheres 5"},
		{"moldyn", "-workers", 3 * 4, "-atoms 64 -steps 3 -block 16"},
		{"galaxy", "-force", 2 * 2 * 3, "-bodies 300 -steps 2 -block 100 -collision 2"},
		{"cache", "-workers", 20, "-batches 20 -keys 10 -universe 50 -capacity 10 -block 1024 -digest 100"},
		{"rwstore", "-workers", 200, "-requests 200 -keys 1000 -scan 100"},
		{"pipeline", "-compressors", 20, "-blocks 20 -lines 10 -queue 1"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			program := build(t, s.name)
			check := ""
			for _, threads := range []string{"1", "3"} {
				args := append(strings.Fields(s.small), s.knob, threads, "-json")
				out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
				if err != nil {
					t.Fatalf("%s %v: %v\n%s", s.name, args, err, out)
				}
				got := summaryOf(out)
				if got == nil || got.Check == "" {
					t.Fatalf("%s %v: no summary with a check in %q", s.name, args, out)
				}
				if got.Tasks != s.tasks {
					t.Errorf("%s %v: %d tasks, want %d", s.name, args, got.Tasks, s.tasks)
				}
				if check != "" && got.Check != check {
					t.Errorf("%s: %s thread(s) computed %q, one thread %q", s.name, threads, got.Check, check)
				}
				check = got.Check
			}
		})
	}
}

func TestBatchSubjectsRefuseSizesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	program := build(t, "montecarlo")
	out, err := exec.CommandContext(t.Context(), program, "-workers", "0").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("must be positive")) {
		t.Errorf("montecarlo -workers 0: %v, %q", err, out)
	}
}

// serve starts a server on a free port and returns its address and a function
// that interrupts it and returns what it printed.
func serve(t *testing.T, name string, args ...string) (address string, stop func() []byte) {
	t.Helper()
	program := build(t, name)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = free.Addr().String()
	free.Close()
	cmd := exec.Command(program, append(args, "-addr", address, "-json")...)
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	var ended error
	go func() {
		ended = cmd.Wait()
		close(exited)
	}()
	t.Cleanup(func() { cmd.Process.Kill(); <-exited })
	if err := load.Await(t.Context(), "http://"+address+"/", exited); err != nil {
		t.Fatal(err)
	}
	return address, func() []byte {
		cmd.Process.Signal(syscall.SIGTERM)
		<-exited
		if ended != nil {
			t.Errorf("%s did not stop in good order: %v", name, ended)
		}
		return stdout.Bytes()
	}
}

func get(t *testing.T, url string) (status int, body []byte) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}

func TestTornadoServesFilesAndNothingElse(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.html"), []byte("<p>hello</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, stop := serve(t, "tornado", "-root", root, "-workers", "2", "-queue", "1")
	if status, body := get(t, "http://"+address+"/a.html"); status != 200 || string(body) != "<p>hello</p>" {
		t.Errorf("GET /a.html: %d %q", status, body)
	}
	if status, _ := get(t, "http://"+address+"/b.html"); status != 404 {
		t.Errorf("GET /b.html: status %d, want 404", status)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /../../../../etc/passwd HTTP/1.0\r\n\r\n")
	answer, _ := io.ReadAll(conn)
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 404")) {
		t.Errorf("a path out of the root was answered with %.60q, want 404", answer)
	}
	// Await asked for / as well.
	if s := summaryOf(stop()); s == nil || s.Tasks != 4 {
		t.Errorf("summary %+v, want 4 tasks", s)
	}
}

func TestDocserverRendersTheSamePassageToTheSamePDF(t *testing.T) {
	t.Parallel()
	address, stop := serve(t, "docserver", "-workers", "2")
	url := "http://" + address + "/passage?words=30&seed="
	status, one := get(t, url+"1")
	if status != 200 || !bytes.HasPrefix(one, []byte("%PDF-")) {
		t.Fatalf("seed 1: %d %.20q, want a PDF", status, one)
	}
	if _, again := get(t, url+"1"); !bytes.Equal(one, again) {
		t.Error("seed 1 twice gives two documents")
	}
	if _, other := get(t, url+"2"); bytes.Equal(one, other) {
		t.Error("seeds 1 and 2 give one document")
	}
	for _, bad := range []string{"?seed=x", "?words=0", "?words=999999999"} {
		if status, _ := get(t, "http://"+address+"/passage"+bad); status != 400 {
			t.Errorf("%s: status %d, want 400", bad, status)
		}
	}
	if s := summaryOf(stop()); s == nil || s.Tasks != 3 {
		t.Errorf("summary %+v, want 3 tasks", s)
	}
}

// Programs that nobody prepared are recorded, not tested: what they compute is
// nobody's concern, but they have to be programs.
func TestProgramsThatNobodyPreparedBuild(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not on the PATH")
	}
	if out, err := exec.CommandContext(t.Context(), "go", "vet", "../testdata/unseen/go/...").CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("javac is not on the PATH")
	}
	sources, err := filepath.Glob("../testdata/unseen/java/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%d Java programs, error %v", len(sources), err)
	}
	args := append([]string{"-Xlint:all", "-Werror", "-d", t.TempDir()}, sources...)
	if out, err := exec.CommandContext(t.Context(), javac, args...).CombinedOutput(); err != nil {
		t.Errorf("javac: %v\n%s", err, out)
	}
}
