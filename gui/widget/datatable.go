package widget

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
)

// Column is a column of a data table.
type Column struct {
	Title string
	Right bool // numbers align right
	Names bool // of elements of the model: a long one keeps its end
}

// Cell is a cell of a data table.
type Cell struct {
	Text string
	Key  float64 // sorts the column; NaN sorts by text
	Tone Tone
	Fill color.Color // background of a heat-map cell, nil: none
}

// Tone is the voice of a cell.
type Tone uint8

// Tones.
const (
	Plain Tone = iota
	Strong
	Quiet // not significant
	GoodTone
	FairTone
	BadTone
)

// TextCell is a cell that sorts by its text.
func TextCell(s string) Cell { return Cell{Text: s, Key: math.NaN()} }

// NumberCell is a cell that sorts by a number.
func NumberCell(text string, v float64) Cell { return Cell{Text: text, Key: v} }

// DataTable is a virtualised table whose rows can be selected and whose
// columns can be sorted by tapping their titles.
type DataTable struct {
	widget.BaseWidget
	// OnSelect is called with the index of the row in SetRows' order.
	OnSelect func(row int)

	columns  []Column
	rows     [][]Cell
	order    []int // shown position → index in rows
	sorted   int   // column, −1: as given
	falling  bool
	selected int // index in rows, −1: none
	table    *widget.Table
	blank    *blank // instead of rows, nil: nothing is said
	stack    *fyne.Container
	width    float32
}

// NewDataTable returns an empty table.
func NewDataTable(columns ...Column) *DataTable {
	d := &DataTable{columns: columns, sorted: -1, selected: -1}
	d.table = widget.NewTableWithHeaders(
		func() (int, int) { return len(d.order), len(d.columns) },
		func() fyne.CanvasObject { return newCellView() },
		func(id widget.TableCellID, o fyne.CanvasObject) {
			i := d.order[id.Row]
			cell := Cell{}
			if id.Col < len(d.rows[i]) {
				cell = d.rows[i][id.Col]
			}
			o.(*cellView).set(cell, d.columns[id.Col], i == d.selected)
		})
	d.table.ShowHeaderColumn = false
	d.table.CreateHeader = func() fyne.CanvasObject { return newHeaderView() }
	d.table.UpdateHeader = func(id widget.TableCellID, o fyne.CanvasObject) {
		h := o.(*headerView)
		if id.Col < 0 || id.Col >= len(d.columns) {
			return
		}
		mark := ""
		if id.Col == d.sorted {
			mark = map[bool]string{false: " ▲", true: " ▼"}[d.falling]
		}
		h.set(d.columns[id.Col].Title+mark, d.columns[id.Col].Right, func() { d.SortBy(id.Col) })
	}
	d.table.OnSelected = func(id widget.TableCellID) {
		d.table.Unselect(id)
		if id.Row >= 0 && id.Row < len(d.order) {
			d.Select(d.order[id.Row])
		}
	}
	d.stack = container.NewStack(d.table)
	d.ExtendBaseWidget(d)
	return d
}

// Otherwise says what stands where there is no row: why, and what to do about it.
func (d *DataTable) Otherwise(why, hint string) {
	if d.blank == nil {
		d.blank = newBlank(why)
		d.stack.Add(d.blank.root)
	}
	d.blank.say(why, hint)
	d.said()
}

// SetColumns replaces the columns; rows stay until SetRows.
func (d *DataTable) SetColumns(columns ...Column) {
	d.columns, d.rows, d.order, d.sorted, d.selected = columns, nil, nil, -1, -1
	d.said()
	d.fit()
	d.table.Refresh()
}

// SetRows replaces the rows and keeps the sorting.
func (d *DataTable) SetRows(rows [][]Cell) {
	d.rows = rows
	if d.selected >= len(rows) {
		d.selected = -1
	}
	d.sort()
	d.said()
	d.fit()
	d.table.Refresh()
}

// said shows what Otherwise says, or takes it away.
func (d *DataTable) said() {
	if d.blank != nil {
		show(d.blank.root, len(d.rows) == 0)
		show(d.table, len(d.rows) > 0)
	}
}

