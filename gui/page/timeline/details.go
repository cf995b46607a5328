package timeline

import (
	"fmt"
	"strings"

	"tierscope/core/quantity"
	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// mostShares is how many parts of a time are named.
const mostShares = 5

// Details describes what was tapped: what a thread does and since when, who
// blocks it and who blocks those, and where the time of its task goes; of anything
// else, how the threads spend the time in view.
func (v *View) Details() string {
	if v.rec == nil {
		return ""
	}
	if v.selected >= 0 && v.cursor >= 0 && v.rows[v.selected].group == recording.Threads {
		if text := threadDetails(v.rec, v.rows[v.selected].name, v.cursor); text != "" {
			return text
		}
	}
	threads := 0
	for _, l := range v.rec.Lanes {
		if l.Group == recording.Threads {
			threads++
		}
	}
	return "In view, all threads: " + sharesText(v.rec.During(recording.Threads, v.from, v.to), (v.to-v.from)*des.Time(max(threads, 1))) + "."
}

func threadDetails(r *recording.Recording, thread string, at des.Time) string {
	chain := r.Chain(thread, at)
	s := chain[0].Span
	if s.End == 0 {
		return thread + " is idle."
	}
	ago := func(t des.Time) string { return quantity.Format(t.Seconds(), "s") }
	text := fmt.Sprintf("%s: %s", thread, linkText(r, chain[0]))
	text += fmt.Sprintf(" since %s, for %s", ago(s.Start), ago(s.End-s.Start))
	if s.Task != recording.NoTask {
		text += fmt.Sprintf(", on task %d", s.Task)
	}
	for _, l := range chain[1:] {
		how := "woken by "
		if l.Holds {
			how = "held by "
		}
		text += " ← " + how + l.Thread + ": " + linkText(r, l)
	}
	text += "."
	if from, to, shares, ok := r.Task(s.Task); ok && s.Task != recording.NoTask {
		text += fmt.Sprintf(" Task %d took %s: %s.", s.Task, ago(to-from), sharesText(shares, to-from))
	}
	return text
}

// linkText is what a thread of a chain does.
func linkText(r *recording.Recording, l recording.Link) string {
	switch {
	case l.Span.End == 0:
		return "not seen"
	case l.For != "":
		return "waits for " + l.For
	}
	text := l.Span.State.String()
	if label := r.LabelText(l.Span.Label); label != "" {
		text += " " + label
	}
	return text
}

// leastRest is the share of a time from which it is said that it is left.
const leastRest = 0.005

// sharesText names the largest shares of a time, and what is left of it: of the other shares, and of no state at all.
func sharesText(shares []recording.Share, whole des.Time) string {
	if len(shares) == 0 {
		return "nothing happens"
	}
	var parts []string
	add := func(name string, time, least des.Time) {
		if time > least {
			parts = append(parts, name+" "+quantity.Share(float64(time)/float64(max(whole, 1))))
		}
	}
	known, named := des.Time(0), des.Time(0)
	for i, x := range shares {
		known += x.Time
		if i >= mostShares {
			continue
		}
		named += x.Time
		name := x.State.String()
		switch {
		case x.Idle:
			name = "no task in " + x.For
		case x.For != "":
			name += " " + x.For
		}
		add(name, x.Time, -1)
	}
	least := des.Time(leastRest * float64(whole))
	add("other", known-named, least)
	add("idle", whole-known, least)
	return strings.Join(parts, ", ")
}
