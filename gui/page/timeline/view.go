package timeline

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/look"
	"tierscope/gui/paint"
	"tierscope/gui/palette"
	ours "tierscope/gui/widget"
	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// View draws a recording: a row for every thread, core, lock, disk and queue.
// The wheel zooms about the pointer, dragging pans. What is narrower than a
// pixel is shown as the share of time in each state, so a million spans cost
// no more than the pixels they cover.
type View struct {
	widget.BaseWidget
	ours.Pointer
	OnHover func(text string)
	OnTap   func() // another place was tapped; see Details
	OnRune  func(rune)
	Scrolls func() bool // the wheel moves; nil: it zooms

	scene
	filter   string
	raster   *canvas.Raster
	motion   ours.Motion
	revision int // of everything but what part of the time is seen
}

// scene is what is seen of a recording: all that painting needs, as a value.
type scene struct {
	rec      *recording.Recording
	rows     []row
	from, to des.Time                       // what is seen
	scroll   float32                        // of the rows, pixels
	cursor   des.Time                       // −1: none
	selected int                            // row, −1: none
	path     map[string][]recording.Segment // highlighted, by thread,
	turns    []arrow                        // and from one to another
	arrows   []arrow                        // to what is selected
	focused  bool
	size     fyne.Size
	blocks   []recording.Block // reused
	ranges   []recording.Range // reused
}

// row is a lane or a counter.
type row struct {
	group   recording.Group
	name    string
	lane    *recording.Lane
	counter *recording.Counter
	most    int64 // of the counter
	first   bool  // of its group
}

// Sizes in device-independent pixels.
const (
	gutter     = 150
	rowHeight  = 20
	barHeight  = 15
	headHeight = 22 // of a group
	axisHeight = 24
	// counterRoom is what the largest value of a counter takes of its name.
	counterRoom = 36
)

// NewView returns an empty view.
func NewView() *View {
	v := &View{scene: scene{cursor: -1, selected: -1}}
	tell := func(text string) {
		if v.OnHover != nil {
			v.OnHover(text)
		}
	}
	v.Pointer = ours.NewPointer(v.Pan, func(p fyne.Position) { tell(v.Says(p)) }, func() { tell("") })
	v.raster = canvas.NewRaster(v.paint)
	v.motion.Refresh = v.raster.Refresh
	v.ExtendBaseWidget(v)
	return v
}

// PaintWith lets a long recording move at once and be painted exactly in the
// background by r.
func (v *View) PaintWith(r *background.Runner) { v.motion.Runner = r }

// redraw paints the picture anew.
func (v *View) redraw() {
	v.revision++
	v.raster.Refresh()
}

// SetRecording shows another recording: some tasks in its middle.
func (v *View) SetRecording(r *recording.Recording) {
	v.rec, v.scroll, v.selected, v.path, v.turns, v.arrows = r, 0, -1, nil, nil, nil
	v.fill()
	v.open()
}

// SetFilter shows only the rows whose name or group contains text.
func (v *View) SetFilter(text string) {
	v.filter, v.scroll, v.selected, v.arrows = text, 0, -1, nil
	v.fill()
	v.redraw()
}

// fill collects the rows, group by group.
func (v *View) fill() {
	v.rows = nil // a picture that is being painted has the old ones
	v.revision++
	if v.rec == nil {
		return
	}
	for g := recording.Threads; g <= recording.Queues; g++ {
		first := true
		add := func(r row) {
			if !contains(g.String()+" "+r.name, v.filter) {
				return
			}
			r.group, r.first = g, first
			first = false
			v.rows = append(v.rows, r)
		}
		for _, l := range ordered(v.rec.Lanes, g) {
			add(row{name: l.Name, lane: l})
		}
		for _, c := range v.rec.Counters {
			if c.Group == g {
				most := int64(1)
				for _, s := range c.Steps {
					most = max(most, s.Value)
				}
				add(row{name: c.Name, counter: c, most: most})
			}
		}
	}
}

