package accuracy

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"

	"tierscope/core"
)

// Format is that of a result file.
var Format = core.Format{Name: "tierscope-accuracy", Version: 1}

// Result is what is known of one subject. All of its rows come from one set of
// measurements.
type Result struct {
	Subject string `json:"subject"` // also the name of the file
	Title   string `json:"title"`
	Area    string `json:"area"` // table in which it is shown

	Grade   *string `json:"grade"` // A to D, of the trust report of the model
	Machine *string `json:"machine"`
	Load    *string `json:"load"` // what else ran
	Commit  *string `json:"commit"`
	Command *string `json:"command"` // that measured
	Date    *string `json:"date"`    // YYYY-MM-DD
	Repeats *int    `json:"repeats"` // measured runs per configuration
	// Analysed is the configuration of the analysis, written as those of the rows; "": not known.
	Analysed string `json:"analysed,omitempty"`

	Size *Size `json:"size,omitempty"` // of the model; nil: not known
	Rows []Row `json:"rows"`
}

// Size is what leaving out insignificant code fragments made of a model, and what the
// model costs.
type Size struct {
	Seen      int      `json:"fragments_seen"` // code fragments of the trace
	SeenEdges int      `json:"edges_seen"`
	Fragments int      `json:"fragments"` // of the reduced graphs
	Edges     int      `json:"edges"`
	Metric    string   `json:"metric"` // that is compared with the whole model's: T or R
	Change    *float64 `json:"change"` // of it, relative; nil: the whole model comes to a halt
	Half      float64  `json:"half_width"`
	SpeedUp   float64  `json:"speed_up"`  // simulated time over the time of the simulation
	Overhead  *float64 `json:"overhead"`  // CPU time of the recorded over that of plain runs − 1; nil: not measured
	Explained float64  `json:"explained"` // share of the CPU time that is in the model
}

// Row is one quantity in one configuration, or its mean error over several.
type Row struct {
	Quantity      string `json:"quantity"` // T, R, X, U, or words
	Unit          string `json:"unit"`     // SI; "1": a share, shown in per cent; "points": a difference of shares; "number": a pure number
	Configuration string `json:"configuration"`
	Predicted     *Value `json:"predicted"`
	Measured      *Value `json:"measured"`
	// Error is (predicted − measured) / measured, of utilizations predicted −
	// measured; where Of is not 0 the mean of its absolute values.
	Error *float64 `json:"error"`
	// EqualCPU is the error after the measured time is scaled to the CPU time of
	// the model: without the speed of the machine.
	EqualCPU  *float64 `json:"error_at_equal_cpu,omitempty"`
	Of        int      `json:"of,omitempty"`        // configurations that the error is the mean of; 0: one
	Saturated bool     `json:"saturated,omitempty"` // measured throughput is below what was offered
	Flagged   bool     `json:"flagged,omitempty"`   // others took CPU time from a measured run
	Paper     string   `json:"paper,omitempty"`     // what the papers reached
	Goal      string   `json:"goal,omitempty"`
}

// Value is a number with its confidence interval, if that is known.
type Value struct {
	Mean float64  `json:"mean"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// rounding is by how much an error may differ from that of the values beside it,
// as part of their ratio: files may hold values with three digits.
const rounding = 0.012

var (
	dates  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	names  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	grades = []string{"A", "B", "C", "D"}
)

// Check reports every defect of a result.
func (r *Result) Check() error {
	var errs []error
	defect := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !names.MatchString(r.Subject) {
		defect("subject %q; expected small letters, digits and single hyphens", r.Subject)
	}
	if r.Title == "" || r.Area == "" || len(r.Rows) == 0 {
		defect("title %q, area %q and %d rows; expected all of them", r.Title, r.Area, len(r.Rows))
	}
	if r.Grade != nil && !slices.Contains(grades, *r.Grade) {
		defect("grade %q; expected one of %q, or null", *r.Grade, grades)
	}
	if r.Date != nil && !dates.MatchString(*r.Date) {
		defect("date %q; expected YYYY-MM-DD, or null", *r.Date)
	}
	for i, row := range r.Rows {
		if err := row.check(); err != nil {
			defect("row %d (%s, %s): %w", i+1, row.Quantity, row.Configuration, err)
		}
	}
	return errors.Join(errs...)
}

func (r Row) check() error {
	if r.Quantity == "" || r.Unit == "" || r.Configuration == "" {
		return errors.New("quantity, unit and configuration are needed")
	}
	if r.Predicted == nil && r.Measured == nil && r.Error == nil {
		return errors.New("neither values nor an error")
	}
	for _, v := range []*Value{r.Predicted, r.Measured} {
		if v != nil && ((v.Low == nil) != (v.High == nil) || v.Low != nil && *v.Low > *v.High) {
			return errors.New("an interval needs both ends, the lower one first")
		}
	}
	if r.Of > 0 && (r.Error == nil || *r.Error < 0) {
		return fmt.Errorf("a mean over %d configurations needs an |ε|", r.Of)
	}
	if r.Of == 0 && r.Error != nil && r.Predicted != nil && r.Measured != nil {
		if e, ratio := r.of(), r.ratio(); math.Abs(e-*r.Error) > rounding*ratio {
			return fmt.Errorf("the error is %.4g, that of the values beside it %.4g", *r.Error, e)
		}
	}
	return nil
}

// inPoints reports whether errors are differences: a utilization is a share already.
func (r Row) inPoints() bool { return r.Unit == "points" || r.Quantity[0] == 'U' && r.Unit == "1" }

// of is the error of the row's values.
func (r Row) of() float64 {
	if r.inPoints() {
		return r.Predicted.Mean - r.Measured.Mean
	}
	return r.Predicted.Mean/r.Measured.Mean - 1
}

// ratio is what roundings of both values multiply.
func (r Row) ratio() float64 {
	if r.inPoints() {
		return 1
	}
	return math.Abs(r.Predicted.Mean / r.Measured.Mean)
}
