package figure

import (
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/palette"
	"tierscope/simulation/explain"
)

// states are the colours of the parts of a task's time.
var states = map[string]palette.State{
	"queue": palette.Queue, "ready": palette.Idle, "cpu": palette.CPU, "lock": palette.Lock,
	"disk_wait": palette.Disk, "disk_service": palette.Disk, "delay": palette.Other, "other": palette.Other,
}

// Breakdown is the figure of where the time of a task goes, a bar per class.
func Breakdown(r *explain.Report) chart.Bars {
	f := chart.Bars{Title: "Where a task's time goes", Axis: chart.Axis{Label: "Mean time per task", Unit: "s"}}
	column := map[string]int{}
	for _, p := range r.Breakdown {
		if _, ok := column[p.Stat]; !ok {
			column[p.Stat] = len(f.Parts)
			f.Parts = append(f.Parts, chart.Part{Name: p.Label, State: states[p.Stat]})
		}
	}
	bar := map[string]int{}
	for _, p := range r.Breakdown {
		i, ok := bar[p.Class]
		if !ok {
			i = len(f.Bars)
			bar[p.Class] = i
			f.Bars = append(f.Bars, chart.Bar{Name: strings.TrimPrefix(p.Class, "class/"), Lengths: make([]float64, len(f.Parts))})
			if m, ok := r.Baseline.Find("R " + p.Class + " mean"); ok {
				f.Bars[i].Lo, f.Bars[i].Hi = quantity.AtLeastZero(m.Estimate.Lo, m.Estimate.Mean), m.Estimate.Hi
			}
		}
		f.Bars[i].Lengths[column[p.Stat]] += p.Estimate.Mean
	}
	return f
}

// Names are what the candidates of a report are called beside each other: code without its pool, where one
// piece only has the name.
func Names(ranking []explain.Candidate) []string {
	short := func(c explain.Candidate) string {
		if _, of, ok := strings.Cut(c.Of, "/"); ok && c.Kind == explain.Code {
			pool, _, _ := strings.Cut(of, "/")
			return strings.TrimSuffix(c.Label, " in "+pool)
		}
		return c.Label
	}
	count := map[string]int{}
	for _, c := range ranking {
		count[short(c)]++
	}
	names := make([]string, len(ranking))
	for i, c := range ranking {
		if names[i] = short(c); count[names[i]] > 1 {
			names[i] = c.Label
		}
	}
	return names
}

// shownCandidates is how many rows the figure of gains has room for.
const shownCandidates = 10

// Gains is the figure of the effect of the largest virtual speed-up of
// everything that was tried, best first.
func Gains(r *explain.Report) chart.Ranking {
	f := chart.Ranking{Title: "Gain if one thing were faster", Axis: chart.Axis{Label: "Improvement", Unit: "1"}}
	names := Names(r.Ranking)
	for i, c := range r.Ranking {
		if len(c.Effects) == 0 || len(f.Rows) == shownCandidates {
			continue
		}
		e := c.Effects[len(c.Effects)-1]
		f.Axis.Label = "Improvement when it needs " + quantity.Fixed(100*e.Faster, 0) + " %" + " less time"
		f.Rows = append(f.Rows, chart.Effect{Name: names[i], Mean: e.Gain.Mean, Lo: e.Gain.Lo, Hi: e.Gain.Hi, ID: c.Of})
	}
	return f
}