// ordered are the lanes of a group: threads of a pool together, by their numbers, pools as they came.
func ordered(all []*recording.Lane, g recording.Group) []*recording.Lane {
	var lanes []*recording.Lane
	pools := map[string]int{}
	place := func(name string) (pool, number int) {
		text, rest, _ := strings.Cut(name, " #")
		if _, known := pools[text]; !known {
			pools[text] = len(pools)
		}
		digits := strings.IndexFunc(rest+" ", func(r rune) bool { return r < '0' || r > '9' })
		number, _ = strconv.Atoi(rest[:digits]) // 0 of what is not numbered
		return pools[text], number
	}
	for _, l := range all {
		if l.Group == g {
			lanes = append(lanes, l)
			place(l.Name)
		}
	}
	slices.SortStableFunc(lanes, func(a, b *recording.Lane) int {
		p, i := place(a.Name)
		q, j := place(b.Name)
		return cmp.Or(cmp.Compare(p, q), cmp.Compare(i, j))
	})
	return lanes
}

// Fit shows the whole time.
func (v *View) Fit() {
	if v.rec != nil {
		v.from, v.to = v.start(), v.rec.Until
	}
	v.raster.Refresh()
}

// start is the first recorded moment: a recording may begin after a warm-up.
func (v *View) start() des.Time {
	first := v.rec.Until
	for _, l := range v.rec.Lanes {
		if len(l.Spans) > 0 {
			first = min(first, l.Spans[0].Start)
		}
	}
	return first
}

// width is the room for time.
func (v *scene) width() float32 { return max(v.size.Width-gutter, 1) }

// timeAt is the time at a horizontal position.
func (v *scene) timeAt(x float32) des.Time {
	return v.from + des.Time(float64(v.to-v.from)*float64((x-gutter)/v.width()))
}

func (v *scene) x(t des.Time) float32 {
	return gutter + float32(float64(t-v.from)/float64(max(v.to-v.from, 1)))*v.width()
}

// Zoom scales by f about the time at x.
func (v *View) Zoom(x float32, f float64) {
	if v.rec == nil {
		return
	}
	at := v.timeAt(max(x, gutter))
	length := max(des.Time(float64(v.to-v.from)/f), 100) // 100 ns: nothing happens faster
	share := float64(at-v.from) / float64(max(v.to-v.from, 1))
	v.show(at-des.Time(float64(length)*share), length)
}

// show moves to a time, within the recording.
func (v *View) show(from, length des.Time) {
	start := v.start()
	length = min(length, max(v.rec.Until-start, 1))
	v.from = min(max(from, start), v.rec.Until-length)
	v.to = v.from + length
	v.raster.Refresh()
}

// Pan moves by pixels.
func (v *View) Pan(dx, dy float32) {
	if v.rec == nil {
		return
	}
	v.scroll = max(0, min(v.scroll-dy, v.height()-v.size.Height+axisHeight))
	length := v.to - v.from
	v.show(v.from-des.Time(float64(length)*float64(dx/v.width())), length)
}

// height is that of all rows.
func (v *View) height() float32 {
	h := float32(0)
	for _, r := range v.rows {
		h += rowHeight
		if r.first {
			h += headHeight
		}
	}
	return h
}

// rowAt finds the row at a vertical position, −1: none.
func (v *View) rowAt(y float32) int {
	at := axisHeight - v.scroll
	for i, r := range v.rows {
		if r.first {
			at += headHeight
		}
		if y >= at && y < at+rowHeight {
			return i
		}
		at += rowHeight
	}
	return -1
}

// Says describes what is under a point.
func (v *View) Says(p fyne.Position) string {
	i := v.rowAt(p.Y)
	if v.rec == nil || i < 0 || p.X < gutter || p.Y < axisHeight {
		return ""
	}
	t, r := v.timeAt(p.X), v.rows[i]
	text := fmt.Sprintf("%s  %s  at %s: ", r.group, r.name, quantity.Format(t.Seconds(), "s"))
	if r.counter != nil {
		v.ranges = r.counter.Preview(v.ranges[:0], t, t+1, 1)
		return text + fmt.Sprintf("%d waiting", v.ranges[0].Min)
	}
	s, ok := r.lane.At(t)
	if !ok {
		return text + "idle"
	}
	text += s.State.String()
	if l := v.rec.LabelText(s.Label); l != "" {
		text += ", " + l
	}
	text += ", for " + quantity.Format((s.End-s.Start).Seconds(), "s")
	if s.Task != recording.NoTask {
		text += fmt.Sprintf(", task %d", s.Task)
	}
	return text
}

