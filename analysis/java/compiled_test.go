package java

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tierscope/analysis/java/agent"
)

// cacheDir is where tests keep the compiled agent: a folder of this user, whoever else tests on this machine.
var cacheDir = filepath.Join(os.TempDir(), "tierscope-test-"+strconv.Itoa(os.Getuid()))

// HotSpot compiles a method with monitors only if every one is left on every way
// out, by exceptions of the calls in it, too (JVMS §2.11.10, structured locking).
// Probes are calls: with one at the wrong place the method is interpreted for ever,
// at ten times the CPU time. The JVM says what it compiles.
func TestMethodsWithProbesAreCompiled(t *testing.T) {
	t.Parallel()
	plain := compiled(t, filepath.Join("testdata", "compiled", "Hot.java"))
	probed := t.TempDir()
	written(t, probed, worldOf(t, plain).instrument(nil).classes)
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Fatal(err)
	}
	jar, err := agent.Jar(t.Context(), javac, cacheDir)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing is recorded: the probes are there and return at once. Every call is a call.
	out, err := exec.Command("java", "-Xbatch", "-XX:+PrintCompilation", "-XX:-Inline", "-Xbootclasspath/a:"+jar, "-cp", probed, "Hot").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	best := regexp.MustCompile(`(?m)^ *\d+ +\d+ +[ bsn%!]* 4 +Hot::(\w+)`) // time, number, flags, level 4: C2
	found := map[string]bool{}
	for _, m := range best.FindAllSubmatch(out, -1) {
		found[string(m[1])] = true
	}
	for _, method := range []string{"block", "nested", "method", "shared"} {
		if !found[method] {
			t.Errorf("%s is not compiled by C2", method)
		}
	}
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, "Hot::") && strings.Contains(line, "SKIPPED") {
			t.Error(line)
		}
	}
}
