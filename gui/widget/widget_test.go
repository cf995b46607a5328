package widget

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/chart"
	"tierscope/gui/diagram"
	"tierscope/gui/graphlayout"
	"tierscope/gui/look"
)

func app(t testing.TB) {
	t.Helper()
	a := test.NewApp()
	a.Settings().SetTheme(look.Theme{Mode: look.Light})
	t.Cleanup(a.Quit)
}

func column(d *DataTable, c int) string {
	var out []string
	for _, r := range d.Rows() {
		out = append(out, r[c].Text)
	}
	return strings.Join(out, " ")
}

func TestATableSortsNumbersAsNumbersAndTurnsAround(t *testing.T) {
	app(t)
	d := NewDataTable(Column{Title: "name"}, Column{Title: "R", Right: true})
	d.SetRows([][]Cell{
		{TextCell("b"), NumberCell("9.0 ms", 0.009)},
		{TextCell("c"), NumberCell("10 ms", 0.010)},
		{TextCell("a"), NumberCell("100 µs", 0.0001)},
	})
	d.SortBy(1)
	if got := column(d, 0); got != "a b c" {
		t.Errorf("by R: %s, want a b c", got)
	}
	d.SortBy(1)
	if got := column(d, 0); got != "c b a" {
		t.Errorf("by R, turned: %s, want c b a", got)
	}
	selected := -1
	d.OnSelect = func(row int) { selected = row }
	d.table.OnSelected(widget.TableCellID{Row: 0})
	if selected != 1 {
		t.Errorf("the first row shown selects %d, want 1: c's place in SetRows", selected)
	}
}

// A logarithmic slider gives every factor the same room.
// 259.8 ns are neither shown nor typed as 2.598e-07 s.
func TestAKnobOfATimeIsInTheUnitThatSuitsIt(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "switching", Unit: "s", Baseline: 259.81e-9, Min: 26e-9, Max: 2.6e-6})
	if k.entry.Text != "259.8" || k.scale.Unit != "ns" {
		t.Errorf("the knob shows %q %s, want 259.8 ns", k.entry.Text, k.scale.Unit)
	}
	k.Submit("259.8")
	if k.Value() != 259.81e-9 {
		t.Errorf("Enter without a change makes it %g s", k.Value())
	}
	k.Submit("500")
	if math.Abs(k.Value()-500e-9) > 1e-18 {
		t.Errorf("500 typed is %g s, want 500 ns", k.Value())
	}
	k.Submit("5000")
	if k.Note() != "between 26 and 2600" {
		t.Errorf("too large a time is refused with %q", k.Note())
	}
}

// A whole number goes by one, another by a position of its slider, here one of 200 between 0 and 200; neither
// leaves its range.
func TestTheArrowKeysChangeANumberInItsField(t *testing.T) {
	app(t)
	for _, c := range []struct {
		spec KnobSpec
		keys []fyne.KeyName
		want float64
	}{
		{KnobSpec{Title: "workers", Baseline: 4, Min: 1, Max: 64, Integer: true}, []fyne.KeyName{fyne.KeyUp, fyne.KeyUp, fyne.KeyDown}, 5},
		{KnobSpec{Title: "workers", Baseline: 1, Min: 1, Max: 64, Integer: true}, []fyne.KeyName{fyne.KeyDown}, 1},
		{KnobSpec{Title: "delay", Baseline: 100, Min: 0, Max: 200}, []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown}, 97},
		{KnobSpec{Title: "delay", Baseline: 200, Min: 0, Max: 200}, []fyne.KeyName{fyne.KeyUp}, 200},
	} {
		k := NewKnob(c.spec)
		told := c.spec.Baseline
		k.OnChanged = func(v float64) { told = v }
		for _, key := range c.keys {
			k.entry.TypedKey(&fyne.KeyEvent{Name: key})
		}
		if k.Value() != c.want || told != c.want {
			t.Errorf("%s from %g by %v: %g, and whoever listens was told %g; want %g", c.spec.Title, c.spec.Baseline, c.keys, k.Value(), told, c.want)
		}
	}
}

