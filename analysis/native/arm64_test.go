package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tierscope/analysis/execution"
	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// The recorder for arm64, compiled here and run by qemu(1), sees as many threads begin and end, and locks taken, as the one of
// this machine does of the same program.
func TestTheRecorderWorksOnArm64(t *testing.T) {
	const compiler, system = "aarch64-linux-gnu-gcc", "/usr/aarch64-linux-gnu"
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("there is no qemu-aarch64 here (Debian: qemu-user)")
	}
	exe := compiled(t, compiler, "exam.c", "-O2", "-pthread", "-lm")
	dir := t.TempDir()
	library := filepath.Join(dir, "recorder.so")
	t.Setenv("CC", compiler)
	if err := recorder.Compile(t.Context(), library); err != nil {
		t.Fatal(err)
	}
	name, err := recordingFile(dir, headSize+64<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(name)
	args := []string{"20", "3"}
	cmd := exec.CommandContext(t.Context(), qemu, append([]string{"-L", system, "-E", "LD_PRELOAD=" + library, "-E", "TIERSCOPE_RECORDING=" + name,
		"-E", "TIERSCOPE_MAPS=" + name + ".maps", "-E", "TIERSCOPE_PROGRAM=" + exe, exe}, args...)...)
	defer os.Remove(name + ".maps")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, unmap, err := execution.Map(name)
	if err != nil {
		t.Fatal(err)
	}
	defer unmap()
	there, err := parseRecording(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", "")
	here, _, err := recordedRun(t, compiled(t, "cc", "exam.c", "-O2", "-pthread", "-lm"), args)
	if err != nil {
		t.Fatal(err)
	}
	counts := func(r *recording, op trace.Op) (n int) {
		for _, th := range r.threads {
			for i := range th.hits {
				if th.hits[i].op == op && (th.hits[i].end || th.hits[i].both) {
					n++
				}
			}
		}
		return n
	}
	for _, op := range []trace.Op{trace.OpThreadEnd, trace.OpJoin, trace.OpSpawn} {
		if a, b := counts(there, op), counts(here, op); a != b || a == 0 {
			t.Errorf("%d records of %v on arm64 and %d here", a, op, b)
		}
	}
}
