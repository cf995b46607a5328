package recipe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/simulation"
)

// Recipe is what to draw: Metric over the parameter X, one line per value of
// the parameter By, and of whatever else differs.
type Recipe struct {
	Title  string             `json:"title,omitempty"`
	Metric string             `json:"metric"` // key
	X      string             `json:"x"`      // parameter
	By     string             `json:"by,omitempty"`
	Where  map[string]float64 `json:"where,omitempty"` // fixes other parameters
	LogX   bool               `json:"log_x,omitempty"`
	LogY   bool               `json:"log_y,omitempty"`
}

// Version is the version of recipe files.
const Version = 1

type envelope struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Recipe
}

// Decode reads a chart recipe file.
func Decode(r io.Reader) (Recipe, error) {
	var e envelope
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return Recipe{}, fmt.Errorf("chart recipe: %w", err)
	}
	switch {
	case e.Format != "tierscope-chart":
		return Recipe{}, fmt.Errorf("chart recipe: format is %q, want %q", e.Format, "tierscope-chart")
	case e.Version > Version:
		return Recipe{}, fmt.Errorf("chart recipe: version %d is newer than this program's %d: update Tierscope", e.Version, Version)
	case e.Version < 1:
		return Recipe{}, fmt.Errorf("chart recipe: version %d: want 1…%d", e.Version, Version)
	case e.Metric == "" || e.X == "":
		return Recipe{}, fmt.Errorf("chart recipe: metric and x must be given, such as \"metric\": \"R class/task mean\", \"x\": \"workers\"")
	}
	return e.Recipe, nil
}

// Encode writes a chart recipe file.
func Encode(w io.Writer, r Recipe) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(envelope{"tierscope-chart", Version, r})
}

// Suggest returns a recipe that shows the metric over the varied parameter
// with the most values, one line per value of the one with the next most.
func Suggest(observations []Observation, metric string) Recipe {
	return Recipe{Metric: metric}.Completed(observations)
}

// Completed returns the recipe with something said of every parameter that varies: those with the most values
// are X and By where there is none, the others have their usual value. What is of several values of one that is not
// said would be one line.
func (r Recipe) Completed(observations []Observation) Recipe {
	varied := Varied(observations)
	names := slices.Collect(maps.Keys(varied))
	sort.Slice(names, func(i, j int) bool {
		if a, b := len(varied[names[i]]), len(varied[names[j]]); a != b {
			return a > b
		}
		return names[i] < names[j]
	})
	where := map[string]float64{}
	maps.Copy(where, r.Where)
	for _, name := range names {
		_, fixed := where[name]
		switch {
		case fixed || name == r.X || name == r.By:
		case r.X == "":
			r.X = name
		case r.By == "":
			r.By = name
		default:
			where[name] = usual(observations, name)
		}
	}
	if len(where) > 0 {
		r.Where = where
	}
	return r
}

// usual is the value that a parameter has most often; of several the lowest.
func usual(observations []Observation, parameter string) float64 {
	count := map[float64]int{}
	for _, o := range observations {
		if v, ok := o.Configuration[parameter]; ok {
			count[v]++
		}
	}
	value, most := 0.0, 0
	for _, v := range slices.Sorted(maps.Keys(count)) {
		if count[v] > most {
			value, most = v, count[v]
		}
	}
	return value
}

