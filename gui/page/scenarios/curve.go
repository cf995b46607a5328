package scenarios

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/simulation"
	"tierscope/simulation/whatif"
)

// none is the choice of no second knob.
const none = "–"

// knob is the parameter that the plot varies, false if the model has none.
func (a *answer) knob() (core.Parameter, bool) {
	return a.host.Session.Model().Parameter(a.over.Value())
}

// second is the other parameter of a map, false for a curve.
func (a *answer) second() (core.Parameter, bool) {
	if a.and.Value() == a.over.Value() {
		return core.Parameter{}, false
	}
	return a.host.Session.Model().Parameter(a.and.Value())
}

// scenarios are those that the plot shows.
func (a *answer) scenarios() []session.Scenario {
	ses := a.host.Session
	out := []session.Scenario{ses.Scenarios()[0]}
	if ses.Current() != 0 {
		out = append(out, ses.Scenario())
	}
	return out
}

// ask simulates what the plot lacks, the current scenario first.
func (a *answer) ask() {
	if a.host.Session.Model() == nil {
		return
	}
	first, ok := a.knob()
	if !ok {
		return
	}
	ses := a.host.Session
	if second, ok := a.second(); ok {
		var all []question
		for _, x := range a.mapped(first, second) {
			all = append(all, question{of: x, knobs: []core.Parameter{first, second}, around: ses.Scenario().Settings})
		}
		a.explore.ask(all)
		return
	}
	wanted := []question{{of: ses.Now(), knobs: []core.Parameter{first}}}
	if ses.Current() != 0 {
		wanted = append(wanted, question{of: a.explore.of(ses.Scenarios()[0]), knobs: []core.Parameter{first}})
	}
	if o := ses.Outcome(ses.Scenario()); o != nil && o.Result != nil && (o.Job == nil || o.Job.State != session.Running) {
		for _, p := range ses.Model().Parameters { // the answer first, then the other knobs
			if p.Name != first.Name {
				wanted = append(wanted, question{of: ses.Now(), knobs: []core.Parameter{p}})
			}
		}
	}
	a.explore.ask(wanted)
}

// offerMetrics offers what the results say, and keeps what is chosen.
func (a *answer) offerMetrics() {
	ses := a.host.Session
	keys, first := []string{"R class/task mean", "X class/task mean"}, ""
	if e, _, err := ses.Estimate(ses.Scenarios()[0]); err == nil && e.Batch {
		first = "T program mean" // what is asked of a batch program
		keys = []string{first}
	}
	for _, c := range []session.Scenario{ses.Scenario(), ses.Scenarios()[0]} {
		if o := ses.Outcome(c); o != nil && o.Result != nil {
			var found []string
			for _, m := range o.Result.Metrics {
				if wanted(m) && m.Name != "D" {
					found = append(found, m.Key())
				}
			}
			if first != "" && !slices.Contains(found, first) {
				found = append([]string{first}, found...)
			}
			if len(found) > 0 {
				keys = found
			}
			break
		}
	}
	if !slices.Equal(keys, a.metric.Values()) {
		a.metric.SetValues(keys, recipe.Label)
	}
	if a.metric.Value() == "" {
		a.metric.Choose(cmp.Or(first, keys[0]))
	}
}

// showPlot draws what is known of the metric over the knob, or over two.
func (a *answer) showPlot() {
	ses := a.host.Session
	if ses.Model() == nil {
		return
	}
	a.offerMetrics()
	defer a.drawn()
	p, ok := a.knob()
	if !ok {
		a.plot.Otherwise("This model has no parameters", "A curve is drawn over one, such as the size of a pool. Add some to the model, or build it with tierctl analyze.")
		a.plot.SetFigure(nil)
		return
	}
	label := recipe.Label(a.metric.Value())
	if second, ok := a.second(); ok {
		a.plot.Otherwise(label+" over "+p.Name+" and "+second.Name, "The map fills in while its cells are simulated; a click on one sets both knobs.")
		a.plot.SetFigure(a.chart2(p, second))
		return
	}
	f := a.chart1(p)
	if a.explore.drawing.Busy() {
		a.plot.Otherwise(label+" over "+p.Name, "Its bounds and its curve are being worked out.")
	} else {
		a.plot.Otherwise(label+" is nowhere finite", "Queues grow for ever for every "+p.Name+" that was tried. Choose a lower load, or another parameter to draw over.")
	}
	a.plot.SetFigure(f)
}

