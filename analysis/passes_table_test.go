package analysis

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tierscope/analysis/trail"
)

var updateTable = flag.Bool("update-table", false, "write the table of passes into doc.go")

// table returns the passes as a doc comment shows them.
func table() string {
	list := func(fs []trail.Facet) string {
		var words []string
		for _, f := range fs {
			words = append(words, string(f))
		}
		return strings.Join(words, ", ")
	}
	var b strings.Builder
	for _, p := range Passes() {
		fmt.Fprintf(&b, "//\t%-19s %s\n//\t%-19s   makes %s", p.Name, p.Does, "", list(p.Makes))
		if len(p.Needs) > 0 {
			fmt.Fprintf(&b, " of %s", list(p.Needs))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The table of passes that "go doc" prints is that of the list.
func TestTheTableOfPassesIsInTheDocumentation(t *testing.T) {
	const begin, end = "// The passes in their order:\n//\n", "//\n// All changes are made"
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(text, []byte(begin))
	_, tail, found := bytes.Cut(rest, []byte(end))
	if !ok || !found {
		t.Fatalf("doc.go lacks %q or %q", begin, end)
	}
	want := string(head) + begin + table() + end + string(tail)
	if want == string(text) {
		return
	}
	if !*updateTable {
		t.Fatal("the table of passes in doc.go is not that of Passes: go test ./analysis -run TheTableOfPasses -update-table")
	}
	if err := os.WriteFile("doc.go", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
