package cmd_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tierscope/measure/accuracy"
)

var update = flag.Bool("update", false, "write the generated parts of docs anew")

// The tables of docs are what the files of testdata/accuracy give.
func TestGeneratedPartsOfDocsAreWhatTheResultFilesGive(t *testing.T) {
	t.Parallel()
	book, err := accuracy.Read("../testdata/accuracy")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if _, err := book.Update("../docs"); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := book.Stale("../docs")
	if err != nil {
		t.Fatal(err)
	}
	for path := range stale {
		t.Errorf("%s is not what testdata/accuracy gives: tierctl accuracy pages testdata/accuracy docs", path)
	}
}

// docsBudget is what a newcomer may be asked to read, pictures included.
const docsBudget = 120_000 // B

func TestTheDocumentationIsShort(t *testing.T) {
	t.Parallel()
	size := int64(0)
	err := filepath.WalkDir("../docs", func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > docsBudget {
		t.Errorf("docs has %d bytes, more than %d: say what is, and leave history to git", size, docsBudget)
	}
}

// Clock times belong to a diary, not to pages that say what is.
func TestDocsHaveNoClockTimes(t *testing.T) {
	t.Parallel()
	clock := regexp.MustCompile(`\b([01]?\d|2[0-3]):[0-5]\d\b`)
	for _, path := range glob(t, "../docs/*.md", "../docs/decisions/*.md") {
		for i, line := range strings.Split(readFile(t, path), "\n") {
			if m := clock.FindString(line); m != "" {
				t.Errorf("%s:%d: clock time %s", path, i+1, m)
			}
		}
	}
}

// A decision is found by its number: that of its file is that of its title, and
// nobody else's.
func TestDecisionsHaveNumbersOfTheirOwn(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)
	byNumber := map[string]string{}
	for _, path := range glob(t, "../docs/decisions/*.md") {
		m := number.FindStringSubmatch(filepath.Base(path))
		if m == nil {
			t.Errorf("%s: expected a name such as 0001-what-was-decided.md", path)
			continue
		}
		if other := byNumber[m[1]]; other != "" {
			t.Errorf("%s has the number of %s", path, other)
		}
		byNumber[m[1]] = path
		if title := "# " + strings.TrimLeft(m[1], "0") + ". "; !strings.HasPrefix(readFile(t, path), title) {
			t.Errorf("%s does not begin with %q", path, title)
		}
	}
	if len(byNumber) == 0 {
		t.Error("no decisions were found")
	}
}

// The glossary is sorted, whatever the case, and has every word once.
func TestTheGlossaryIsSorted(t *testing.T) {
	t.Parallel()
	order := func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) }
	var words []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+?) \|`).FindAllStringSubmatch(readFile(t, "../docs/glossary.md"), -1) {
		words = append(words, m[1])
	}
	if len(words) < 50 || words[0] != "Word" {
		t.Fatalf("%d lines of a table that begins with %q; expected the glossary", len(words), words[:min(1, len(words))])
	}
	words = words[1:]
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, order)
	for i, w := range words {
		if w != sorted[i] {
			t.Errorf("line %d is %q; sorted it would be %q", i+1, w, sorted[i])
			break
		}
		if i > 0 && order(words[i-1], w) == 0 {
			t.Errorf("%q is there twice", w)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func glob(t *testing.T, patterns ...string) []string {
	t.Helper()
	var out []string
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	return out
}