// chart1 is the curve over one knob: bounds, and an estimate beside the simulated points until all that are asked for
// are there; then the points, the curve between them with its band,
// dotted where the measuring run is no evidence; what was measured; and where the
// bottleneck changes.
func (a *answer) chart1(p core.Parameter) chart.Lines {
	ses := a.host.Session
	key := a.metric.Value()
	name, _, _ := strings.Cut(key, " ")
	units := recipe.Units(ses.Model())
	f := chart.Lines{X: chart.Axis{Label: p.Name, Unit: recipe.UnitBeside(p.Name, units)}, Y: chart.Axis{Label: recipe.Label(key), Unit: unitOf(name)}}
	for i, c := range a.scenarios() {
		d := a.explore.draw(c, p, key, true)
		sketch := d.sketch
		if d.curve == nil {
			f.Series = append(f.Series, analytic(c.Name+", estimate", chart.Analytic, i, sketch, func(o whatif.Outline) float64 { return d.through * o.Value(name) })...)
			if len(d.dots) > 0 {
				f.Series = append(f.Series, dotsOf(i, d.dots))
			}
		} else {
			f.Series = append(f.Series, simulatedCurve(c.Name, i, p, d)...)
		}
		f.Series = append(f.Series, analytic(c.Name+", bound", chart.Bound, i, sketch, func(o whatif.Outline) float64 { return o.Bound(name) })...)
		if i == len(a.scenarios())-1 {
			f.Marks = marks(d)
		}
		if o := ses.Outcome(c); o != nil && o.Result != nil {
			if m, ok := o.Result.Find(key); ok && finite(m.Estimate.Mean) {
				at := chart.Point{X: value(c, p), Y: m.Estimate.Mean}
				if m.Estimate.N >= fewest && finite(m.Estimate.Lo) && finite(m.Estimate.Hi) {
					at.Lo, at.Hi = max(m.Estimate.Lo, 0), m.Estimate.Hi
				}
				f.Series = append(f.Series, chart.Series{Name: c.Name + ", now", Role: chart.Simulated, Colour: i, Points: []chart.Point{at}})
			}
		}
	}
	measured, _ := a.measured(p, key)
	f.Series = append(f.Series, measured...)
	return f
}

// analytic is a series of what operational analysis says, empty if it says
// nothing finite.
func analytic(name string, role chart.Role, colour int, sketch []whatif.Outline, of func(whatif.Outline) float64) []chart.Series {
	s := chart.Series{Name: name, Role: role, Colour: colour}
	for _, o := range sketch {
		if v := of(o); finite(v) {
			s.Points = append(s.Points, chart.Point{X: o.At, Y: v})
		}
	}
	if len(s.Points) == 0 {
		return nil
	}
	return []chart.Series{s}
}

// simulatedCurve is the curve with its band, dotted where the measuring run is
// no evidence, and the simulated points on it.
func simulatedCurve(name string, colour int, p core.Parameter, d drawing) []chart.Series {
	inside := chart.Series{Name: name + ", simulated", Role: chart.Curve, Colour: colour}
	below := chart.Series{Name: name + ", outside of the evidence", Role: chart.Beyond, Colour: colour}
	above := below
	evidence := p.SupportedMin != 0 || p.SupportedMax != 0
	for _, x := range d.line {
		point := chart.Point{X: x.At, Y: x.Mean, Lo: x.Lo, Hi: x.Hi}
		low, high := evidence && x.At <= p.SupportedMin, evidence && x.At >= p.SupportedMax
		if low {
			below.Points = append(below.Points, point)
		}
		if high {
			above.Points = append(above.Points, point)
		}
		if !low && !high || x.At == p.SupportedMin || x.At == p.SupportedMax {
			inside.Points = append(inside.Points, point)
		}
	}
	var out []chart.Series
	for _, s := range []chart.Series{inside, below, above} {
		if len(s.Points) > 1 {
			out = append(out, s)
		}
	}
	if len(out) == 3 {
		out[2].Name = "" // one line of the legend for both ends
	}
	return append(out, dotsOf(colour, d.curve.Anchors()))
}

// dotsOf are simulated points.
func dotsOf(colour int, anchors []whatif.Anchor) chart.Series {
	dots := chart.Series{Role: chart.Simulated, Colour: colour}
	for _, x := range anchors {
		point := chart.Point{X: x.At, Y: x.Mean}
		if finite(x.Lo) && finite(x.Hi) {
			point.Lo, point.Hi = max(x.Lo, 0), x.Hi
		}
		dots.Points = append(dots.Points, point)
	}
	return dots
}

