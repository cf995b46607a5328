package widget

import (
	"image"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/graphlayout"
	"tierscope/gui/look"
	"tierscope/gui/paint"
)

// Graph shows a placed diagram: the wheel zooms about the pointer or pans, dragging pans,
// a tap selects, a double tap opens, arrow keys walk along the edges. One
// picture holds everything, so a thousand nodes cost no more objects than one.
type Graph struct {
	widget.BaseWidget
	Pointer
	OnSelect func(node int)                   // −1: nothing
	OnOpen   func(node int)                   // double tap or Enter
	OnMenu   func(node int, at fyne.Position) // secondary tap; at is absolute
	OnRune   func(rune)                       // keys that the graph does not know
	OnArrow  func(fyne.KeyName) bool          // reports whether a key means something else than along the edges
	OnKey    func(*fyne.KeyEvent)
	OnView   func() // after every change of what is seen
	// Scrolls reports whether the wheel pans; nil: it zooms.
	Scrolls func() bool
	// Now tells two taps from a double tap. A widget that is DoubleTappable
	// would get its single taps only after a delay.
	Now func() time.Time

	placed   *diagram.Placed
	view     diagram.View
	touched  bool // the analyst has zoomed or panned: a resize does not fit any more
	size     fyne.Size
	raster   *canvas.Raster
	motion   Motion
	revision int // of everything but the view's scale and place
	lastTap  tap
}

// tap is when a node was tapped.
type tap struct {
	node int
	at   time.Time
}

// doubleTap is the longest time between the taps of a double tap.
const doubleTap = 400 * time.Millisecond

// NewGraph returns an empty graph.
func NewGraph() *Graph {
	g := &Graph{view: diagram.View{Scale: 1, Selected: -1, Hover: -1}, Now: time.Now}
	g.Pointer = NewPointer(g.Pan, func(p fyne.Position) { g.hover(g.at(p)) }, func() { g.hover(-1) })
	g.raster = canvas.NewRaster(g.paint)
	g.motion.Refresh = g.raster.Refresh
	g.ExtendBaseWidget(g)
	return g
}

// PaintWith lets a large diagram move at once and be painted exactly in the
// background by r.
func (g *Graph) PaintWith(r *background.Runner) { g.motion.Runner = r }

// SetDiagram shows another diagram, so much of it as can be read; nil shows none.
func (g *Graph) SetDiagram(p *diagram.Placed) {
	g.placed, g.touched = p, false
	g.view = diagram.View{Scale: 1, Selected: -1, Hover: -1, Focused: g.view.Focused}
	g.revision++
	if p == nil {
		g.moved()
		return
	}
	g.begin()
}

// legible is the scale below which the letters of a diagram are no longer read.
const legible = 0.72

// begin is the first view: the whole diagram if it can be read so, or else as much of it, from where it is
// entered, as can.
func (g *Graph) begin() {
	g.Fit()
	if g.placed == nil || g.size.Width <= 0 || g.view.Scale >= legible || len(g.placed.Nodes) == 0 {
		return
	}
	const margin = 24
	first := max(slices.IndexFunc(g.placed.Nodes, func(n diagram.Node) bool { return n.Entry }), 0)
	at := g.placed.Boxes[first]
	place := func(whole, size, of, before float32) float32 {
		if whole*legible+2*margin <= size {
			return (size - whole*legible) / 2
		}
		return min(max(before-of*legible, size-margin-whole*legible), margin)
	}
	x, y := g.size.Width/2, at.H*legible/2+margin
	if g.placed.Direction == graphlayout.LeftRight {
		x, y = at.W*legible/2+margin, g.size.Height/2
	}
	g.view.Scale = legible
	g.view.X, g.view.Y = place(g.placed.W, g.size.Width, at.X, x), place(g.placed.H, g.size.Height, at.Y, y)
	g.moved()
}

// Diagram returns what is shown, nil if nothing is.
func (g *Graph) Diagram() *diagram.Placed { return g.placed }

