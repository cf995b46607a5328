package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// A number in a file of settings is called as the file calls it, with what it is in; numbers in lists, texts and sizes have no name
// or are none.
func TestFilesOfSettingsSayNumbers(t *testing.T) {
	t.Parallel()
	for extension, text := range map[string]string{
		".json":       `{"workers": 3, "name": "x", "cache": {"size": 200, "ttl": "5s"}, "ports": [80, {"n": 4}], "rate": 2.5, "on": true}`,
		".properties": "# workers=9\nworkers=3\nname = x\ncache.size : 200\n rate=2.5\n",
		".yaml":       "workers: 3 # of them\nname: x\ncache:\n  ttl: 5s\n  size: 200\nports:\n  - 80\n  - n: 4\nrate: 2.5\n",
		".toml":       "workers = 3\nrate = 2.5\n[cache]\nttl = \"5s\"\nsize = 200\n",
	} {
		var got []string
		for _, n := range numbersIn(text, extension) {
			got = append(got, fmt.Sprintf("%s=%g", n.key, n.value))
			if is := text[n.from:n.to]; number(is) != n.value {
				t.Errorf("%s: %s is said to stand where %q is", extension, n.key, is)
			}
		}
		want := map[bool]string{false: "workers=3 cache.size=200 rate=2.5", true: "workers=3 rate=2.5 cache.size=200"}[extension == ".toml"]
		if is := strings.Join(got, " "); is != want {
			t.Errorf("%s says %q, want %q", extension, is, want)
		}
	}
}

// -config=app.json, and app.json as a word: both name a file. What is no file of settings, or no file, says nothing.
func TestArgumentsNameFilesOfSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "app.json"), []byte(`{"workers": 3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := Files(trace.Workload{Dir: dir, Args: []string{"-v", "-config=app.json", filepath.Join(dir, "app.json"), "none.json", "app.txt"}})
	if len(got) != 2 || got["argument 2 file workers"] != 3 || got["argument 3 file workers"] != 3 {
		t.Errorf("the arguments say %v", got)
	}
}
