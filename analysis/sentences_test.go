package analysis

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// docs/paper-sentences.md says which test checks which sentence of the paper.
func TestEverySentenceNamesATestThatExists(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../docs/paper-sentences.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "../cmd/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				exists[string(m[1])] = true
			}
		}
	}
	rows := regexp.MustCompile(`(?m)^\| 4\.\d.*\| (\w+) \|$`).FindAllSubmatch(table, -1)
	if len(rows) < 20 {
		t.Errorf("%d sentences in the table, there were more", len(rows))
	}
	for _, m := range rows {
		if !exists[string(m[1])] {
			t.Errorf("there is no test %s", m[1])
		}
	}
}