// marks are where the bottleneck changes, and where queues grow: what bounds say beyond that is nothing new.
func marks(d drawing) []chart.Mark {
	ends := growth(d)
	return append(ends, slices.DeleteFunc(knees(d.sketch), func(k chart.Mark) bool {
		return slices.ContainsFunc(ends, func(end chart.Mark) bool {
			if end.X < d.curve.Anchors()[0].At {
				return k.X <= end.X
			}
			return k.X >= end.X
		})
	})...)
}

// growth are marks where a curve ends because queues grow beside it.
func growth(d drawing) (out []chart.Mark) {
	if d.curve == nil {
		return nil
	}
	all := d.curve.Anchors()
	above, _ := slices.BinarySearch(d.grows, all[0].At)
	if above > 0 {
		out = append(out, chart.Mark{X: d.grows[above-1], Label: "queues grow up to here"})
	}
	if above < len(d.grows) {
		out = append(out, chart.Mark{X: d.grows[above], Label: "queues grow from here on"})
	}
	return out
}

// mostKnees keeps the figure legible.
const mostKnees = 2

// knees are marks where the bottleneck changes.
func knees(sketch []whatif.Outline) []chart.Mark {
	var out []chart.Mark
	for _, k := range whatif.Knees(sketch) {
		text := element(k.From) + " → " + element(k.To)
		switch {
		case k.To == "":
			text = element(k.From) + " saturates"
		case k.From == "":
			text = element(k.To) + " keeps up"
		}
		if len(out) < mostKnees {
			out = append(out, chart.Mark{X: k.At, Label: text})
		}
	}
	return out
}

// element names the Of of a metric in words.
func element(of string) string { return strings.Replace(of, "/", " ", 1) }

