package figure

import (
	"math"

	"tierscope/core"
	"tierscope/gui/chart"
)

// lawPositions is the number of places at which a law with a single row is drawn.
const lawPositions = 2

// DiskLaw is the figure of a disk's service law P(t | x): for every type of
// request the mean over x, with a band from the 10th to the 90th percentile.
func DiskLaw(d *core.Disk) chart.Lines {
	f := chart.Lines{Title: "Service of " + d.ID, Y: chart.Axis{Label: "Time of service t", Unit: "s"}}
	for i, l := range d.Service {
		f.X = lawAxis(l.Given)
		s := chart.Series{Name: l.Type, Role: chart.Predicted, Colour: i}
		if s.Name == "" {
			s.Name = "any request"
		}
		factor := 1.0
		if d.Speed > 0 {
			factor = 1 / d.Speed
		}
		for _, r := range l.Rows {
			note := ""
			if r.Samples == 0 {
				note = "extrapolated"
			}
			s.Points = append(s.Points, chart.Point{X: float64(r.X), Y: factor * r.Time.Expectation(),
				Lo: factor * r.Time.Quantile(0.1), Hi: factor * r.Time.Quantile(0.9), Note: note})
		}
		if len(s.Points) == 1 { // it does not depend on x
			other := s.Points[0]
			other.X += lawPositions - 1
			s.Points = append(s.Points, other)
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func lawAxis(given core.LawCondition) chart.Axis {
	switch given {
	case core.InFlight:
		return chart.Axis{Label: "Requests in the device"}
	case core.Distance:
		return chart.Axis{Label: "Distance that the head moves, ‰ of the disk"}
	case core.Overtaken:
	}
	return chart.Axis{Label: "Requests that overtook this one"}
}

// DiskUse is what an I/O fragment asks of its disk.
type DiskUse struct {
	Graph, Fragment, Disk string
	Requests              float64 // an execution, mean of all types
	Error                 float64 // its standard error; NaN: the numbers of observations are not known
	Bytes                 float64 // of a request, mean
	Hits                  float64 // share of executions without any request; NaN: the laws do not tell
	Executions            int64   // behind it; 0: not measured
}

// DiskUses lists the I/O fragments of a model. The types of requests are taken to
// be independent of each other.
func DiskUses(m *core.Model) []DiskUse {
	var uses []DiskUse
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.IO == nil {
				continue
			}
			u := DiskUse{Graph: g.ID, Fragment: f.ID, Disk: f.IO.Disk, Hits: 1}
			bytes, variance := 0.0, 0.0
			for _, r := range f.IO.Requests {
				n := r.Count.Expectation()
				u.Requests += n
				bytes += n * r.Bytes.Expectation()
				variance += r.Count.Variance()
				u.Hits *= none(r.Count)
				u.Executions = max(u.Executions, r.Count.Samples)
			}
			u.Bytes = bytes / u.Requests
			u.Error = math.Sqrt(variance / float64(u.Executions))
			if u.Executions == 0 {
				u.Error = math.NaN()
			}
			uses = append(uses, u)
		}
	}
	return uses
}

// none is the probability that a number is 0.
func none(count core.Distribution) float64 {
	switch count.Kind {
	case core.Constant:
		if count.Value == 0 {
			return 1
		}
		return 0
	case core.Discrete:
		for i, v := range count.Values {
			if v == 0 {
				return count.Weights[i]
			}
		}
		return 0
	default:
		return math.NaN()
	}
}
