package golang

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tierscope/analysis/golang/goroot"
)

func root(t *testing.T) string {
	t.Helper()
	toolchain, err := goroot.Find(t.Context(), ".", os.Environ(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return toolchain.Root
}

// The edits fit the sources of this Go release, each exactly once, and leave
// Go that parses. Lines keep their numbers, so that stacks read as ever.
func TestEditsFitTheReleaseAndKeepLineNumbers(t *testing.T) {
	t.Parallel()
	root := root(t)
	files, err := go126().apply(os.DirFS(filepath.Join(root, "src")))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".s") {
			continue
		}
		fset := token.NewFileSet()
		if _, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
		before, err := os.ReadFile(filepath.Join(root, "src", name))
		if err != nil {
			continue // added
		}
		old, now := strings.Split(string(before), "\n"), strings.Split(string(files[name]), "\n")
		decl := regexp.MustCompile(`^func (\([^)]*\) )?(\w+)`)
		for i, l := range old {
			if f := decl.FindStringSubmatch(l); f != nil && !strings.Contains(now[i], f[2]) {
				t.Errorf("%s: function %s moved from line %d", name, f[2], i+1)
			}
		}
	}
}

// Sources that do not fit are refused, with file and anchor, and nothing is
// written.
func TestAnAnchorThatIsNotThereExactlyOnceIsRefused(t *testing.T) {
	t.Parallel()
	src := func(body string) fstest.MapFS {
		return fstest.MapFS{"runtime/a.go": {Data: []byte("package runtime\n\nfunc f(a int, _ ...string) (n int, err error) {\n" + body + "}\n")}}
	}
	edits := release{inserts: []insert{{File: "runtime/a.go", Func: "f", Anchor: "\tx()\n", Text: "\ty()\n"}}}
	for _, x := range []struct {
		body, want string
	}{
		{"\tx()\n", ""},
		{"", `anchor "\tx()\n" found 0 times, want 1`},
		{"\tx()\n\tx()\n", `found 2 times, want 1`},
	} {
		_, err := edits.apply(src(x.body))
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("body %q: error %v, want %q", x.body, err, x.want)
		}
	}
	if _, err := (release{wraps: []wrap{{File: "runtime/a.go", Func: "g"}}}).apply(src("")); err == nil || !strings.Contains(err.Error(), "0 functions g") {
		t.Errorf("a function that is not there: error %v", err)
	}
}

// A wrapper passes on variadic and unnamed parameters and all results.
func TestAWrapperHasTheSignatureOfWhatItWraps(t *testing.T) {
	t.Parallel()
	src := fstest.MapFS{"os/a.go": {Data: []byte("package os\n\nfunc f(a int, _ string, b ...byte) (n int, err error) {\n\treturn\n}\n")}}
	out, err := release{wraps: []wrap{{File: "os/a.go", Func: "f", Op: "7", Arg: "uint64(a)", Result: "uint64(r0)"}}}.apply(src)
	if err != nil {
		t.Fatal(err)
	}
	want := "func f(a int, unnamed1_0 string, b ...byte) (r0 int, r1 error) {\n" +
		"\truntime.TierscopeEnter(7, 0, uint64(a))\n" +
		"\tr0, r1 = tierscopeOrig_f(a, unnamed1_0, b...)\n" +
		"\truntime.TierscopeLeave(7, 0, uint64(r0))\n\treturn\n}\n"
	if got := string(out["os/a.go"]); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
}

func TestAnUnknownGoReleaseIsRefusedWithTheRemedy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Overlay(root(t), "go1.99.1", dir)
	if err == nil || !strings.Contains(err.Error(), "go1.99.1") || !strings.Contains(err.Error(), "GOTOOLCHAIN=") {
		t.Errorf("error %v, want one that names the release and GOTOOLCHAIN", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files were written all the same", len(left))
	}
}

// Writing the overlay again touches no file: the go command's cache stays valid.
func TestTheOverlayIsWrittenOnce(t *testing.T) {
	t.Parallel()
	root, dir := root(t), t.TempDir()
	a, err := Overlay(root, "go1.26.8", dir)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Overlay(root, "go1.26.8", dir)
	if err != nil || a != b {
		t.Fatalf("%s, then %s, %v", a, b, err)
	}
	after, err := os.Stat(b)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the overlay was written again (%v)", err)
	}
}