// measured is what was measured over the knob with all other parameters as one of the scenarios has them, and in which files and how
// often; points of both are those of the program, in whichever scenario.
func (a *answer) measured(p core.Parameter, key string) (all []chart.Series, said string) {
	m := a.host.Session.Model()
	shown := a.scenarios()
	var files []string
	runs := [2]int{math.MaxInt, 0}
	for i, c := range shown {
		if len(c.Edits) > 0 {
			continue
		}
		now := m.Defaults()
		maps.Copy(now, m.Resolved(c.Settings))
		s := chart.Series{Name: c.Name + ", measured", Role: chart.Measured, Colour: i}
		for _, file := range a.host.Session.Measured() {
			for _, o := range recipe.FromMeasured(file.Table, m) {
				if o.Metric != key || !agree(o.Configuration, now, p.Name) {
					continue
				}
				s.Points = append(s.Points, chart.Point{X: o.Configuration[p.Name], Y: o.Value, Lo: o.Lo, Hi: o.Hi})
				runs = [2]int{min(runs[0], o.N), max(runs[1], o.N)}
				if !slices.Contains(files, file.Name()) {
					files = append(files, file.Name())
				}
			}
		}
		slices.SortFunc(s.Points, func(x, y chart.Point) int { return cmp.Compare(x.X, y.X) })
		switch {
		case len(s.Points) == 0:
		case len(all) > 0 && slices.Equal(all[0].Points, s.Points):
			all[0].Name = "measured"
		default:
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, ""
	}
	if len(shown) == 1 {
		all[0].Name = "measured"
	}
	said = fmt.Sprintf("%s, n = %d", strings.Join(files, ", "), runs[0])
	if runs[0] != runs[1] {
		said += fmt.Sprintf("…%d", runs[1])
	}
	return all, said
}

// agree reports whether two configurations are equal but for one parameter.
func agree(a, b map[string]float64, but string) bool {
	for name, v := range b {
		if w, ok := a[name]; ok && name != but && w != v {
			return false
		}
	}
	return true
}

// unitOf is the unit of a metric by its name.
func unitOf(name string) string {
	switch name {
	case "R", "T":
		return "s"
	case "X":
		return "1/s"
	}
	return "1"
}

// chart2 is the map over two knobs, with what is simulated so far.
func (a *answer) chart2(first, second core.Parameter) chart.HeatMap {
	ses := a.host.Session
	c, key := ses.Scenario(), a.metric.Value()
	subjects := a.mapped(first, second)
	name, _, _ := strings.Cut(key, " ")
	units := recipe.Units(ses.Model())
	q := whatif.Question{Settings: c.Settings, Knobs: []core.Parameter{first, second}}
	f := chart.HeatMap{Title: recipe.Label(key), X: chart.Axis{Label: first.Name, Unit: recipe.UnitBeside(first.Name, units)},
		Y: chart.Axis{Label: second.Name, Unit: recipe.UnitBeside(second.Name, units)}, Value: chart.Axis{Label: recipe.Label(key), Unit: unitOf(name)}}
	all := q.Configurations()
	for _, s := range all {
		if v := s[first.Name]; !slices.Contains(f.Columns, v) {
			f.Columns = append(f.Columns, v)
		}
		if v := s[second.Name]; !slices.Contains(f.Rows, v) {
			f.Rows = append(f.Rows, v)
		}
	}
	if len(subjects) > 1 {
		f.Difference = true
		f.Title += ", " + ses.Label(ses.Comparing().B) + " − " + ses.Label(ses.Comparing().A)
	}
	slices.Sort(f.Columns)
	slices.Sort(f.Rows)
	f.Cells = make([][]chart.Cell, len(f.Rows))
	for i := range f.Cells {
		f.Cells[i] = make([]chart.Cell, len(f.Columns))
	}
	for _, s := range all {
		i, j := slices.Index(f.Rows, s[second.Name]), slices.Index(f.Columns, s[first.Name])
		cell := chart.Cell{Value: math.NaN(), ID: fmt.Sprintf("%s=%g %s=%g", first.Name, s[first.Name], second.Name, s[second.Name])}
		for k, x := range subjects {
			settings := question{of: x, knobs: q.Knobs}.settings()
			settings[first.Name], settings[second.Name] = s[first.Name], s[second.Name]
			v, text := cellOf(a.explore.result(x, settings), key)
			if k == 0 {
				cell.Value = v
			} else {
				cell.Value -= v
			}
			cell.Text = cmp.Or(cell.Text, text)
		}
		f.Cells[i][j] = cell
	}
	return f
}

// cellOf is a metric of a result, or why there is none.
func cellOf(r *simulation.Result, key string) (float64, string) {
	switch {
	case r == nil:
		return math.NaN(), "not simulated yet"
	case r.Unstable:
		return math.NaN(), "queues grow for ever"
	}
	if m, ok := r.Find(key); ok {
		return m.Estimate.Mean, ""
	}
	return math.NaN(), "no such metric"
}

// mapped is what the map over two knobs shows: the current scenario, or B and, to be taken away from it, A of a
// comparison of two that can be simulated, have these knobs, and differ in something else too.
func (a *answer) mapped(first, second core.Parameter) []session.Subject {
	ses := a.host.Session
	both, ok := ses.Compared()
	but := func(x session.Subject) map[string]float64 { // what the map does not vary
		settings := maps.Clone(x.Scenario.Settings)
		delete(settings, first.Name)
		delete(settings, second.Name)
		return settings
	}
	if !ok || both[0].Build == both[1].Build && maps.Equal(but(both[0]), but(both[1])) && slices.Equal(both[0].Scenario.Edits, both[1].Scenario.Edits) {
		return []session.Subject{ses.Now()}
	}
	for _, x := range both {
		_, one := x.Model.Parameter(first.Name)
		_, two := x.Model.Parameter(second.Name)
		if !one || !two {
			return []session.Subject{ses.Now()}
		}
	}
	return []session.Subject{both[1], both[0]}
}

// tapped sets both knobs to a cell of the map.
func (a *answer) tapped(id string) {
	for field := range strings.FieldsSeq(id) {
		name, text, ok := strings.Cut(field, "=")
		v, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return // a point of a curve
		}
		a.host.Session.Set(name, v)
	}
}

// spark is the curve of a knob in small.
func (a *answer) spark(p core.Parameter) ours.Spark {
	key := a.metric.Value()
	name, _, _ := strings.Cut(key, " ")
	d := a.explore.draw(a.host.Session.Scenario(), p, key, false)
	if d.curve == nil {
		s := ours.Spark{Estimate: true}
		for _, o := range d.sketch {
			if v := d.through * o.Value(name); finite(v) {
				s.Line = append(s.Line, ours.SparkPoint{At: o.At, Y: v})
			}
		}
		for _, x := range d.dots {
			s.Dots = append(s.Dots, ours.SparkPoint{At: x.At, Y: x.Mean})
		}
		return s
	}
	s := ours.Spark{}
	for _, x := range d.line {
		s.Line = append(s.Line, ours.SparkPoint{At: x.At, Y: x.Mean, Lo: x.Lo, Hi: x.Hi})
	}
	for _, x := range d.curve.Anchors() {
		s.Dots = append(s.Dots, ours.SparkPoint{At: x.At, Y: x.Mean})
	}
	return s
}

// follow draws over the knob that was moved last.
func (a *answer) follow(knob string) {
	if _, ok := a.host.Session.Model().Parameter(knob); ok && a.and.Value() == none && knob != a.over.Value() {
		a.over.Choose(knob)
	}
}