// Rows returns the rows in the order shown.
func (d *DataTable) Rows() [][]Cell {
	out := make([][]Cell, len(d.order))
	for i, j := range d.order {
		out[i] = d.rows[j]
	}
	return out
}

// Columns returns the columns.
func (d *DataTable) Columns() []Column { return d.columns }

// Select selects a row by its index in SetRows' order, −1 for none.
func (d *DataTable) Select(row int) {
	d.Mark(row)
	if d.OnSelect != nil && row >= 0 {
		d.OnSelect(row)
	}
}

// Mark shows a row as selected without calling OnSelect, −1 for none.
func (d *DataTable) Mark(row int) {
	d.selected = row
	d.table.Refresh()
}

// SortBy sorts by a column; a second time turns the order around.
func (d *DataTable) SortBy(column int) {
	d.falling = column == d.sorted && !d.falling
	d.sorted = column
	d.sort()
	d.fit()
	d.table.Refresh()
}

func (d *DataTable) sort() {
	d.order = d.order[:0]
	for i := range d.rows {
		d.order = append(d.order, i)
	}
	if d.sorted < 0 || d.sorted >= len(d.columns) {
		return
	}
	cell := func(i int) Cell {
		if d.sorted < len(d.rows[i]) {
			return d.rows[i][d.sorted]
		}
		return Cell{}
	}
	slices.SortStableFunc(d.order, func(i, j int) int {
		a, b := cell(i), cell(j)
		c := cmp.Compare(a.Key, b.Key)
		if math.IsNaN(a.Key) && math.IsNaN(b.Key) {
			c = strings.Compare(a.Text, b.Text)
		}
		if d.falling {
			return -c
		}
		return c
	})
}

// cellPadding is the space left and right of a cell's text.
const cellPadding = 8

// The widest columns: of text, and of numbers, which an interval of extreme
// values would make as wide as the table.
const (
	widest       = 420
	widestNumber = 190
)

// narrowest is what the first text column keeps where there is little room: the ends of a name.
const narrowest = 110

// fit gives every column the width of its widest text, and what is left or
// missing to the first text column.
func (d *DataTable) fit() {
	if len(d.columns) == 0 {
		return
	}
	widths := make([]float32, len(d.columns))
	total, stretch := float32(0), -1
	for c, col := range d.columns {
		title := col.Title
		if c == d.sorted {
			title += " ▲"
		}
		w := fyne.MeasureText(title, look.TextSize, fyne.TextStyle{Bold: true}).Width
		for i := range min(len(d.rows), 300) { // a sample: enough for the eye, cheap for 100 000 rows
			if c < len(d.rows[i]) {
				w = max(w, fyne.MeasureText(d.rows[i][c].Text, look.TextSize, fyne.TextStyle{Bold: d.rows[i][c].Tone == Strong}).Width)
			}
		}
		widths[c] = min(w+2*cellPadding, widest)
		if col.Right {
			widths[c] = min(widths[c], widestNumber)
		}
		total += widths[c] + theme.SeparatorThicknessSize() + theme.Padding()
		if stretch < 0 && !col.Right {
			stretch = c
		}
	}
	if stretch >= 0 && d.width > 0 {
		spare := d.width - total - theme.ScrollBarSmallSize()
		widths[stretch] = max(widths[stretch]+spare, min(widths[stretch], narrowest))
	}
	for c, w := range widths {
		d.table.SetColumnWidth(c, w)
	}
}

// Resize fits the columns to the new width.
func (d *DataTable) Resize(size fyne.Size) {
	d.BaseWidget.Resize(size)
	if size.Width != d.width {
		d.width = size.Width
		d.fit()
	}
}

// MinSize leaves room for a few rows.
func (d *DataTable) MinSize() fyne.Size { return fyne.NewSize(120, 90) }

// CreateRenderer shows the table.
func (d *DataTable) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(d.stack) }

// cellView draws one cell: a background and one line of text.
type cellView struct {
	widget.BaseWidget
	back *canvas.Rectangle
	text *canvas.Text
	cell Cell
	of   Column
	on   bool
}

func newCellView() *cellView {
	v := &cellView{back: canvas.NewRectangle(color.Transparent), text: canvas.NewText("", color.Black)}
	v.ExtendBaseWidget(v)
	return v
}

