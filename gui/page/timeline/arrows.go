package timeline

import (
	"tierscope/gui/paint"
	"tierscope/gui/palette"
	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// arrow leads from a thread to the one that it let go on.
type arrow struct {
	at       des.Time
	from, to string
}

// along are the arrows of a path, where it goes from one thread to another.
func along(path []recording.Segment) []arrow {
	var out []arrow
	for i := 1; i < len(path); i++ {
		if a, b := path[i-1], path[i]; a.Thread != b.Thread {
			out = append(out, arrow{b.Start, a.Thread, b.Thread})
		}
	}
	return out
}

// about are the arrows to what a thread does at a time: from who let it begin with that, and from who ends it.
func about(l *recording.Lane, at des.Time) []arrow {
	s, ok := l.At(at)
	if !ok {
		return nil
	}
	var out []arrow
	for _, t := range []des.Time{s.Start, s.End} {
		if by := l.Waker(t); by != nil {
			out = append(out, arrow{t, by.Name, l.Name})
		}
	}
	return out
}

// point shows the arrows to what is selected.
func (v *View) point() {
	v.arrows = nil
	if v.selected >= 0 && v.cursor >= 0 && v.rows[v.selected].group == recording.Threads {
		v.arrows = about(v.rows[v.selected].lane, v.cursor)
	}
}

// Arrows nearer to each other than this many pixels are drawn as one; their heads are so large.
const arrowsApart, headSize = 4, 4

// paintArrows draws those of the path and of what is selected that are seen.
func (v *scene) paintArrows(r *paint.Raster, s palette.Scheme) {
	if len(v.turns)+len(v.arrows) == 0 {
		return
	}
	middle := map[string]float32{}
	y := axisHeight - v.scroll
	for _, x := range v.rows {
		if x.first {
			y += headHeight
		}
		if x.group == recording.Threads {
			middle[x.name] = y + rowHeight/2
		}
		y += rowHeight
	}
	draw := func(all []arrow, pen paint.Pen) {
		last := float32(-arrowsApart)
		for _, a := range all {
			x := v.x(a.at)
			if a.at < v.from || a.at > v.to || x-last < arrowsApart {
				continue
			}
			from, seen := middle[a.from]
			to, both := middle[a.to]
			if !seen || !both { // filtered out
				continue
			}
			last = x
			back := float32(headSize)
			if to > from {
				back = -headSize
			}
			tip := paint.Point{X: x, Y: to}
			r.Stroke(pen, paint.Line(paint.Point{X: x, Y: from}, tip))
			for _, side := range []float32{-headSize, headSize} {
				r.Stroke(pen, paint.Line(paint.Point{X: x + side, Y: to + back}, tip))
			}
		}
	}
	draw(v.turns, paint.Pen{Color: s.Bad, Width: 1})
	draw(v.arrows, paint.Pen{Color: s.Ink, Width: 1.5})
}
