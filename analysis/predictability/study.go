package predictability

import (
	"fmt"
	"iter"
	"math"

	"tierscope/analysis/loops"
	"tierscope/core"
)

// Format is the format of a study, predictability.json in a project.
var Format = core.Format{Name: "tierscope-predictability", Version: 1}

// File is the name of the study in a project folder.
const File = "predictability.json"

// Runtime is what runs the program.
type Runtime string

// Runtimes.
const (
	Java Runtime = "java"
	Go   Runtime = "go"
)

// Study is what is known of the predictability of a program.
type Study struct {
	Program string   `json:"program"`
	Runtime Runtime  `json:"runtime"`
	Command []string `json:"command"` // {n} stands for the size
	Env     []string `json:"environment,omitempty"`
	// Parameter is the parameter of the project's model that is the problem
	// size, and Recorded the size at which the model was recorded if there is no
	// such parameter; for warnings about scenarios.
	Parameter string  `json:"parameter,omitempty"`
	Recorded  float64 `json:"recorded_size,omitempty"`
	Ample     int64   `json:"ample_heap_bytes"`
	Slowdown  float64 `json:"slowdown"` // from which a heap counts as too small

	StartUp StartUp      `json:"start_up"`
	Points  []Point      `json:"points"`
	PoP     *PoP         `json:"pop,omitempty"` // nil: nothing is compiled while the program runs
	Order   loops.Order  `json:"order"`
	OrderBy string       `json:"order_by"` // who says so: "loop counts", "the user", "calibration"
	Loops   []loops.Loop `json:"loops,omitempty"`
	// Cost is the CPU time in s of the program and its collector in an ample
	// heap, and Fixed what start-up and compilation add, for every size above the
	// PoP.
	Cost  Cost    `json:"cost"`
	Fixed float64 `json:"fixed_cpu_s"`

	Live    []Footprint `json:"live,omitempty"`
	Base    Cost        `json:"base_footprint"` // bytes
	Tight   []Point     `json:"tight,omitempty"`
	Surface *Surface    `json:"surface,omitempty"`
	// Thresholds say where the PoU is; nil: too few sizes reached it.
	Thresholds *Thresholds `json:"thresholds,omitempty"`
	PoU        []PoU       `json:"pou,omitempty"`

	Warnings []string `json:"warnings,omitempty"`
}

// Point is what runs of one size in one heap showed: the one with the median CPU
// time for calibrations and checks, otherwise the one with the least, which other
// work disturbed least. Times are CPU times in seconds except Wall.
type Point struct {
	Size     int     `json:"size"`
	Heap     int64   `json:"heap_bytes"` // the limit
	Runs     int     `json:"runs"`
	CPU      float64 `json:"cpu_s"` // all threads
	Least    float64 `json:"least_cpu_s,omitempty"`
	Most     float64 `json:"most_cpu_s"`
	Wall     float64 `json:"wall_s"`
	Compile  float64 `json:"compile_s"`          // of the compiler's threads
	Collect  float64 `json:"collect_s"`          // of the collector's threads
	Compiled int     `json:"compiled,omitempty"` // methods compiled or inlined
	// Collections is the number of collections of a Go program.
	Collections int     `json:"collections,omitempty"`
	Peak        int64   `json:"peak_heap_bytes,omitempty"`
	Share       float64 `json:"compile_share"`      // of compile and program, less start-up
	Slowdown    float64 `json:"slowdown,omitempty"` // against the ample heap
	Role        Role    `json:"role"`
}

// Role is what a point was measured for.
type Role string

// Roles.
const (
	Search      Role = "search"      // for the PoP
	Calibration Role = "calibration" // of the cost
	Check       Role = "check"       // of the prediction, never used for it
	TightHeap   Role = "heap"        // for the slow-down in small heaps
)

// StartUp is the CPU time, in seconds, of a runtime that runs nothing.
type StartUp struct {
	CPU     float64 `json:"cpu_s"`
	Compile float64 `json:"compile_s"`
}

// PoP is the point of predictability: the problem size from which on compilation
// takes less than the threshold.
type PoP struct {
	Size      float64 `json:"size"`
	Lower     float64 `json:"lower"` // the next smaller size tried was not predictable
	Threshold float64 `json:"threshold"`
	Deviation float64 `json:"deviation"` // of the compiled methods over the plateau
}

// Footprint is the most live data after full collections, the base footprint of
// the paper.
type Footprint struct {
	Size    int   `json:"size"`
	Live    int64 `json:"live_bytes"`
	Reserve int64 `json:"reserve_bytes,omitempty"` // that the limit covers and the heap cannot use
}

// PoU is the point of unpredictability for a heap.
type PoU struct {
	Heap  int64   `json:"heap_bytes"`
	Size  float64 `json:"size"`
	Lower float64 `json:"lower"` // by the error with which the largest sizes are predicted
	Upper float64 `json:"upper"`
	// Measured, if it was: runs slow down between these sizes. 0: not seen from
	// that side.
	MeasuredLower float64 `json:"measured_lower,omitempty"`
	MeasuredUpper float64 `json:"measured_upper,omitempty"`
	// Exhausted is the size whose live data fill the heap (MaxMem of the paper).
	Exhausted float64 `json:"exhausted"`
}

