package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```[^\n]*$")
	code    = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
)

// listed returns the files of the repository that a pattern matches. Git lists them: a test that opens every folder is run again
// whenever another one has made a file in one.
func listed(t *testing.T, pattern string) (paths []string) {
	t.Helper()
	list, err := exec.Command("git", "-C", "..", "ls-files", "--cached", "--others", "--exclude-standard", pattern).Output()
	if err != nil {
		t.Skipf("no repository to list the files of: %v", err)
	}
	for _, path := range strings.Fields(string(list)) {
		path = filepath.Join("..", path)
		if _, err := os.Stat(path); err == nil { // else removed, but not yet from the index
			paths = append(paths, path)
		}
	}
	return paths
}

// Every relative link of every Markdown file leads to a file that is there, and to a
// heading of it if it names one.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, path := range listed(t, "*.md") {
		for _, m := range link.FindAllStringSubmatch(prose(readFile(t, path)), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			seen++
			file, anchor, _ := strings.Cut(m[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads to nothing: %v", path, m[1], err)
				continue
			}
			if anchor != "" && !anchors(readFile(t, to))[anchor] {
				t.Errorf("%s: %s has no heading for #%s", path, to, anchor)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d links were found; the pages have more", seen)
	}
}

// Paths of this repository that a page names as code are there: `simulation/turn.go`,
// `gui/page`, `analysis/diskio/testdata/logs`.
func TestPathsInDocsExist(t *testing.T) {
	t.Parallel()
	path := regexp.MustCompile("`((?:analysis|assets|cmd|core|docs|gui|measure|project|simulation|testdata|tools)/[A-Za-z0-9_./*-]*)`")
	seen := 0
	for _, page := range glob(t, "../README.md", "../docs/*.md", "../docs/decisions/*.md") {
		for _, m := range path.FindAllStringSubmatch(fence.ReplaceAllString(readFile(t, page), ""), -1) {
			seen++
			if len(glob(t, filepath.Join("..", m[1]))) == 0 {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d paths were found; the pages have more", seen)
	}
}

// prose is a page without what is code.
func prose(page string) string {
	return code.ReplaceAllString(fence.ReplaceAllString(page, ""), "")
}

// anchors are those that GitHub makes of headings: small letters, digits, hyphens for
// spaces, nothing else; what is there twice gets -1.
func anchors(page string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1])
		if out[name] {
			name += "-1"
		}
		out[name] = true
	}
	return out
}

// The headings and their anchors, as GitHub shows them.
func TestAnchorsAreThoseOfHeadings(t *testing.T) {
	t.Parallel()
	got := anchors("# One & two\n\n```\n# no heading\n```\n## `code`, and ε\n## One & two\n")
	for _, want := range []string{"one--two", "code-and-ε", "one--two-1"} {
		if !got[want] {
			t.Errorf("no anchor %q in %v", want, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d anchors, want 3: %v", len(got), got)
	}
}
