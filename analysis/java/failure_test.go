package java

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// command writes a shell script that says what a java launcher would.
func command(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// What the user can mend is said before anything runs, with what to do.
func TestCheckSaysWhatIsMissing(t *testing.T) {
	jar := filepath.Join(t.TempDir(), "text.jar")
	if err := os.WriteFile(jar, []byte("this is text"), 0o644); err != nil {
		t.Fatal(err)
	}
	main := []string{"-cp", "classes", "Main"}
	for _, c := range []struct {
		name, program string
		args          []string
		java, javac   string // scripts; "": not installed
		want          string
	}{
		{"no Java", "java", main, "", "", "no Java: java was not found; install a JDK from 11 to 25"},
		{"too old", "java", main, `echo 'openjdk version "1.8.0_392"' >&2`, "true", "is Java 8: Tierscope knows Java 11 to 25"},
		{"too new", "java", main, `echo 'openjdk version "99-ea" 2072-03-17' >&2`, "true", "is Java 99: Tierscope knows Java 11 to 25"},
		{"no Java at all", "java", main, "echo hello", "true", "does not say which Java it is"},
		{"broken JVM", "java", main, "echo libjvm.so is missing >&2; exit 3", "true", "libjvm.so is missing"},
		{"JRE only", "java", main, `echo 'openjdk version "17.0.1"' >&2`, "", "no Java compiler"},
		{"compiler fails", "java", main, `echo 'openjdk version "17.0.1"' >&2`, "echo invalid flag: --release; exit 2", "cannot compile it for Java 11"},
		{"not a jar", jar, nil, "", "", "is not a jar"},
		{"no such jar", "/nowhere/app.jar", nil, "", "", "/nowhere/app.jar does not exist"},
		{"a script", "/opt/server/start.sh", nil, "", "", "is neither a java command nor a jar"},
		{"no class", "java", nil, "", "", "java needs the name of a class or -jar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.java != "" {
				command(t, dir, "java", c.java)
			}
			if c.javac != "" {
				command(t, dir, "javac", c.javac)
			}
			t.Setenv("PATH", dir)
			err := Target{CacheDir: t.TempDir()}.Check(t.Context(), trace.Workload{Program: c.program, Args: c.args})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// The command before a run is executed before every run of the program, and a
// program is not started if it fails.
func TestTheCommandBeforeARunIsExecuted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := &program{java: "/bin/sh", args: []string{"-c", "test $(wc -l < made) = $RUN || exit 3"}}
	w := trace.Workload{Dir: dir, Prepare: "echo ready >> made"}
	for _, run := range []string{"1", "2"} {
		w.Env = map[string]string{"RUN": run}
		if _, err := (Target{}).run(t.Context(), p, "", w, t.TempDir(), nil); err != nil {
			t.Errorf("run %s: %v", run, err)
		}
	}
	w.Prepare = "echo no disk; exit 1"
	if _, err := (Target{}).run(t.Context(), p, "", w, t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("error %v, want the output of the command that failed", err)
	}
}

// A recording that is cut off or is none at all is an error or what is whole
// of it, not a panic.
func TestADamagedRecordingIsReadAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	if _, err := parseRecording([]byte("text")); err == nil {
		t.Error("text was taken for a recording")
	}
	b := make([]byte, headerSize+2*recordSize)
	le := func(at int, v uint64) {
		for i := range 8 {
			b[at+i] = byte(v >> (8 * i))
		}
	}
	le(0, fileMark)
	le(headerSize, chunkMark)
	le(headerSize+8, 7)
	le(headerSize+16, 1234<<32|2*recordSize)
	le(headerSize+recordSize, 1000<<16|5)
	le(headerSize+recordSize+8, 300<<20|1)
	le(headerSize+recordSize+16, 0xabcd<<32|42)
	r, err := parseRecording(b)
	if err != nil {
		t.Fatal(err)
	}
	want := hit24{time: 1000, cpu: 300, probe: 5, end: true, object: 0xabcd, arg: 42}
	if got := r.threads[7]; len(got) != 1 || got[0] != want {
		t.Errorf("hits of thread 7: %+v, want %+v", got, want)
	}
	if r.kernel[7] != 1234 {
		t.Errorf("the kernel knows thread 7 as %d, want 1234", r.kernel[7])
	}
	le(headerSize+16, 1<<30)
	if _, err := parseRecording(b); err == nil {
		t.Error("a chunk larger than the file was taken")
	}
}
