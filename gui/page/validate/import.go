package validate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/table"
	"tierscope/project"
)

// importCSV asks for a file and then what its columns are.
func (p *Page) importCSV() {
	p.host.OpenFile("The file could not be read.", []string{".csv", ".tsv", ".txt"}, p.Import)
}

// importFile reads a file that was dropped on the window.
func (p *Page) importFile(path string) {
	background.Start(p.host.Session.Runner, func(context.Context, func(struct{})) ([]byte, error) {
		return project.ReadFile(path)
	}, nil, func(data []byte, err error) {
		if err != nil {
			p.host.Session.Notify(session.Failure("The file could not be read.", err))
			return
		}
		p.Import(path, data)
	})
}

// roles are the choices for a column, in words.
var roles = []struct {
	label string
	role  table.Role
}{
	{"ignore", table.Ignore}, {"parameter", table.Parameter}, {"metric value", table.Measure}, {"± standard deviation", table.Deviation},
	{"run", table.RunColumn}, {"scenario", table.Scenario}, {"metric name", table.MetricColumn}, {"of what", table.OfColumn}, {"statistic", table.StatColumn},
	{"value", table.ValueColumn}, {"low", table.LoColumn}, {"high", table.HiColumn}, {"number of runs", table.CountColumn}, {"unit", table.UnitColumn}, {"flags", table.FlagsColumn},
}

// mapping is the form in which the columns of a file are named, with a live
// preview of what that makes of the file.
type mapping struct {
	parameters []string
	path       string
	data       []byte
	keys       own.Keys
	columns    []table.Column
	roles      []*own.DialogSelect
	names      []*own.DialogSelectEntry
	units      []*own.DialogEntry
	preview    *widget.Label
	table      *table.Table
}

// Import shows what a CSV file would become; the analyst corrects the guess.
func (p *Page) Import(path string, data []byte) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		p.host.Session.Notify(session.Failure(filepath.Base(path)+" is not a table of measurements.",
			errors.New("it is not text in UTF-8; save it as CSV with a header line, such as workers,rate,R [ms]")))
		return
	}
	m := newMapping(path, data, p.host)
	if m.table == nil && len(m.columns) == 0 {
		p.host.Session.Notify(session.Failure("The file has no header line that could be understood.", errors.New(m.preview.Text)))
		return
	}
	content := container.NewBorder(nil, own.Card(m.preview), nil, nil, container.NewVScroll(container.NewVBox(m.form())))
	p.host.Ask(page.Question{Title: "Import " + filepath.Base(path), Content: content, Confirm: "Import", Dismiss: "Cancel", Size: fyne.NewSize(760, 560),
		Do: func() error { return p.keep(m) }})
}

func newMapping(path string, data []byte, h *page.Host) *mapping {
	m := &mapping{path: path, data: data, keys: h.DialogKey, preview: own.Wrapped(""), parameters: h.Session.Model().ParameterNames()}
	header, err := table.Header(bytes.NewReader(data))
	if err != nil {
		m.preview.SetText(err.Error())
		return m
	}
	m.columns = table.Guess(header, m.parameters).Columns
	m.read()
	return m
}

// form has a row for every column of the file.
func (m *mapping) form() fyne.CanvasObject {
	grid := container.NewGridWithColumns(4, own.Section("Column"), own.Section("holds"), own.Section("name"), own.Section("unit"))
	var labels []string
	for _, r := range roles {
		labels = append(labels, r.label)
	}
	metrics := slices.Concat(m.parameters, metricNames)
	for i, c := range m.columns {
		role := own.NewDialogSelect(labels, nil, m.keys)
		for j, r := range roles {
			if r.role == c.Role {
				role.Selected = labels[j]
			}
		}
		name, unit := own.NewDialogSelectEntry(metrics, m.keys), own.NewDialogEntry(m.keys)
		name.SetText(c.Name)
		unit.SetText(c.Unit)
		unit.SetPlaceHolder("base unit")
		m.roles, m.names, m.units = append(m.roles, role), append(m.names, name), append(m.units, unit)
		role.OnChanged = func(string) { m.changed(i) }
		name.OnChanged = func(text string) { m.named(i, text) }
		unit.OnChanged = func(string) { m.changed(i) }
		grid.Objects = append(grid.Objects, header(c.Header), role, name, unit)
	}
	return grid
}

// header is the name of a column in the file.
func header(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// named gives a column that is ignored the role that goes with its new name.
func (m *mapping) named(i int, name string) {
	role := table.Ignore
	switch name = strings.TrimSpace(name); {
	case slices.Contains(m.parameters, name):
		role = table.Parameter
	case slices.Contains(metricNames, name):
		role = table.Measure
	}
	if m.columns[i].Role == table.Ignore && role != table.Ignore {
		for j, r := range roles {
			if r.role == role {
				m.columns[i].Role = role
				m.roles[i].Selected = roles[j].label
				m.roles[i].Refresh()
			}
		}
	}
	m.changed(i)
}

// metricNames are what a column of values may hold.
var metricNames = []string{"R", "X", "T", "U"}

func (m *mapping) changed(i int) {
	c := &m.columns[i]
	if j := m.roles[i].SelectedIndex(); j >= 0 {
		c.Role = roles[j].role
	}
	c.Name, c.Unit = strings.TrimSpace(m.names[i].Text), strings.TrimSpace(m.units[i].Text)
	m.read()
}

// read reads the file with the present mapping and says what came out.
func (m *mapping) read() {
	t, err := table.Read(bytes.NewReader(m.data), &table.Mapping{Columns: m.columns}, m.parameters)
	m.table = t
	text := ""
	if t != nil {
		text = fmt.Sprintf("%s in %s of %s.", number(len(t.Rows), "value"), number(len(t.Configurations()), "configuration"), strings.Join(t.Parameters, ", "))
		if len(t.Parameters) == 0 {
			text = fmt.Sprintf("%s of one configuration: no column is a parameter. Name the columns that are, such as %s.", number(len(t.Rows), "value"), strings.Join(m.parameters, " or "))
		}
	}
	if err != nil {
		text = strings.TrimSpace(text + "\n" + err.Error())
	}
	m.preview.SetText(text)
}

// number writes how many things there are.
func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return quantity.Count(int64(n)) + " " + thing + "s"
}

// unused is the name of a file of measurements that the project does not have yet:
// what was measured is never overwritten.
func unused(base string, files []session.MeasuredFile) string {
	name := base + ".csv"
	for n := 2; slices.ContainsFunc(files, func(f session.MeasuredFile) bool { return f.Name() == name }); n++ {
		name = fmt.Sprintf("%s %d.csv", base, n)
	}
	return name
}

// keep writes the measurements into the project in the background and shows
// them. The error says that there are none.
func (p *Page) keep(m *mapping) error {
	s := p.host.Session
	if m.table == nil || len(m.table.Rows) == 0 {
		return errors.New("nothing was imported: no row can be read; name the columns above")
	}
	name := unused(strings.TrimSuffix(filepath.Base(m.path), filepath.Ext(m.path)), s.Measured())
	file := session.MeasuredFile{Path: name, Table: m.table}
	p.report, p.about, p.file.Selected = nil, "", name // the new file is what is compared next
	if s.Project() == nil || s.Project().Writable() != nil {
		s.AddMeasured(file)
		return nil
	}
	file.Path = s.Project().Path("measured", name)
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		var b bytes.Buffer
		if err := m.table.Write(&b); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, project.WriteFile(file.Path, b.Bytes())
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(session.Failure("The measurements are shown, but could not be kept in the project.", err))
		}
		s.AddMeasured(file)
	})
	return nil
}