// At predicts the cost of a size in an ample heap, in seconds of CPU time.
func (s *Study) At(n float64) float64 { return s.Fixed + s.Cost.At(n) }

// limit returns the PoU for a heap, nil if there is none. heap 0: the first
// that the study is about.
func (s *Study) limit(heap int64) *PoU {
	for i := range s.PoU {
		if p := &s.PoU[i]; heap == 0 || p.Heap == heap {
			return p
		}
	}
	if heap > 0 && s.Surface != nil {
		return s.PoUOf(heap)
	}
	return nil
}

// Outside says why the time of a size cannot be predicted, "" if it can. heap
// 0: the first that the study is about.
func (s *Study) Outside(n float64, heap int64) string {
	if s.PoP != nil && n < s.PoP.Size {
		return fmt.Sprintf("size %.6g is below the point of predictability %.4g: compilation takes more than %.0f %% of the CPU time", n, s.PoP.Size, 100*s.PoP.Threshold)
	}
	p := s.limit(heap)
	if p == nil || n <= p.Size {
		return ""
	}
	why := fmt.Sprintf("size %.6g is above the point of unpredictability %.4g of a heap of %s: collection slows the program down by a factor of more than %.3g",
		n, p.Size, Megabytes(p.Heap), s.Slowdown)
	if p.Exhausted > 0 && n > p.Exhausted {
		why = fmt.Sprintf("size %.6g is beyond what fits a heap of %s at all, %.4g (MaxMem): the program runs out of memory", n, Megabytes(p.Heap), p.Exhausted)
	}
	if h := s.HeapFor(n); h > 0 {
		why += fmt.Sprintf("; with live data of about %s it needs a heap of about %s", Megabytes(int64(s.Base.At(n))), Megabytes(h))
	}
	return why
}

// HeapFor returns the least heap in bytes whose point of unpredictability is no
// smaller than a size, rounded up to a megabyte; 0 if heaps were not studied.
func (s *Study) HeapFor(n float64) int64 {
	const mega = 1 << 20
	if s.Base.Order == "" {
		return 0
	}
	high := int64(mega)
	for ; ; high *= 2 {
		p := s.PoUOf(high)
		if p == nil || high > mostBytes {
			return 0
		}
		if p.Size >= n {
			break
		}
	}
	low := high / 2
	for high-low > mega {
		if m := low + (high-low)/2; s.PoUOf(m).Size >= n {
			high = m
		} else {
			low = m
		}
	}
	return (high + mega - 1) / mega * mega
}

// mostBytes is more memory than any machine has.
const mostBytes = 1 << 50

// OutsideOf says why the time of a configuration of a model cannot be predicted,
// "" if it can or if the study does not know the size.
func (s *Study) OutsideOf(m *core.Model, settings map[string]float64) string {
	n := s.Recorded
	if p, ok := m.Parameter(s.Parameter); ok {
		n = p.Default
		if v, ok := settings[s.Parameter]; ok {
			n = v
		}
	}
	if n == 0 {
		return ""
	}
	return s.Outside(n, 0)
}

// OutsideAmong says how many of several configurations of a model cannot be
// predicted, and why the first cannot; "" if all can.
func (s *Study) OutsideAmong(m *core.Model, settings iter.Seq[map[string]float64]) string {
	n, all, first := 0, 0, ""
	for c := range settings {
		all++
		if why := s.OutsideOf(m, c); why != "" {
			if n++; n == 1 {
				first = why
			}
		}
	}
	switch {
	case n == 0:
		return ""
	case all == 1:
		return first
	}
	return fmt.Sprintf("%d of %d configurations, such as: %s", n, all, first)
}

// Megabytes writes a size of memory.
func Megabytes(b int64) string {
	const mega = 1 << 20
	return fmt.Sprintf("%.4g MB", math.Round(float64(b)/mega*100)/100)
}

// CheckError is the mean relative error of the predicted cost over the points
// that were only checked, and how many they are.
func (s *Study) CheckError() (mean float64, n int) {
	for _, p := range s.Points {
		if p.Role == Check {
			mean += math.Abs(s.At(float64(p.Size))/p.CPU - 1)
			n++
		}
	}
	return mean / math.Max(1, float64(n)), n
}

// Formula is the predicted CPU time in seconds as a formula.
func (s *Study) Formula() string {
	return fmt.Sprintf("%.3g + %.3g·%s", s.Fixed+s.Cost.Constant, s.Cost.Factor, s.Cost.Order)
}

// Range returns the sizes that the study is about: from the smallest that ran to
// the largest that ran or that a heap allows.
func (s *Study) Range() (from, to float64) {
	from = math.Inf(1)
	for _, p := range s.Points {
		from, to = math.Min(from, float64(p.Size)), math.Max(to, float64(p.Size))
	}
	for _, p := range s.PoU {
		to = math.Max(to, p.Size)
	}
	return from, to
}
