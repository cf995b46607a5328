package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tierscope/measure/table"
	"tierscope/project"
)

// Open returns the inputs that were captured below a project; none if there are none.
func Open(dir string) ([]Captured, error) {
	folders, err := filepath.Glob(filepath.Join(dir, folder, "*"+project.Extension))
	if err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	var out []Captured
	for _, name := range folders {
		c := Captured{}
		if c.Input, err = parse(strings.TrimSuffix(filepath.Base(name), project.Extension)); err != nil {
			return nil, err
		}
		switch c.Model, err = project.LoadModel(name); {
		case errors.Is(err, fs.ErrNotExist):
			continue // it was only measured, or its capture was cut off
		case err != nil:
			return nil, fmt.Errorf("inputs: %w", err)
		}
		if c.Times, c.Disturbed, err = measured(filepath.Join(name, "measured", "measured.csv")); err != nil {
			return nil, err
		}
		if c.Starts, _, err = measured(startsFile(dir)); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// parse reads what Text writes.
func parse(text string) (map[string]float64, error) {
	input := map[string]float64{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !ok {
			return nil, fmt.Errorf("inputs: folder %q: want NAME=VALUE,…", text)
		}
		input[name] = v
	}
	return input, nil
}

// measured are the times of the runs of a table, and how many were disturbed; none if there is no table.
func measured(path string) (all []float64, disturbed int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("inputs: %w", err)
	}
	defer file.Close()
	t, err := table.Read(file, nil, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("inputs: %s: %w", path, err)
	}
	all, disturbed = times(t)
	return all, disturbed, nil
}
