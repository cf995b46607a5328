package cmd_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tree of docs/ARCHITECTURE.md has every package of the module, and nothing else.
func TestTheTreeOfTheArchitectureIsThatOfThePackages(t *testing.T) {
	t.Parallel()
	told := treeOf(t, readFile(t, "../docs/ARCHITECTURE.md"))
	var there []string
	for _, p := range listPackages(t, []string{"GOFLAGS=-buildvcs=false"}, "-tags", "x11,migrated_fynedo", "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if !matches("testdata/...", name) {
			there = append(there, name)
		}
	}
	for _, name := range there {
		if !slices.Contains(told, name) {
			t.Errorf("package %s is not in the tree of docs/ARCHITECTURE.md", name)
		}
	}
	for _, name := range told {
		if len(glob(t, "../"+name+"/*.go")) == 0 { // the probes are no package of this module until they are copied
			t.Errorf("docs/ARCHITECTURE.md has a package %s, which does not exist", name)
		}
	}
}

// entry is a line of the tree: an indentation of two spaces for each level, folders
// that end in a slash, and what they are for after two spaces or more.
var entry = regexp.MustCompile(`^((?:  )*)((?:[a-z0-9]+/ ?)+)(?:  +\S.*)?$`)

// treeOf reads the block that begins with "core/". A line may have several folders of
// one level.
func treeOf(t *testing.T, page string) []string {
	t.Helper()
	_, tree, found := strings.Cut(page, "```\ncore/")
	tree, _, closed := strings.Cut(tree, "```")
	if !found || !closed {
		t.Fatal("docs/ARCHITECTURE.md has no block that begins with core/")
	}
	var out, levels []string
	for _, line := range strings.Split(strings.TrimRight("core/"+tree, "\n"), "\n") {
		m := entry.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("docs/ARCHITECTURE.md: %q; expected folders such as \"  golang/\", two spaces, what they are for", line)
			continue
		}
		depth := len(m[1]) / 2
		if depth > len(levels) {
			t.Errorf("docs/ARCHITECTURE.md: %q is indented by more than one level", line)
			continue
		}
		for _, folder := range strings.Fields(m[2]) {
			levels = append(levels[:depth:depth], strings.TrimSuffix(folder, "/"))
			out = append(out, path.Join(levels...))
		}
	}
	return out
}
