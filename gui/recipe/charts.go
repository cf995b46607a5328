package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tierscope/project"
)

// Charts returns the chart recipes of a project, charts/*.json, sorted by
// file. What cannot be read is in the error; the rest is returned with it.
func Charts(p *project.Project) ([]Recipe, error) {
	entries, err := os.ReadDir(p.Path("charts"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("charts: %w", err)
	}
	var charts []Recipe
	var problems []error
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		data, err := project.ReadFile(p.Path("charts", e.Name()))
		if err == nil {
			var r Recipe
			if r, err = Decode(bytes.NewReader(data)); err == nil {
				charts = append(charts, r)
				continue
			}
		}
		problems = append(problems, fmt.Errorf("charts/%s: %w", e.Name(), err))
	}
	return charts, errors.Join(problems...)
}

// SaveChart writes a recipe to a file of the project that is named after it; a
// recipe of the same name is replaced.
func SaveChart(p *project.Project, r Recipe) error {
	path := chartPath(p, r)
	if err := p.MayWrite(path); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := Encode(&b, r); err != nil {
		return err
	}
	return project.WriteFile(path, b.Bytes())
}

// RemoveChart removes the file of a recipe; a missing one is no error.
func RemoveChart(p *project.Project, r Recipe) error {
	if err := p.Writable(); err != nil {
		return err
	}
	if err := os.Remove(chartPath(p, r)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func chartPath(p *project.Project, r Recipe) string {
	return p.Path("charts", project.FileName(r.Name())+".json")
}

// Name is the title of a recipe, or what it shows: "Response time R over rate,
// by workers, log y". Recipes that differ in what they show have different
// names.
func (r Recipe) Name() string {
	if r.Title != "" {
		return r.Title
	}
	name := r.title()
	if r.By != "" {
		name += ", by " + r.By
	}
	for _, k := range slices.Sorted(maps.Keys(r.Where)) {
		name += fmt.Sprintf(", %s %g", k, r.Where[k])
	}
	if r.LogX {
		name += ", log x"
	}
	if r.LogY {
		name += ", log y"
	}
	return name
}