// Step moves the cursor to the next (+1) or previous (−1) span of the selected
// row.
func (v *View) Step(direction int) {
	if v.selected < 0 || v.rows[v.selected].lane == nil {
		return
	}
	spans := v.rows[v.selected].lane.Spans
	found := des.Time(-1)
	for _, s := range spans {
		if direction > 0 && s.Start > v.cursor {
			found = s.Start
			break
		}
		if direction < 0 && s.Start < v.cursor {
			found = s.Start
		}
	}
	if found < 0 {
		return
	}
	v.cursor = found
	v.point()
	if found < v.from || found > v.to {
		length := v.to - v.from
		v.show(found-length/2, length)
	}
	v.redraw()
}

// Scrolled zooms about the pointer, or moves.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	if f, zooms := ours.Turned(e, v.Scrolls); zooms {
		v.Zoom(e.Position.X, f)
		return
	}
	v.Pan(e.Scrolled.DX, e.Scrolled.DY)
}

// Tapped selects a row and puts the cursor there.
func (v *View) Tapped(e *fyne.PointEvent) {
	ours.Focus(v)
	v.selected = v.rowAt(e.Position.Y)
	if v.rec != nil && e.Position.X > gutter {
		v.cursor = v.timeAt(e.Position.X)
	}
	v.point()
	v.redraw()
	if v.OnTap != nil {
		v.OnTap()
	}
}

// FocusGained shows the focus ring.
func (v *View) FocusGained() { v.focused = true; v.redraw() }

// FocusLost hides it.
func (v *View) FocusLost() { v.focused = false; v.redraw() }

// TypedRune zooms, fits and steps.
func (v *View) TypedRune(r rune) {
	middle := gutter + v.width()/2
	switch r {
	case '+', '=':
		v.Zoom(middle, 1.5)
	case '-', '_':
		v.Zoom(middle, 1/1.5)
	case '0':
		v.Fit()
	case '[':
		v.Step(-1)
	case ']':
		v.Step(1)
	default:
		if v.OnRune != nil {
			v.OnRune(r)
		}
	}
}

// TypedKey pans and selects rows.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		v.Pan(v.width()/8, 0)
	case fyne.KeyRight:
		v.Pan(-v.width()/8, 0)
	case fyne.KeyUp:
		v.selected = max(v.selected-1, 0)
	case fyne.KeyDown:
		v.selected = min(v.selected+1, len(v.rows)-1)
	case fyne.KeyEscape:
		v.selected, v.cursor = -1, -1
	}
	v.point()
	v.redraw()
}

// Resize remembers the size.
func (v *View) Resize(s fyne.Size) {
	v.size = s
	v.BaseWidget.Resize(s)
}

// MinSize is the least in which something can be seen.
func (v *View) MinSize() fyne.Size { return fyne.NewSize(300, 150) }

// Refresh draws again.
func (v *View) Refresh() { v.redraw() }

// CreateRenderer shows the picture.
func (v *View) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.raster) }

// look of the states: the colour of the resource, and a hatch.
func style(s palette.Scheme, state recording.State) (color.NRGBA, paint.Hatch) {
	switch state {
	case recording.Running:
		return s.State(palette.CPU), paint.Solid
	case recording.Ready:
		return palette.Mix(s.Paper, s.State(palette.CPU), 0.45), paint.Dots
	case recording.LockWait:
		return s.State(palette.Lock), paint.Cross
	case recording.SignalWait:
		return palette.Mix(s.Paper, s.State(palette.Lock), 0.5), paint.Cross
	case recording.DiskWait:
		return palette.Mix(s.Paper, s.State(palette.Disk), 0.5), paint.Diagonal
	case recording.DiskService:
		return s.State(palette.Disk), paint.Diagonal
	case recording.QueueWait:
		return palette.Mix(s.Paper, s.State(palette.Queue), 0.35), paint.Dots
	case recording.Delay, recording.Other, recording.States:
	}
	return s.State(palette.Other), paint.Vertical
}