// View returns how it is seen.
func (g *Graph) View() diagram.View { return g.view }

// SetOverlay colours the nodes by heat 0…1 (negative: not known) and shows
// the notes as their second lines; nil takes the overlay away.
func (g *Graph) SetOverlay(heat []float64, notes []string) {
	g.view.Heat, g.view.Note, g.view.Signed, g.view.Flow = heat, notes, nil, nil
	g.redraw()
}

// SetContrast colours nodes and edges by a difference −1…1 and shows the notes
// as the second lines of the nodes.
func (g *Graph) SetContrast(nodes, edges []float64, notes []string) {
	g.view.Heat, g.view.Note, g.view.Signed, g.view.Flow = nil, notes, nodes, edges
	g.redraw()
}

// SetTokens shows what is where at a moment; nil shows nothing.
func (g *Graph) SetTokens(tokens []diagram.Token) {
	g.view.Tokens = tokens
	g.redraw()
}

// Fit shows the whole diagram.
func (g *Graph) Fit() {
	if g.placed == nil || g.size.Width <= 0 {
		return
	}
	v := g.placed.Fit(g.size.Width, g.size.Height)
	g.view.Scale, g.view.X, g.view.Y = v.Scale, v.X, v.Y
	g.touched = false
	g.moved()
}

// FitSelection shows the selected node and its neighbours.
func (g *Graph) FitSelection() {
	if g.placed == nil || g.view.Selected < 0 {
		g.Fit()
		return
	}
	b := g.placed.Boxes[g.view.Selected]
	x0, y0, x1, y1 := b.X-b.W/2, b.Y-b.H/2, b.X+b.W/2, b.Y+b.H/2
	for _, i := range g.neighbours(g.view.Selected) {
		n := g.placed.Boxes[i]
		x0, y0, x1, y1 = min(x0, n.X-n.W/2), min(y0, n.Y-n.H/2), max(x1, n.X+n.W/2), max(y1, n.Y+n.H/2)
	}
	const margin = 40
	k := min(g.size.Width/(x1-x0+2*margin), g.size.Height/(y1-y0+2*margin), 1.5)
	g.touched = true
	g.view.Scale = k
	g.view.X, g.view.Y = g.size.Width/2-(x0+x1)/2*k, g.size.Height/2-(y0+y1)/2*k
	g.moved()
}

func (g *Graph) neighbours(node int) []int {
	var out []int
	for _, e := range g.placed.Edges {
		switch node {
		case e.From:
			out = append(out, e.To)
		case e.To:
			out = append(out, e.From)
		}
	}
	return out
}

// Selected returns the selected node, −1 if there is none.
func (g *Graph) Selected() int { return g.view.Selected }

// Mark shows a node as selected and brings it into view, without OnSelect.
func (g *Graph) Mark(node int) {
	if g.placed != nil && node >= len(g.placed.Nodes) {
		node = -1
	}
	g.view.Selected = node
	g.reveal(node)
	g.redraw()
}

// Select selects a node.
func (g *Graph) Select(node int) {
	g.Mark(node)
	if g.OnSelect != nil {
		g.OnSelect(node)
	}
}

// reveal pans as little as needed to show a node.
func (g *Graph) reveal(node int) {
	if g.placed == nil || node < 0 || g.size.Width <= 0 {
		return
	}
	b := g.placed.Boxes[node]
	x, y := g.view.ToScreen(b.X, b.Y)
	const margin = 30
	hw, hh := b.W/2*g.view.Scale+margin, b.H/2*g.view.Scale+margin
	dx, dy := float32(0), float32(0)
	switch {
	case x < hw:
		dx = hw - x
	case x > g.size.Width-hw:
		dx = g.size.Width - hw - x
	}
	switch {
	case y < hh:
		dy = hh - y
	case y > g.size.Height-hh:
		dy = g.size.Height - hh - y
	}
	if dx != 0 || dy != 0 {
		g.touched = true
		g.view.X += dx
		g.view.Y += dy
	}
}

