package accuracy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/project"
)

// SummaryFormat is that of summary.json.
var SummaryFormat = core.Format{Name: "tierscope-accuracy-summary", Version: 1}

// summaryFile has the measures of the first table.
const summaryFile = "summary.json"

// Summary says what the first table compares.
type Summary struct {
	Measures []Measure `json:"measures"`
}

// Measure is a line of the first table.
type Measure struct {
	What      string   `json:"what"`
	Page      string   `json:"page"` // that has the details
	Area      string   `json:"area"`
	Subjects  []string `json:"subjects,omitempty"` // none: all of the area
	Quantity  string   `json:"quantity"`
	Figure    Figure   `json:"figure"`
	Saturated *bool    `json:"saturated,omitempty"` // only configurations that are, or are not
	Paper     string   `json:"paper"`               // "" where the papers have none
	Goal      string   `json:"goal"`
}

// Figure is what of the rows of a measure is shown.
type Figure string

// Figures. The mean is over subjects of the mean over their configurations.
const (
	MeanError  Figure = "mean error"
	EqualCPU   Figure = "mean error at equal CPU time"
	WorstError Figure = "largest error"
	Measured   Figure = "measured" // mean of the measured values
	Overhead   Figure = "overhead" // of the recording: of sizes, whatever the quantity
)

// Book is all result files of a folder.
type Book struct {
	Results []Result // by area and subject
	Summary Summary
}

// Read reads the result files of a folder and its summary.json. It reports every
// file that cannot be read, and measures without a row.
func Read(dir string) (*Book, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	b := &Book{}
	var errs []error
	for _, path := range files {
		if filepath.Base(path) == summaryFile {
			continue
		}
		var r Result
		err := project.Load(path, Format, &r)
		if err == nil {
			err = r.Check()
		}
		if want := strings.TrimSuffix(filepath.Base(path), ".json"); err == nil && r.Subject != want {
			err = fmt.Errorf("subject %q; expected %q, as the file is named", r.Subject, want)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
			continue
		}
		b.Results = append(b.Results, r)
	}
	if err := project.Load(filepath.Join(dir, summaryFile), SummaryFormat, &b.Summary); err != nil && !errors.Is(err, os.ErrNotExist) {
		errs = append(errs, fmt.Errorf("%s: %w", summaryFile, err))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	slices.SortStableFunc(b.Results, func(x, y Result) int {
		return strings.Compare(x.Area+" "+x.Subject, y.Area+" "+y.Subject)
	})
	return b, nil
}

// area returns the results of an area.
func (b *Book) area(name string) []Result {
	var out []Result
	for _, r := range b.Results {
		if r.Area == name {
			out = append(out, r)
		}
	}
	return out
}
