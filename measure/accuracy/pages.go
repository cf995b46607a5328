package accuracy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tierscope/project"
)

// The marks of a generated part.
const (
	begin, beginEnd = "<!-- generated: ", " -->"
	end             = "<!-- end of the generated part -->"
)

// Fill writes the generated parts of a page anew. A page without one is returned as
// it is.
func (b *Book) Fill(page string) (string, error) {
	var out strings.Builder
	rest := page
	for {
		before, after, found := strings.Cut(rest, begin)
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		words, after, closed := strings.Cut(after, beginEnd)
		_, tail, ended := strings.Cut(after, end)
		if !closed || !ended {
			return "", fmt.Errorf("the generated part %q has no end; expected %q", strings.SplitN(words, "\n", 2)[0], end)
		}
		part, err := b.part(words)
		if err != nil {
			return "", err
		}
		out.WriteString(begin + words + beginEnd + "\n" + part + end)
		rest = tail
	}
}

// part makes what the words of a mark ask for.
func (b *Book) part(words string) (string, error) {
	kind, area, _ := strings.Cut(words, " ")
	switch kind {
	case "summary":
		return b.summaryTable()
	case "grades":
		return b.gradesTable(), nil
	case "intervals":
		return b.intervalsTable(), nil
	case "serving":
		return b.servingTable(), nil
	case Fresh:
		return b.freshTable(), nil
	}
	if len(b.area(area)) == 0 {
		return "", fmt.Errorf("generated part %q: no result file has area %q", words, area)
	}
	switch kind {
	case "errors", "errors+runs":
		return b.errorsTable(area, kind == "errors+runs"), nil
	case "values":
		return b.valuesTable(area), nil
	case "pivot":
		return b.pivotTable(area), nil
	case "runs":
		return b.runsTable(area), nil
	case "sizes":
		return b.sizesTable(area), nil
	}
	return "", fmt.Errorf("generated part %q; expected errors, values, pivot, sizes, runs, errors+runs, summary, grades, intervals, serving or fresh", words)
}

// Stale returns the pages of a folder whose generated parts are not what the book
// gives, with what they should be.
func (b *Book) Stale(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	stale := map[string]string{}
	var errs []error
	for _, path := range files {
		page, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		filled, err := b.Fill(string(page))
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		case filled != string(page):
			stale[path] = filled
		}
	}
	return stale, errors.Join(errs...)
}

// Update writes the pages of a folder anew and returns how many were not what the
// book gives.
func (b *Book) Update(dir string) (int, error) {
	stale, err := b.Stale(dir)
	if err != nil {
		return 0, err
	}
	for path, page := range stale {
		if err := project.WriteFile(path, []byte(page)); err != nil {
			return 0, err
		}
	}
	return len(stale), nil
}