// Find marks the nodes whose title contains text and selects the first one
// after the selected; it returns how many there are.
func (g *Graph) Find(text string) int {
	g.view.Found = nil
	if g.placed == nil || text == "" {
		g.redraw()
		return 0
	}
	g.view.Found = map[int]bool{}
	text = strings.ToLower(text)
	var hits []int
	for i, n := range g.placed.Nodes {
		if strings.Contains(strings.ToLower(n.Title+" "+n.Path+" "+n.Detail), text) {
			hits = append(hits, i)
			g.view.Found[i] = true
		}
	}
	if len(hits) > 0 {
		next := slices.IndexFunc(hits, func(i int) bool { return i > g.view.Selected })
		g.Select(hits[max(next, 0)])
	}
	g.redraw()
	return len(hits)
}

// Zoom scales by f about a point.
func (g *Graph) Zoom(about fyne.Position, f float32) {
	g.touched = true
	k := min(max(g.view.Scale*f, 0.02), 5)
	f = k / g.view.Scale
	g.view.X = about.X - (about.X-g.view.X)*f
	g.view.Y = about.Y - (about.Y-g.view.Y)*f
	g.view.Scale = k
	g.moved()
}

// Pan moves the picture.
func (g *Graph) Pan(dx, dy float32) {
	g.touched = true
	g.view.X += dx
	g.view.Y += dy
	g.moved()
}

// Center puts a point of the diagram into the middle.
func (g *Graph) Center(x, y float32) {
	g.touched = true
	g.view.X, g.view.Y = g.size.Width/2-x*g.view.Scale, g.size.Height/2-y*g.view.Scale
	g.moved()
}

// NodePosition returns where a node's centre is in the widget.
func (g *Graph) NodePosition(node int) fyne.Position {
	b := g.placed.Boxes[node]
	return fyne.NewPos(g.view.ToScreen(b.X, b.Y))
}

func (g *Graph) at(p fyne.Position) int {
	if g.placed == nil {
		return -1
	}
	return g.placed.At(g.view, p.X, p.Y)
}

// Scrolled zooms about the pointer, or pans.
func (g *Graph) Scrolled(e *fyne.ScrollEvent) {
	if f, zooms := Turned(e, g.Scrolls); zooms {
		g.Zoom(e.Position, float32(f))
		return
	}
	g.Pan(e.Scrolled.DX, e.Scrolled.DY)
}

// Tapped selects; a second tap on the same node opens it.
func (g *Graph) Tapped(e *fyne.PointEvent) {
	Focus(g)
	now := tap{g.at(e.Position), g.Now()}
	again := now.node >= 0 && now.node == g.lastTap.node && now.at.Sub(g.lastTap.at) < doubleTap
	g.lastTap = now
	if again {
		g.open()
		return
	}
	g.Select(now.node)
}

func (g *Graph) open() {
	if g.view.Selected >= 0 && g.OnOpen != nil {
		g.OnOpen(g.view.Selected)
	}
}

// TappedSecondary shows the menu of a node.
func (g *Graph) TappedSecondary(e *fyne.PointEvent) {
	if i := g.at(e.Position); i >= 0 && g.OnMenu != nil {
		g.Select(i)
		g.OnMenu(i, e.AbsolutePosition)
	}
}

// hover shows which node is under the pointer, −1: none.
func (g *Graph) hover(node int) {
	if node != g.view.Hover {
		g.view.Hover = node
		g.redraw()
	}
}

// FocusGained shows the focus ring.
func (g *Graph) FocusGained() { g.view.Focused = true; g.redraw() }

// FocusLost hides it.
func (g *Graph) FocusLost() { g.view.Focused = false; g.redraw() }