// Whoever types what cannot be reads what can be, in the colour of an error and not cut off; the field shows the number
// that counts as soon as it is left, and the number alone takes the message away.
func TestAKnobSaysWhatItCannotTake(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "workers", Unit: "threads", Baseline: 8, Min: 1, Max: 1000, Integer: true})
	w := test.NewTempWindow(t, k)
	w.Resize(fyne.NewSize(300, 100))
	for _, text := range []string{"-3", "1e9", "many"} {
		k.entry.SetText(text)
		k.entry.FocusLost()
		if k.note.Importance != widget.DangerImportance {
			t.Errorf("%q: the message %q has not the colour of an error", text, k.Note())
		}
		if room := fyne.MeasureText(k.Note(), look.CaptionSize, k.note.TextStyle).Width; room > k.note.Size().Width {
			t.Errorf("%q: the message %q needs %g and has %g", text, k.Note(), room, k.note.Size().Width)
		}
		if k.entry.Text != "8" || k.Value() != 8 {
			t.Errorf("%q: the field says %q, the value is %g", text, k.entry.Text, k.Value())
		}
	}
	k.Submit("16")
	if k.note.Importance == widget.DangerImportance || !k.title.Visible() {
		t.Errorf("16 is taken and the knob says %q", k.Note())
	}
}

func TestASliderOverDecadesIsLogarithmic(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "rate", Baseline: 10, Min: 1, Max: 1000})
	for _, c := range []struct{ position, want float64 }{{0, 1}, {1.0 / 3, 10}, {2.0 / 3, 100}, {1, 1000}} {
		if got := k.at(c.position * k.slider.Max); got < c.want*0.98 || got > c.want*1.02 {
			t.Errorf("position %.2f gives %v, want about %v", c.position, got, c.want)
		}
	}
	for _, v := range []float64{1, 7, 250, 1000} {
		k.Set(v)
		if k.Value() != v {
			t.Errorf("a value that was set, %v, became %v by the slider's steps", v, k.Value())
		}
	}
}

// What may be a hundred thousand is seldom asked about: the slider covers what is, and more is typed. Beyond its end
// the slider stays there, and arrow keys go on from the number.
func TestASliderCoversWhatIsAskedAboutAndTypingGoesFurther(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "rate", Baseline: 200, Min: 0.2, Max: 200_000, Slide: [2]float64{20, 2000}})
	for _, c := range []struct{ position, want float64 }{{0, 20}, {0.5, 200}, {1, 2000}} {
		if got := k.at(c.position * k.slider.Max); math.Abs(got/c.want-1) > 0.02 {
			t.Errorf("position %g gives %g, want about %g", c.position, got, c.want)
		}
	}
	k.Submit("50000")
	if k.Value() != 50_000 || k.slider.Value != k.slider.Max {
		t.Errorf("50000 typed is %g, the slider at %g of %g", k.Value(), k.slider.Value, k.slider.Max)
	}
	k.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if k.Value() != 50_001 {
		t.Errorf("the arrow key makes it %g, want 50001", k.Value())
	}
	k.ShowCurve(Spark{Line: []SparkPoint{{At: 10}, {At: 100}, {At: 2000}, {At: 9000}}})
	if seen := k.spark.seen(k.Curve().Line); len(seen) != 2 || seen[0].At != 100 || seen[1].At != 2000 {
		t.Errorf("the curve under it shows %+v, want what lies on the slider", seen)
	}
}

// A slider from 0 to 200 whose run supports 50 to 150, at 100: a tick in the
// middle, dashes in the outer quarters only.
func TestASliderMarksItsBaselineAndWhereEvidenceEnds(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "rate", Baseline: 100, Min: 0, Max: 200, Supported: [2]float64{50, 150}})
	m := k.marks()
	m.Resize(fyne.NewSize(200+2*trackEnd(), 30)) // a pixel for every unit
	dashes := 0
	objects := test.WidgetRenderer(m).Objects()
	for _, o := range objects[:len(objects)-1] {
		at := o.Position().X - trackEnd()
		if at > 47 && at < 150 {
			t.Errorf("a dash at %g, where there is evidence", at)
		}
		dashes++
	}
	if dashes < 10 {
		t.Errorf("%d dashes, want both outer quarters filled", dashes)
	}
	if tick := objects[len(objects)-1].Position().X - trackEnd() + tickWidth/2; tick != 100 {
		t.Errorf("the tick of the baseline is at %g, want 100", tick)
	}
}

func TestAKnobWarnsOutsideTheEvidence(t *testing.T) {
	app(t)
	k := NewKnob(KnobSpec{Title: "rate", Baseline: 60, Min: 1, Max: 1000, Supported: [2]float64{10, 200}})
	k.Submit("300")
	if k.Note() != "extrapolation" {
		t.Errorf("note %q at 300, want a warning: the run supports 10…200", k.Note())
	}
	k.Submit("120")
	if !strings.Contains(k.Note(), "was 60") || !strings.Contains(k.Note(), "+100") {
		t.Errorf("note %q at 120, want the baseline and the change", k.Note())
	}
}

