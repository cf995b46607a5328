package java

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var named = regexp.MustCompile(`// NAME (\S+)`)

// Classes that are compiled with -g say what local variables are called, those of lambdas too; a lock for reading is called
// like the lock of which it is a side.
func TestLocksAndQueuesAreCalledLikeTheirVariables(t *testing.T) {
	t.Parallel()
	source := filepath.Join("testdata", "named", "Named.java")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	_, in := traced(t, "-cp", compiled(t, source), "Named")
	names := map[int]map[string]bool{} // by line
	for _, p := range in.probes[1:] {
		if strings.HasPrefix(p.frame.Function, "Named.") && p.text != "" {
			if names[p.frame.Line] == nil {
				names[p.frame.Line] = map[string]bool{}
			}
			names[p.frame.Line][p.text] = true
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if want := named.FindStringSubmatch(line); want != nil && (len(names[i+1]) != 1 || !names[i+1][want[1]]) {
			t.Errorf("%s: called %v", strings.TrimSpace(line), names[i+1])
		}
	}
}