// TypedRune zooms and fits.
func (g *Graph) TypedRune(r rune) {
	middle := fyne.NewPos(g.size.Width/2, g.size.Height/2)
	switch r {
	case '+', '=':
		g.Zoom(middle, 1.25)
	case '-', '_':
		g.Zoom(middle, 1/1.25)
	case '0':
		g.Fit()
	case 'f', 'F':
		if g.touched && g.view.Selected < 0 {
			g.Fit()
		} else {
			g.FitSelection()
		}
	default:
		if g.OnRune != nil {
			g.OnRune(r)
		}
	}
}

// TypedKey walks along the edges.
func (g *Graph) TypedKey(e *fyne.KeyEvent) {
	if g.OnArrow != nil && g.OnArrow(e.Name) {
		return
	}
	switch e.Name {
	case fyne.KeyLeft:
		g.walk(-1, 0)
	case fyne.KeyRight:
		g.walk(1, 0)
	case fyne.KeyUp:
		g.walk(0, -1)
	case fyne.KeyDown:
		g.walk(0, 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		g.open()
	case fyne.KeyEscape:
		g.view.Found = nil
		g.Select(-1)
	default:
		if g.OnKey != nil {
			g.OnKey(e)
		}
	}
}

// walk selects the neighbour that lies best in a direction; if there is none
// by an edge, the nearest node there.
func (g *Graph) walk(dx, dy float32) {
	if g.placed == nil || len(g.placed.Nodes) == 0 {
		return
	}
	if g.view.Selected < 0 {
		first := slices.IndexFunc(g.placed.Nodes, func(n diagram.Node) bool { return n.Entry })
		g.Select(max(first, 0))
		return
	}
	all := make([]int, len(g.placed.Nodes))
	for i := range all {
		all[i] = i
	}
	for _, candidates := range [][]int{g.neighbours(g.view.Selected), all} {
		if i := g.best(candidates, dx, dy); i >= 0 {
			g.Select(i)
			return
		}
	}
}

// best is the candidate nearest in a direction: distance along it, and twice
// the distance across.
func (g *Graph) best(candidates []int, dx, dy float32) int {
	from := g.placed.Boxes[g.view.Selected]
	found, least := -1, float32(math.MaxFloat32)
	for _, i := range candidates {
		b := g.placed.Boxes[i]
		x, y := b.X-from.X, b.Y-from.Y
		along, across := x*dx+y*dy, x*dy-y*dx
		if i == g.view.Selected || along < 1 {
			continue
		}
		if d := along + 2*max(across, -across); d < least {
			found, least = i, d
		}
	}
	return found
}

// Resize fits the diagram until the analyst has zoomed or panned.
func (g *Graph) Resize(s fyne.Size) {
	g.BaseWidget.Resize(s)
	g.size = s
	if !g.touched {
		g.begin()
	}
}

// MinSize is the least in which something can be seen.
func (g *Graph) MinSize() fyne.Size { return fyne.NewSize(200, 150) }

// Refresh draws again, in the theme's colours.
func (g *Graph) Refresh() {
	g.redraw()
	g.BaseWidget.Refresh()
}

func (g *Graph) paint(w, h int) image.Image {
	k := float32(1)
	if g.size.Width > 0 {
		k = float32(w) / g.size.Width
	}
	s, fonts, placed, view, size := look.Scheme(), look.Fonts(), g.placed, g.view, g.size
	ring := func(r *paint.Raster) {
		if view.Focused {
			r.Stroke(paint.Pen{Color: s.Accent, Width: 2}, paint.Rect(1, 1, size.Width-2, size.Height-2))
		}
	}
	scale := float64(view.Scale) * float64(k)
	at := Mapping{SX: scale, SY: scale, X: float64(view.X) * float64(k), Y: float64(view.Y) * float64(k)}
	return g.motion.Frame(w, h, Scene{At: at, Revision: g.revision, Paint: func() *image.RGBA {
		r := paint.NewRaster(w, h, k, fonts)
		r.Clear(s.Paper)
		if placed != nil {
			placed.Paint(r, view, size.Width, size.Height, s, fonts)
		}
		ring(r)
		return r.Image
	}, Move: func(dst, last *image.RGBA, from Mapping) {
		r := paint.On(dst, k, fonts)
		r.Clear(s.Paper)
		Move(dst, last, dst.Bounds().Inset(int(2*k)+1), from, at, s.Paper) // without the ring of the last picture
		ring(r)
	}})
}

// CreateRenderer shows the picture.
func (g *Graph) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.raster) }