// Lines draws the recipe. units gives the unit of every parameter. Predicted
// values are coloured lines, measured ones neutral markers of the same group.
func (r Recipe) Lines(observations []Observation, units map[string]string) chart.Lines {
	f := chart.Lines{
		Title: r.title(),
		X:     chart.Axis{Label: r.X, Unit: UnitBeside(r.X, units), Log: r.LogX},
		Y:     chart.Axis{Label: Label(r.Metric), Log: r.LogY},
	}
	type group struct {
		by       float64
		rest     string // what else the line is of
		measured bool
	}
	beyond := map[string]bool{} // by run
	points := map[group][]chart.Point{}
	selected := r.Select(observations)
	others := r.others(selected)
	for _, o := range selected {
		f.Y.Unit = o.Unit
		g := group{measured: o.Measured, rest: valuesOf(others, o.Configuration, units)}
		if r.By != "" {
			g.by = o.Configuration[r.By]
		}
		beyond[o.ID] = o.Beyond
		note := strings.Join(o.Warnings, "\n")
		points[g] = append(points[g], chart.Point{X: o.Configuration[r.X], Y: o.Value, Lo: o.Lo, Hi: o.Hi, ID: o.ID, Note: note})
	}
	groups := slices.Collect(maps.Keys(points))
	sort.Slice(groups, func(i, j int) bool {
		if groups[i].by != groups[j].by {
			return groups[i].by < groups[j].by
		}
		if groups[i].rest != groups[j].rest {
			return groups[i].rest < groups[j].rest
		}
		return !groups[i].measured && groups[j].measured
	})
	colour := map[group]int{}
	for _, g := range groups {
		pair := group{by: g.by, rest: g.rest}
		if _, ok := colour[pair]; !ok {
			colour[pair] = len(colour)
		}
		sort.SliceStable(points[g], func(i, j int) bool { return points[g][i].X < points[g][j].X })
		s := chart.Series{Name: r.name(g.by, g.rest, units), Colour: colour[pair], Points: points[g]}
		if g.measured {
			s.Role = chart.Measured
			if s.Name == predicted {
				s.Name = "measured"
			} else {
				s.Name += ", measured"
			}
			f.Series = append(f.Series, s)
			continue
		}
		f.Series = append(f.Series, evidence(s, func(x chart.Point) bool { return beyond[x.ID] })...)
	}
	return f
}

// Select returns the observations that the recipe shows.
func (r Recipe) Select(observations []Observation) []Observation {
	var selected []Observation
next:
	for _, o := range observations {
		if o.Metric != r.Metric {
			continue
		}
		if _, ok := o.Configuration[r.X]; !ok {
			continue
		}
		for name, v := range r.Where {
			if o.Configuration[name] != v {
				continue next
			}
		}
		selected = append(selected, o)
	}
	return selected
}

func (r Recipe) title() string {
	if r.Title != "" {
		return r.Title
	}
	title := Label(r.Metric)
	if r.X != "" {
		title += " over " + r.X
	}
	return title
}

// predicted is the name of the only line.
const predicted = "predicted"

// name is that of a line: by what it differs from the others.
func (r Recipe) name(by float64, rest string, units map[string]string) string {
	if r.By != "" {
		rest = strings.TrimSuffix(valueOf(r.By, by, units)+", "+rest, ", ")
	}
	return cmp.Or(rest, predicted)
}

// others are the parameters beside X and By that differ among observations: a line joins none that do.
func (r Recipe) others(observations []Observation) []string {
	varied := Varied(observations)
	delete(varied, r.X)
	delete(varied, r.By)
	return slices.Sorted(maps.Keys(varied))
}

// valuesOf says what a configuration has of some parameters: "cores 2, rate 60.0 /s".
func valuesOf(names []string, configuration map[string]float64, units map[string]string) string {
	var out []string
	for _, name := range names {
		if v, ok := configuration[name]; ok {
			out = append(out, valueOf(name, v, units))
		}
	}
	return strings.Join(out, ", ")
}

func valueOf(name string, v float64, units map[string]string) string {
	unit := UnitBeside(name, units)
	if unit == "threads" || unit == "tasks" {
		unit = "" // "workers 4", not "workers 4 threads"
	}
	return name + " " + quantity.Format(v, unit)
}

// UnitBeside is the unit of a parameter where its name stands beside it: none
// for "cores [cores]".
func UnitBeside(parameter string, units map[string]string) string {
	if unit := units[parameter]; unit != parameter {
		return unit
	}
	return ""
}

// Label returns what a metric key means, in words: "Response time R, task
// (p95)".
func Label(key string) string {
	metric, subject, stat, ok := simulation.ParseKey(key)
	if !ok {
		return key
	}
	names := map[string]string{
		"R": "Response time R", "X": "Throughput X", "U": "Utilization U", "Q": "Mean number waiting", "W": "Wait per visit W",
		"S": "Service time S", "N": "Mean number in system", "T": "Makespan", "D": "Share lost", "E": "Time per execution", "V": "Visits per task V", "B": "Time per task", "H": "Hit ratio",
	}
	name, ok := names[metric]
	if !ok {
		return key
	}
	kind, of, _ := strings.Cut(subject, "/")
	switch {
	case metric == "N" && kind == "lock":
		name = "Mean number of items in " + of
	case kind == "class" && of == "task", kind == "program":
	case of == "":
		name += ", " + kind
	case kind == "class":
		name += ", " + of
	default:
		name += ", " + kind + " " + of
	}
	if stat != "mean" {
		name += " (" + stat + ")"
	}
	return name
}