func TestAPlotRendersInTheBackgroundTellsValuesAndTurnsIntoATable(t *testing.T) {
	app(t)
	r := background.NewLocal()
	p := NewPlot(r)
	p.SetFigure(chart.Lines{X: chart.Axis{Label: "rate", Unit: "1/s"}, Y: chart.Axis{Label: "R", Unit: "s"},
		Series: []chart.Series{{Name: "predicted", Points: []chart.Point{{X: 10, Y: 0.01, ID: "run 1"}, {X: 20, Y: 0.02, ID: "run 2"}}}}})
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(500, 300))
	for range 3 {
		w.Canvas().Capture()
		r.Settle()
	}
	if p.picture.Image == nil {
		t.Fatal("no picture")
	}
	tapped := ""
	p.OnTap = func(id string) { tapped = id }
	for x := float32(0); x < 480 && tapped != "run 2"; x += 8 {
		for y := float32(0); y < 280; y += 8 {
			if _, _, ok := p.hit(fyne.NewPos(x, y)); ok {
				p.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)})
				p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}})
			}
		}
	}
	if tapped != "run 2" || p.Tip() == "" {
		t.Errorf("tapped %q, tip %q; want the points to be found", tapped, p.Tip())
	}
	p.ToggleTwin()
	if n := len(p.table.Rows()); n != 2 {
		t.Errorf("the table has %d rows, want the 2 points", n)
	}
}