func (v *View) paint(w, h int) image.Image {
	k := float32(1)
	if v.size.Width > 0 {
		k = float32(w) / v.size.Width
	}
	s, now := look.Scheme(), v.scene
	now.blocks, now.ranges = nil, nil // of whoever paints
	perTime := float64(k*v.width()) / float64(max(v.to-v.from, 1))
	at := ours.Mapping{SX: perTime, X: float64(k*gutter) - perTime*float64(v.from), SY: 1, Y: -math.Round(float64(k * v.scroll))}
	return v.motion.Frame(w, h, ours.Scene{At: at, Revision: v.revision, Paint: func() *image.RGBA {
		r := paint.NewRaster(w, h, k, look.Fonts())
		r.Clear(s.Paper)
		if now.rec != nil {
			now.paintRows(r, s, k)
			now.paintAxis(r, s)
		}
		now.paintRing(r, s)
		return r.Image
	}, Move: func(dst, last *image.RGBA, from ours.Mapping) {
		r := paint.On(dst, k, look.Fonts())
		r.Clear(s.Paper)
		left, top, ring := int(gutter*k), int(axisHeight*k), int(2*k)+1
		ours.Move(dst, last, image.Rect(left, top, w-ring, h-ring), from, at, s.Paper)
		names := ours.Mapping{SX: 1, SY: 1, Y: at.Y}
		ours.Move(dst, last, image.Rect(ring, top, left, h-ring), ours.Mapping{SX: 1, SY: 1, Y: from.Y}, names, s.Paper)
		now.paintAxis(r, s)
		now.paintRing(r, s)
	}})
}

// paintRing shows that keys act here.
func (v *scene) paintRing(r *paint.Raster, s palette.Scheme) {
	if v.focused {
		r.Stroke(paint.Pen{Color: s.Accent, Width: 2}, paint.Rect(1, 1, v.size.Width-2, v.size.Height-2))
	}
}

func (v *scene) paintRows(r *paint.Raster, s palette.Scheme, k float32) {
	pixels := int(v.width() * k)
	y := axisHeight - v.scroll
	for i, x := range v.rows {
		if x.first {
			if y > -headHeight && y < v.size.Height {
				r.Text(paint.Text{At: paint.Point{X: 8, Y: y + headHeight/2 + 2}, S: x.group.String(), Size: 11, Bold: true, Color: s.Muted})
			}
			y += headHeight
		}
		if y > -rowHeight && y < v.size.Height {
			if i == v.selected {
				r.Block(0, y, v.size.Width, rowHeight, s.Tint, paint.Solid)
			}
			room := float32(gutter - 24)
			if x.counter != nil {
				room -= counterRoom
			}
			name := look.Fonts().FitMiddle(x.name, 12, false, room)
			r.Text(paint.Text{At: paint.Point{X: 16, Y: y + rowHeight/2}, S: name, Size: 12, Color: s.Ink})
			if x.lane != nil {
				v.paintLane(r, s, x.lane, y+(rowHeight-barHeight)/2, pixels)
				for _, g := range v.path[x.name] {
					x0, x1 := max(v.x(g.Start), gutter), min(v.x(g.End), v.size.Width)
					if x1 > x0 && x.group == recording.Threads {
						r.Block(x0, y+rowHeight-4, max(x1-x0, 1), 4, s.Bad, paint.Solid)
					}
				}
			} else {
				v.paintCounter(r, s, x, y+(rowHeight-barHeight)/2, k, pixels)
			}
		}
		y += rowHeight
	}
	v.paintArrows(r, s)
	if v.cursor >= v.from && v.cursor <= v.to {
		x := v.x(v.cursor)
		r.Stroke(paint.Pen{Color: s.Accent, Width: 1.5}, paint.Line(paint.Point{X: x, Y: axisHeight}, paint.Point{X: x, Y: v.size.Height}))
	}
}

