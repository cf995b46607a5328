package cmd_test

import (
	"regexp"
	"strings"
	"testing"
)

// docs/paper-sentences.md says which test checks which sentence of the papers. A row
// is | § | sentence | TestName |; the section begins with a digit or S.
func TestEverySentenceNamesATestThatExists(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	for _, path := range listed(t, "*_test.go") {
		for _, m := range declaration.FindAllStringSubmatch(readFile(t, path), -1) {
			exists[m[1]] = true
		}
	}
	sections := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d[\d.]*|S\d) \| (.+) \| ([^|]+) \|$`).FindAllStringSubmatch(readFile(t, "../docs/paper-sentences.md"), -1) {
		sections[m[1]]++
		for _, name := range strings.Split(m[3], ", ") {
			if !exists[strings.Trim(name, "`")] {
				t.Errorf("§%s %q: there is no test %s", m[1], m[2], name)
			}
		}
	}
	for section, least := range map[string]int{"4.1": 6, "4.2": 5, "4.3": 5, "4.3.1": 10, "4.3.2": 12, "4.4": 2, "S1": 1, "S2": 1, "S3": 1, "S4": 1} {
		if sections[section] < least {
			t.Errorf("§%s has %d sentences in docs/paper-sentences.md, want at least %d", section, sections[section], least)
		}
	}
}
