// Package knob says over which range the window offers to change a number of
// a model.
package knob

import (
	"math"
	"strings"

	"tierscope/core"
	"tierscope/gui/widget"
)

// OfParameter returns the knob of a parameter of the model.
func OfParameter(p core.Parameter) widget.KnobSpec {
	hint := p.Description
	if p.Follows != nil {
		hint += "; follows " + p.Follows.String()
	}
	return widget.KnobSpec{Title: p.Name, Unit: p.Unit, Baseline: p.Default, Min: p.Min, Max: p.Max, Integer: p.Integer, Slide: slide(p),
		Supported: [2]float64{p.SupportedMin, p.SupportedMax}, Hint: hint}
}

// slide is the range that the slider of a parameter shows: twice what the measuring run supports, and
// never less than reach times the value; what is allowed beyond, which may be thousands of times more, is typed.
func slide(p core.Parameter) [2]float64 {
	if p.SupportedMin == 0 && p.SupportedMax == 0 || p.Default <= 0 {
		return [2]float64{}
	}
	const more = 2
	lo, hi := min(p.SupportedMin/more, p.Default/reach), max(p.SupportedMax*more, p.Default*reach)
	if p.Integer {
		lo, hi = math.Floor(lo), math.Ceil(hi)
	}
	return [2]float64{max(lo, p.Min), min(hi, p.Max)}
}

// words are readable names of fields.
var words = map[string]string{
	"size": "threads", "limit": "most threads", "rate_per_s": "rate", "capacity": "capacity", "cores": "cores",
	"scale": "cost factor", "speed": "speed factor", "speed_up": "speed-up while held", "population": "users",
	"switch_s": "switching", "permits": "permits", "parties": "parties", "instances": "stripes", "depth": "dispatch limit", "count": "tasks",
}

// Title names a number with its element: "parse cost factor".
func Title(k core.Knob) string {
	parts := strings.Split(k.Path, "/")
	if len(parts) < 2 {
		return k.Path
	}
	return parts[len(parts)-2] + " " + Of(k).Title
}

// reach is how far from its value a number without limits can be moved: to a
// tenth and to ten times of it.
const reach = 10

// Of returns the knob of a number of the model: from a tenth of its value, or
// the least that it may be, to ten times of it.
func Of(k core.Knob) widget.KnobSpec {
	name := k.Path[strings.LastIndexByte(k.Path, '/')+1:]
	if w, ok := words[name]; ok {
		name = w
	} else {
		name = strings.ReplaceAll(strings.TrimSuffix(name, "_s"), "_", " ")
	}
	s := widget.KnobSpec{Title: name, Unit: k.Unit, Baseline: k.Value, Integer: k.Integer}
	v := max(k.Value, 0)
	s.Min, s.Max = max(v/reach, k.Least), v*reach
	if k.Integer {
		s.Min, s.Max = max(k.Least, 1), max(v*4, 16)
		if k.Value < s.Min { // 0 or "unbounded"
			s.Min = k.Value
		}
	}
	if s.Max <= s.Min {
		s.Max = s.Min + 1
	}
	return s
}