// says reports whether a label that is visible in o contains a text.
func says(o fyne.CanvasObject, text string) bool {
	for _, part := range test.LaidOutObjects(o) {
		if l, ok := part.(*widget.Label); ok && l.Visible() && strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

func TestAPlotWithNothingToShowSaysWhyInsteadOfAxes(t *testing.T) {
	app(t)
	p := NewPlot(background.NewLocal())
	test.NewTempWindow(t, p).Resize(fyne.NewSize(500, 300))
	p.Otherwise("Nothing has run yet", "Press Run.")
	p.SetFigure(chart.Lines{Title: "R"})
	if !says(p.blank.root, "Nothing has run yet") || !says(p.blank.root, "Press Run.") || !p.blank.root.Visible() || p.raster.Visible() {
		t.Error("a figure without points is drawn, or the plot does not say why it is empty")
	}
	p.ToggleTwin()
	if p.table.Visible() {
		t.Error("its table is shown, which is empty too")
	}
	p.SetFigure(chart.Lines{Series: []chart.Series{{Points: []chart.Point{{X: 1, Y: 1}}}}})
	if p.blank.root.Visible() || !p.table.Visible() {
		t.Error("a figure with a point is not shown")
	}
}

// Made narrower, a text takes more lines; what is below moves at once.
func TestWrappedTextDoesNotRunIntoWhatIsBelow(t *testing.T) {
	app(t)
	for name, c := range map[string]*fyne.Container{"Stacked": Stacked(), "Close": Close()} {
		upper, lower := Wrapped("a program with a very long name and as many arguments"), Wrapped("below")
		c.Add(upper)
		c.Add(lower)
		c.Resize(fyne.NewSize(600, 400))
		wide := upper.Size().Height
		c.Resize(fyne.NewSize(120, 400))
		if upper.Size().Height <= wide || upper.Size().Height != upper.MinSize().Height || lower.Position().Y < upper.Size().Height-9 {
			t.Errorf("%s: the text is %g high of %g, and what is below begins at %g", name, upper.Size().Height, upper.MinSize().Height, lower.Position().Y)
		}
	}
}

func TestATableWithoutRowsSaysWhy(t *testing.T) {
	app(t)
	d := NewDataTable(Column{Title: "name"})
	d.Otherwise("No run passes the filter", "Change it.")
	if !d.blank.root.Visible() || !says(d.blank.root, "No run passes the filter") {
		t.Error("the table is empty without a word")
	}
	d.SetRows([][]Cell{{TextCell("a")}})
	if d.blank.root.Visible() {
		t.Error("a row is there, and the table says that there is none")
	}
}

// big is a diagram of n nodes whose places are made up, because Graphviz is
// not what is measured.
func big(n int) *diagram.Placed {
	r := rand.New(rand.NewPCG(1, 1))
	d := &diagram.Diagram{Name: "big"}
	p := &diagram.Placed{Diagram: d, W: 200 * 40, H: float32(n) / 40 * 90}
	for i := range n {
		d.Nodes = append(d.Nodes, diagram.Node{Path: fmt.Sprint(i), Title: fmt.Sprintf("function%d", i), Detail: "2.00 ms CPU", Shape: diagram.Shape(i % 11)})
		p.Boxes = append(p.Boxes, diagram.Rect{X: float32(i%40)*200 + 90, Y: float32(i/40)*90 + 40, W: 150, H: 46})
	}
	for i := 1; i < n; i++ {
		from, to := p.Boxes[max(0, i-1-r.IntN(40))], p.Boxes[i]
		d.Edges = append(d.Edges, diagram.Edge{From: i - 1, To: i, Label: "0.5", Share: r.Float64()})
		p.Lines = append(p.Lines, graphlayout.Curve{Label: graphlayout.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2},
			Points: []graphlayout.Point{{X: from.X, Y: from.Y}, {X: from.X, Y: to.Y}, {X: to.X, Y: from.Y}, {X: to.X, Y: to.Y}}})
	}
	return p
}

// A frame of a pan has 16 ms.
func BenchmarkGraphFrame(b *testing.B) {
	app(b)
	for _, n := range []int{30, 300, 2000} {
		for _, zoom := range []string{"all", "near"} {
			b.Run(fmt.Sprintf("nodes=%d/%s", n, zoom), func(b *testing.B) {
				g := NewGraph()
				g.Resize(fyne.NewSize(1200, 800))
				g.SetDiagram(big(n))
				g.Fit()
				if zoom == "near" {
					g.Zoom(fyne.NewPos(600, 400), 1/g.View().Scale)
				}
				g.paint(1200, 800)
				for b.Loop() {
					g.Pan(1, 0)
					g.paint(1200, 800)
				}
			})
		}
	}
}

// Of a diagram that is too large for its letters one sees the beginning, and nothing beside it; 0 shows all.
func TestADiagramOpensWhereItBeginsAndCanBeRead(t *testing.T) {
	app(t)
	g := NewGraph()
	g.Resize(fyne.NewSize(600, 400))
	d := big(300)
	g.SetDiagram(d)
	if k := g.View().Scale; k != legible {
		t.Fatalf("300 nodes open at scale %g, want %g", k, float32(legible))
	}
	first := max(slices.IndexFunc(d.Nodes, func(n diagram.Node) bool { return n.Entry }), 0)
	if at := g.NodePosition(first); at.X < 0 || at.X > 600 || at.Y < 0 || at.Y > 400 {
		t.Errorf("the first node is at %v, outside of 600×400", at)
	}
	if x, y := g.View().ToScreen(0, 0); x > 24 || y > 24 {
		t.Errorf("the diagram begins at %g, %g: there is empty room before it", x, y)
	}
	if x, y := g.View().ToScreen(d.W, d.H); x < 600-24 || y < 400-24 {
		t.Errorf("the diagram ends at %g, %g: there is empty room after it", x, y)
	}
	g.TypedRune('0')
	if x, y := g.View().ToScreen(d.W, d.H); x > 600 || y > 400 {
		t.Errorf("all of it ends at %g, %g, outside of 600×400", x, y)
	}
	small := big(2)
	small.W, small.H = 400, 100
	g.SetDiagram(small)
	if k := g.View().Scale; k != 1.25 {
		t.Errorf("a small diagram opens at scale %g, want all the room it may have", k)
	}
}

func TestTheWheelZoomsOrScrollsAsTheAnalystWants(t *testing.T) {
	app(t)
	g := NewGraph()
	g.Resize(fyne.NewSize(600, 400))
	g.SetDiagram(big(300))
	turn := &fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(300, 200)}, Scrolled: fyne.NewDelta(0, -30)}
	before := g.View()
	g.Scrolled(turn)
	if now := g.View(); now.Scale >= before.Scale {
		t.Errorf("turned, the scale is %g of %g before, want less", now.Scale, before.Scale)
	}
	g.Scrolls = func() bool { return true }
	before = g.View()
	g.Scrolled(turn)
	if now := g.View(); now.Scale != before.Scale || now.Y != before.Y-30 {
		t.Errorf("turned, the view is at %g of scale %g, want 30 pixels further than %g and the scale %g", now.Y, now.Scale, before.Y, before.Scale)
	}
}

