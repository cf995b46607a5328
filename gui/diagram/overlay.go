package diagram

import (
	"strings"

	"tierscope/core/quantity"
	"tierscope/simulation"
)

// Overlay is what colours the nodes.
type Overlay string

// Overlays.
const (
	NoOverlay   Overlay = "none"
	Utilization Overlay = "utilization"
	Wait        Overlay = "wait"
	Share       Overlay = "share of R"
)

// Overlays lists all of them in the order of the menu.
var Overlays = []Overlay{NoOverlay, Utilization, Wait, Share}

// Show returns the heat 0…1 of every node of d and its value in words, from a
// result; nodes about which the result says nothing get −1 and "". Waits and
// shares are relative to the largest on the diagram.
func (o Overlay) Show(d *Diagram, r *simulation.Result) (heat []float64, notes []string) {
	heat, notes = make([]float64, len(d.Nodes)), make([]string, len(d.Nodes))
	largest := 0.0
	for i, n := range d.Nodes {
		v, note := o.value(n.Path, r)
		heat[i], notes[i] = v, note
		largest = max(largest, v)
	}
	if o == Utilization || largest == 0 {
		return heat, notes
	}
	for i := range heat {
		if heat[i] > 0 {
			heat[i] /= largest
		}
	}
	return heat, notes
}

// value finds what a result says about an element; −1: nothing.
func (o Overlay) value(path string, r *simulation.Result) (float64, string) {
	of := metricName(path)
	switch o {
	case Utilization:
		if m, ok := r.Find("U " + of + " mean"); ok {
			return m.Estimate.Mean, "busy " + quantity.Share(m.Estimate.Mean)
		}
	case Wait:
		if m, ok := r.Find("W " + of + " mean"); ok {
			return m.Estimate.Mean, "wait " + quantity.Format(m.Estimate.Mean, "s")
		}
	case Share:
		// The time of a fragment per task is its time per execution times its visits.
		e, ok := r.Find("E " + of + " mean")
		v, ok2 := r.Find("V " + of + " mean")
		total := Response(r)
		if ok && ok2 && total > 0 {
			share := e.Estimate.Mean * v.Estimate.Mean / total
			return share, quantity.Share(share) + " of R"
		}
	case NoOverlay:
	}
	return -1, ""
}

// Response is the mean response time over all classes of a result, or the
// makespan of a batch program; 0 if there is none.
func Response(r *simulation.Result) float64 {
	for _, m := range r.Metrics {
		if m.Stat == "mean" && (m.Name == "R" || m.Name == "T") {
			return m.Estimate.Mean
		}
	}
	return 0
}

// metricName turns the path of an element into the Of of its metrics:
// locks/L3 into lock/L3, graphs/G/fragments/F into fragment/G/F.
func metricName(path string) string {
	kind, id, _ := strings.Cut(path, "/")
	switch kind {
	case "graphs":
		if g, f, ok := strings.Cut(id, "/fragments/"); ok {
			return "fragment/" + g + "/" + f
		}
	case "pools", "locks", "disks", "queues":
		return strings.TrimSuffix(kind, "s") + "/" + id
	}
	return path
}

// MetricsOf returns the metrics of a result that are about an element.
func MetricsOf(r *simulation.Result, path string) []simulation.Metric {
	of := metricName(path)
	var out []simulation.Metric
	for _, m := range r.Metrics {
		if m.Of == of {
			out = append(out, m)
		}
	}
	return out
}