// Spans that are at least apart wide leave a seam before the next one.
const apart, seam = 5, 1

func (v *scene) paintLane(r *paint.Raster, s palette.Scheme, l *recording.Lane, y float32, pixels int) {
	v.blocks = l.Preview(v.blocks[:0], v.from, v.to, pixels)
	for i := range v.blocks {
		b := &v.blocks[i]
		x0, x1 := max(v.x(b.Start), gutter), min(v.x(b.End), v.size.Width)
		if x1 <= gutter {
			continue
		}
		if b.Spans == 1 {
			state, _ := b.Main()
			c, hatch := style(s, state)
			if x1-x0 >= apart { // two tasks after each other are two, though both run
				x1 -= seam
			}
			r.Block(x0, y, x1-x0, barHeight, c, hatch)
			continue
		}
		// Several spans share these pixels: the mixture of their colours by time.
		c, sum := s.Paper, 0.0
		length := float64(max(b.End-b.Start, 1))
		for state, t := range b.Spent {
			if t == 0 {
				continue
			}
			sum += float64(t) / length
			of, _ := style(s, recording.State(state))
			c = palette.Mix(c, of, float64(t)/length/max(sum, 1e-9))
		}
		r.Block(x0, y, x1-x0, barHeight, palette.Mix(s.Paper, c, max(sum, 0.15)), paint.Solid)
	}
}

func (v *scene) paintCounter(r *paint.Raster, s palette.Scheme, x row, y, k float32, pixels int) {
	v.ranges = x.counter.Preview(v.ranges[:0], v.from, v.to, pixels)
	solid := s.State(palette.Queue)
	pale := palette.Mix(s.Paper, solid, 0.4)
	for i, p := range v.ranges {
		at := gutter + float32(i)/k
		high := barHeight * float32(p.Max) / float32(x.most)
		low := barHeight * float32(p.Min) / float32(x.most)
		if p.Max > 0 {
			r.Block(at, y+barHeight-high, 1/k, high, pale, paint.Solid)
		}
		if p.Min > 0 {
			r.Block(at, y+barHeight-low, 1/k, low, solid, paint.Solid)
		}
	}
	r.Text(paint.Text{At: paint.Point{X: gutter - 4, Y: y + barHeight/2}, S: fmt.Sprintf("max %d", x.most), Size: 10, Align: paint.Right, Color: s.Muted})
}

// paintAxis draws the time axis over the rows.
func (v *scene) paintAxis(r *paint.Raster, s palette.Scheme) {
	r.Block(0, 0, v.size.Width, axisHeight, s.Surface, paint.Solid)
	span := (v.to - v.from).Seconds()
	if span <= 0 {
		return
	}
	unit := quantity.For("s", v.to.Seconds())
	tick := niceStep(span / float64(max(v.width()/110, 1)))
	decimals := max(0, int(math.Ceil(-math.Log10(tick/unit.Divisor)-1e-9)))
	for t := math.Ceil(v.from.Seconds()/tick) * tick; t <= v.to.Seconds(); t += tick {
		x := v.x(des.Seconds(t))
		if x < gutter {
			continue
		}
		r.Block(x, axisHeight-5, 1, 5, s.Edge, paint.Solid)
		r.Text(paint.Text{At: paint.Point{X: x + 4, Y: axisHeight / 2}, S: quantity.Fixed(t/unit.Divisor, decimals) + " " + unit.Unit, Size: 11, Color: s.Muted})
	}
	r.Block(0, axisHeight-1, v.size.Width, 1, s.Line, paint.Solid)
	r.Block(gutter-1, 0, 1, v.size.Height, s.Line, paint.Solid)
}

// niceStep is 1, 2 or 5 times a power of ten, at least v.
func niceStep(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if p*m >= v {
			return p * m
		}
	}
	return 10 * p
}

func contains(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