func (v *cellView) set(c Cell, of Column, selected bool) {
	v.cell, v.of, v.on = c, of, selected
	v.Refresh()
}

func (v *cellView) CreateRenderer() fyne.WidgetRenderer {
	r := &cellRenderer{v}
	r.Refresh()
	return r
}

type cellRenderer struct{ v *cellView }

func (r *cellRenderer) Destroy()           {}
func (r *cellRenderer) MinSize() fyne.Size { return fyne.NewSize(20, look.TextSize+12) }

func (r *cellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.v.back, r.v.text}
}

func (r *cellRenderer) Layout(size fyne.Size) {
	r.v.back.Resize(size)
	r.fill(size)
	h := r.v.text.MinSize().Height
	r.v.text.Move(fyne.NewPos(cellPadding, (size.Height-h)/2))
	r.v.text.Resize(fyne.NewSize(max(size.Width-2*cellPadding, 0), h))
}

// fill shortens the text to the room there is.
func (r *cellRenderer) fill(size fyne.Size) {
	shorten := look.Fonts().Fit
	if r.v.of.Names {
		shorten = look.Fonts().FitMiddle
	}
	r.v.text.Text = shorten(r.v.cell.Text, look.TextSize, r.v.text.TextStyle.Bold, max(size.Width-2*cellPadding+1, 0))
}

func (r *cellRenderer) Refresh() {
	v := r.v
	v.text.TextSize = look.TextSize
	v.text.Alignment = fyne.TextAlignLeading
	if v.of.Right {
		v.text.Alignment = fyne.TextAlignTrailing
	}
	v.text.TextStyle = fyne.TextStyle{Bold: v.cell.Tone == Strong}
	v.text.Color = v.cell.Tone.color()
	switch {
	case v.on:
		v.back.FillColor = theme.Color(theme.ColorNameSelection)
	case v.cell.Fill != nil:
		v.back.FillColor = v.cell.Fill
	default:
		v.back.FillColor = color.Transparent
	}
	r.Layout(v.Size())
	v.back.Refresh()
	v.text.Refresh()
}

func (t Tone) color() color.Color {
	s := look.Scheme()
	switch t {
	case Quiet:
		return s.Muted
	case GoodTone:
		return s.Good
	case FairTone:
		return s.Fair
	case BadTone:
		return s.Bad
	case Plain, Strong:
	}
	return s.Ink
}

// headerView is a column title that sorts when tapped.
type headerView struct {
	widget.BaseWidget
	text  *canvas.Text
	right bool
	title string
	tap   func()
}

func newHeaderView() *headerView {
	h := &headerView{text: canvas.NewText("", color.Black)}
	h.ExtendBaseWidget(h)
	return h
}

func (h *headerView) set(title string, right bool, tap func()) {
	h.title, h.right, h.tap = title, right, tap
	h.Refresh()
}

// Tapped sorts.
func (h *headerView) Tapped(*fyne.PointEvent) {
	if h.tap != nil {
		h.tap()
	}
}

func (h *headerView) CreateRenderer() fyne.WidgetRenderer {
	r := &headerRenderer{h}
	r.Refresh()
	return r
}

type headerRenderer struct{ h *headerView }

func (r *headerRenderer) Destroy()                     {}
func (r *headerRenderer) MinSize() fyne.Size           { return fyne.NewSize(20, look.TextSize+14) }
func (r *headerRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.h.text} }

func (r *headerRenderer) Layout(size fyne.Size) {
	t := r.h.text
	t.Text = look.Fonts().Fit(r.h.title, look.TextSize, true, max(size.Width-2*cellPadding+1, 0))
	height := t.MinSize().Height
	t.Move(fyne.NewPos(cellPadding, (size.Height-height)/2))
	t.Resize(fyne.NewSize(max(size.Width-2*cellPadding, 0), height))
}

func (r *headerRenderer) Refresh() {
	t := r.h.text
	t.TextSize, t.TextStyle.Bold, t.Color = look.TextSize, true, look.Scheme().Muted
	t.Alignment = fyne.TextAlignLeading
	if r.h.right {
		t.Alignment = fyne.TextAlignTrailing
	}
	r.Layout(r.h.Size())
	t.Refresh()
}
