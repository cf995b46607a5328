package recipe

import "tierscope/gui/chart"

// evidence is a predicted line, dotted where it leads to points beyond what the measuring run supports.
func evidence(s chart.Series, beyond func(chart.Point) bool) []chart.Series {
	inside := chart.Series{Name: s.Name, Colour: s.Colour}
	outside := chart.Series{Name: s.Name + ", outside of the evidence", Role: chart.Beyond, Colour: s.Colour}
	dots := chart.Series{Role: chart.Simulated, Colour: s.Colour}
	var out []chart.Series
	add := func(of *chart.Series) {
		if len(of.Points) > 0 {
			out = append(out, *of)
			of.Name, of.Points = "", nil // one line of the legend for all parts
		}
	}
	for i, x := range s.Points {
		if !beyond(x) {
			inside.Points = append(inside.Points, x)
			continue
		}
		add(&inside)
		dots.Points = append(dots.Points, x)
		if i > 0 && len(outside.Points) == 0 {
			outside.Points = append(outside.Points, s.Points[i-1])
		}
		outside.Points = append(outside.Points, x)
		if i+1 < len(s.Points) && !beyond(s.Points[i+1]) {
			outside.Points = append(outside.Points, s.Points[i+1])
			add(&outside)
		}
	}
	add(&inside)
	add(&outside)
	add(&dots)
	return out
}