func TestTwoTapsOpenOnlyWhenTheyComeTogether(t *testing.T) {
	app(t)
	now := time.Unix(0, 0)
	g := NewGraph()
	g.Now = func() time.Time { return now }
	g.Resize(fyne.NewSize(600, 400))
	g.SetDiagram(big(4))
	opened := 0
	g.OnOpen = func(int) { opened++ }
	tapAt := func(after time.Duration) {
		now = now.Add(after)
		g.Tapped(&fyne.PointEvent{Position: g.NodePosition(1)})
	}
	tapAt(0)
	tapAt(time.Second)
	if opened != 0 {
		t.Error("two taps a second apart opened the node")
	}
	tapAt(100 * time.Millisecond)
	if opened != 1 {
		t.Errorf("two taps 100 ms apart opened %d times, want once", opened)
	}
}

// While a slider is dragged its values are told as moves, and the last one as a change when it is let go, though the page shows
// each value on the knob meanwhile; a typed number is a change.
func TestASliderTellsMovesAndThenTheChange(t *testing.T) {
	test.NewTempApp(t)
	k := NewKnob(KnobSpec{Title: "workers", Baseline: 4, Min: 1, Max: 16, Integer: true})
	var told []string
	k.OnMoved = func(v float64) {
		told = append(told, fmt.Sprintf("moved %g", v))
		k.Set(v)
	}
	k.OnChanged = func(v float64) { told = append(told, fmt.Sprintf("changed %g", v)) }
	w := test.NewTempWindow(t, k)
	w.Resize(fyne.NewSize(300, 100))
	width := k.slider.Size().Width
	for _, share := range []float32{.4, .6, .8} {
		k.slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(share*width, 5)}})
	}
	k.slider.DragEnd()
	k.Submit("5")
	if n := len(told); n < 4 || !strings.HasPrefix(told[n-3], "moved ") || told[n-2] != strings.Replace(told[n-3], "moved", "changed", 1) || told[n-1] != "changed 5" {
		t.Errorf("told %q, want moves, the last of them as a change, and the typed number as one", told)
	}
}

// Where there is little room the names of metrics are shortened to their ends, and the numbers are not cut off.
func TestNumbersHaveTheRoomOfATableFirst(t *testing.T) {
	test.NewTempApp(t)
	d := NewDataTable(Column{Title: "Metric", Names: true}, Column{Title: "A", Right: true}, Column{Title: "B", Right: true}, Column{Title: "B − A", Right: true})
	d.SetRows([][]Cell{{TextCell("Response time R, in jobs (p95)"), TextCell("1.89 ms [1.62, 2.15]"), TextCell("1.86 ms [1.54, 2.18]"), TextCell("−29.9 µs [−115.6, 55.8]")}})
	w := test.NewTempWindow(t, d)
	w.Resize(fyne.NewSize(568, 200))
	var right float32
	for _, o := range test.LaidOutObjects(d) {
		if h, ok := o.(*headerView); ok {
			right = max(right, h.Position().X+h.Size().Width)
		}
	}
	if right == 0 || right > d.Size().Width {
		t.Errorf("the columns reach to %g of %g", right, d.Size().Width)
	}
}

// A forecast that nothing but rounding distinguishes, and one that grows by a percent, are flat;
// one that doubles fills the strip.
func TestACurveThatHardlyChangesLooksFlat(t *testing.T) {
	app(t)
	s := newSpark(func(v float64) (float64, bool) { return v, true })
	s.Resize(fyne.NewSize(200, sparkHeight))
	height := func(last float64) int {
		s.set(Spark{Line: []SparkPoint{{At: 0, Y: 0.6230915857954267}, {At: .5, Y: 0.6230915857954267 + 1e-16}, {At: 1, Y: last}}})
		s.paint(200, sparkHeight) // sets the size of the raster
		s.raster.Resize(fyne.NewSize(200, sparkHeight))
		img := s.paint(200, sparkHeight)
		low, high := sparkHeight, 0
		for x := range 200 {
			for y := range sparkHeight {
				if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
					low, high = min(low, y), max(high, y)
				}
			}
		}
		return high - low
	}
	for last, want := range map[float64][2]int{0.6230915857954267: {0, 3}, 0.6230915857954267 + 2e-16: {0, 3}, 0.629: {0, 5}, 1.3: {12, sparkHeight}} {
		if got := height(last); got < want[0] || got > want[1] {
			t.Errorf("to %v the curve is %d pixels high, want %d to %d", last, got, want[0], want[1])
		}
	}
}