// redraw paints the picture anew.
func (g *Graph) redraw() {
	g.revision++
	g.moved()
}

// moved shows the same picture from another place.
func (g *Graph) moved() {
	g.raster.Refresh()
	if g.OnView != nil {
		g.OnView()
	}
}

// Minimap shows where in a graph the view is; dragging or tapping moves it.
type Minimap struct {
	widget.BaseWidget
	of     *Graph
	raster *canvas.Raster
}

// NewMinimap returns the minimap of a graph; Refresh it when the view changes.
func NewMinimap(of *Graph) *Minimap {
	m := &Minimap{of: of}
	m.raster = canvas.NewRaster(m.paint)
	m.ExtendBaseWidget(m)
	return m
}

// MinSize is the size of the minimap.
func (m *Minimap) MinSize() fyne.Size { return fyne.NewSize(150, 96) }

// Refresh draws again.
func (m *Minimap) Refresh() { m.raster.Refresh() }

func (m *Minimap) fit() diagram.View {
	s := m.Size()
	k := min((s.Width-8)/max(m.of.placed.W, 1), (s.Height-8)/max(m.of.placed.H, 1))
	return diagram.View{Scale: k, X: (s.Width - m.of.placed.W*k) / 2, Y: (s.Height - m.of.placed.H*k) / 2, Selected: -1, Hover: -1}
}

func (m *Minimap) paint(w, h int) image.Image {
	s, size := look.Scheme(), m.Size()
	k := float32(1)
	if size.Width > 0 {
		k = float32(w) / size.Width
	}
	r := paint.NewRaster(w, h, k, look.Fonts())
	r.Clear(s.Surface)
	if m.of.placed != nil && size.Width > 0 {
		v := m.fit()
		for i, b := range m.of.placed.Boxes {
			x, y := v.ToScreen(b.X-b.W/2, b.Y-b.H/2)
			col := s.Edge
			if i == m.of.view.Selected {
				col = s.Accent
			}
			r.Fill(paint.Rect(x, y, max(b.W*v.Scale, 1.5), max(b.H*v.Scale, 1.5)), col)
		}
		x0, y0 := m.of.view.ToDiagram(0, 0)
		x1, y1 := m.of.view.ToDiagram(m.of.size.Width, m.of.size.Height)
		x0, y0 = v.ToScreen(x0, y0)
		x1, y1 = v.ToScreen(x1, y1)
		x0, y0, x1, y1 = max(x0, 1), max(y0, 1), min(x1, size.Width-1), min(y1, size.Height-1)
		r.Stroke(paint.Pen{Color: s.Accent, Width: 1.5}, paint.Rect(x0, y0, x1-x0, y1-y0))
	}
	r.Stroke(paint.Pen{Color: s.Line, Width: 1}, paint.Rect(0.5, 0.5, size.Width-1, size.Height-1))
	return r.Image
}

// Tapped moves the view.
func (m *Minimap) Tapped(e *fyne.PointEvent) { m.move(e.Position) }

// Dragged moves the view.
func (m *Minimap) Dragged(e *fyne.DragEvent) { m.move(e.Position) }

// DragEnd ends it.
func (m *Minimap) DragEnd() {}

func (m *Minimap) move(p fyne.Position) {
	if m.of.placed == nil {
		return
	}
	m.of.Center(m.fit().ToDiagram(p.X, p.Y))
	m.Refresh()
}

// CreateRenderer shows the picture.
func (m *Minimap) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(m.raster) }
