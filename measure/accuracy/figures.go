package accuracy

import (
	"math"
	"slices"
)

// figures are the errors of one quantity of a subject.
type figures struct {
	configurations int
	mean           float64 // of |ε|, NaN: none is known
	equalCPU       float64 // the same at equal CPU time, NaN: none is known
	worst          *Row    // of single configurations, nil: none
	value          float64 // mean of the measured values, NaN: none
	saturated      int
}

// figuresOf sums rows up. A row that is a mean counts as often as it has
// configurations.
func figuresOf(rows []Row) figures {
	var f figures
	var sum, n, cpu, cpus, values, measured float64
	for i := range rows {
		r := &rows[i]
		weight := max(r.Of, 1)
		f.configurations += weight
		if r.Saturated {
			f.saturated += weight
		}
		if r.Error != nil {
			sum += float64(weight) * math.Abs(*r.Error)
			n += float64(weight)
			if r.Of == 0 && (f.worst == nil || math.Abs(*r.Error) > math.Abs(*f.worst.Error)) {
				f.worst = r
			}
		}
		if r.EqualCPU != nil {
			cpu += float64(weight) * math.Abs(*r.EqualCPU)
			cpus += float64(weight)
		}
		if r.Measured != nil {
			values += r.Measured.Mean
			measured++
		}
	}
	f.mean, f.equalCPU, f.value = sum/n, cpu/cpus, values/measured
	return f
}

// quantities are those of a result, in the order of their first rows.
func (r *Result) quantities() []string {
	var out []string
	for _, row := range r.Rows {
		if !slices.Contains(out, row.Quantity) {
			out = append(out, row.Quantity)
		}
	}
	return out
}

// rows returns the rows of a quantity; those that are saturated or are not, unless
// the last argument is nil.
func (r *Result) rows(quantity string, saturated *bool) []Row {
	var out []Row
	for _, row := range r.Rows {
		if row.Quantity == quantity && (saturated == nil || row.Saturated == *saturated) {
			out = append(out, row)
		}
	}
	return out
}

// ours is the figure of a measure, over how many subjects and configurations, and
// whether it is in points; NaN without rows.
func (b *Book) ours(m Measure) (figure float64, subjects, configurations int, points bool) {
	var sum float64
	for _, r := range b.area(m.Area) {
		if len(m.Subjects) > 0 && !slices.Contains(m.Subjects, r.Subject) {
			continue
		}
		if m.Figure == Overhead {
			if r.Size != nil && r.Size.Overhead != nil {
				sum += *r.Size.Overhead
				subjects++
			}
			continue
		}
		rows := r.rows(m.Quantity, m.Saturated)
		if len(rows) == 0 {
			continue
		}
		f := figuresOf(rows)
		x := f.mean
		switch m.Figure {
		case EqualCPU:
			x = f.equalCPU
		case WorstError:
			if x = math.NaN(); f.worst != nil {
				x = math.Abs(*f.worst.Error)
			}
		case Measured:
			x = f.value
		case MeanError, Overhead:
		}
		if math.IsNaN(x) {
			continue
		}
		points = rows[0].inPoints()
		subjects++
		configurations += f.configurations
		if m.Figure == WorstError {
			sum = max(sum, x)
		} else {
			sum += x
		}
	}
	if m.Figure == WorstError && subjects > 0 {
		return sum, subjects, configurations, points
	}
	return sum / float64(subjects), subjects, configurations, points
}
