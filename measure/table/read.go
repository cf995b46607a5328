package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
)

// mostTable bounds a file of measurements, in bytes. A run takes about 2 kB.
const mostTable = 256 << 20

// mostErrors is how many bad rows are reported; a file with more has another
// fault than its rows.
const mostErrors = 20

// Read reads a CSV file. A nil mapping is guessed from the header, with the
// names of the model's parameters. The error names every bad row by its line
// number ("row 17: rate is empty"); rows that are good are returned with it.
func Read(r io.Reader, m *Mapping, parameters []string) (*Table, error) {
	data, reader, header, err := open(r)
	if err != nil {
		return nil, err
	}
	t := &Table{Provenance: notes(data)}
	if m == nil {
		guessed := Guess(header, parameters)
		m = &guessed
	}
	if err := m.Check(header); err != nil {
		return nil, fmt.Errorf("measurements: %w", err)
	}
	p := newParser(t, header, *m)
	return t, p.all(reader)
}

// Header returns the names of the columns of a CSV file.
func Header(r io.Reader) ([]string, error) {
	_, _, header, err := open(r)
	return header, err
}

// open reads everything, finds out the dialect, and parses the header.
func open(r io.Reader) (data []byte, reader *csv.Reader, header []string, err error) {
	data, err = core.ReadBounded(r, mostTable)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("measurements: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // Excel's byte order mark
	reader = csv.NewReader(bytes.NewReader(data))
	reader.Comment = '#'
	reader.FieldsPerRecord = -1
	reader.Comma = separator(data)
	header, err = reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, nil, errors.New("measurements: the file is empty; a header line was expected")
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("measurements: header: %w", err)
	}
	for i := range header {
		header[i] = quantity.Uncell(strings.TrimSpace(header[i]))
	}
	return data, reader, header, nil
}

// notes returns the provenance: comment lines "# key: text" before the header.
func notes(data []byte) []Note {
	var out []Note
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		text, comment := strings.CutPrefix(lines.Text(), "#")
		if !comment {
			break
		}
		if key, value, ok := strings.Cut(text, ":"); ok {
			out = append(out, Note{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return out
}

// separator is what divides the header line: comma, semicolon or tab.
func separator(data []byte) rune {
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		best := ','
		for _, c := range []rune{';', '\t'} {
			if bytes.Count(line, []byte(string(c))) > bytes.Count(line, []byte(string(best))) {
				best = c
			}
		}
		return best
	}
	return ','
}

// parser turns records into rows.
type parser struct {
	table     *Table
	columns   []Column // by position in the record; Ignore where the mapping says nothing
	parameter []int    // position of each parameter
	rowErrors []error
}

func newParser(t *Table, header []string, m Mapping) *parser {
	p := &parser{table: t, columns: make([]Column, len(header))}
	left := slices.Clone(m.Columns)
	for i, h := range header {
		p.columns[i] = Column{Header: h, Role: Ignore}
		if j := slices.IndexFunc(left, func(c Column) bool { return c.Header == h }); j >= 0 {
			p.columns[i] = left[j]
			left = slices.Delete(left, j, j+1)
		}
		if p.columns[i].Role == Parameter {
			p.parameter = append(p.parameter, i)
			t.Parameters = append(t.Parameters, p.columns[i].Name)
		}
	}
	return p
}

func (p *parser) all(reader *csv.Reader) error {
	records := 0
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			p.fail(syntax.Line, "%v", syntax.Err)
			if len(p.rowErrors) >= mostErrors {
				break
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("measurements: %w", err)
		}
		records++
		line, _ := reader.FieldPos(0)
		p.record(line, record)
		if len(p.rowErrors) >= mostErrors {
			p.rowErrors = append(p.rowErrors, errors.New("and perhaps more"))
			break
		}
	}
	if len(p.rowErrors) == 0 && records == 0 {
		return errors.New("measurements: there are no rows below the header")
	}
	return errors.Join(p.rowErrors...)
}

func (p *parser) fail(line int, format string, args ...any) {
	p.rowErrors = append(p.rowErrors, fmt.Errorf("row %d: %s", line, fmt.Sprintf(format, args...)))
}

// record parses one line of the file into one row, or, in a wide table, one per
// metric.
func (p *parser) record(line int, record []string) {
	before := len(p.rowErrors)
	if len(record) != len(p.columns) {
		p.fail(line, "has %d fields, the header has %d", len(record), len(p.columns))
		return
	}
	row := Row{Run: "row " + strconv.Itoa(line), Stat: "mean", Lo: math.NaN(), Hi: math.NaN()}
	for _, i := range p.parameter {
		row.Settings = append(row.Settings, p.number(line, p.columns[i], record[i], true))
	}
	long := false
	for i, c := range p.columns {
		text := quantity.Uncell(strings.TrimSpace(record[i]))
		switch c.Role {
		case RunColumn:
			if text != "" {
				row.Run = text
			}
		case Scenario:
			row.Scenario = text
		case MetricColumn:
			long, row.Metric = true, text
		case OfColumn:
			row.Of = text
		case StatColumn:
			if text != "" {
				row.Stat = text
			}
		case UnitColumn:
			row.Unit = text
		case CountColumn:
			row.N = int(p.number(line, c, text, false))
		case FlagsColumn:
			if text != "" {
				row.Flags = strings.FieldsFunc(text, func(r rune) bool { return r == ';' })
			}
		case LoColumn:
			row.Lo = p.optional(line, c, text)
		case HiColumn:
			row.Hi = p.optional(line, c, text)
		case ValueColumn:
			row.Value = p.number(line, c, text, true)
		case Ignore, Parameter, Measure, Deviation:
		}
	}
	if long {
		p.long(line, row, before)
		return
	}
	p.wide(line, row, record, before)
}

func (p *parser) long(line int, row Row, before int) {
	if row.Metric == "" {
		p.fail(line, "metric is empty")
	}
	unit, ok := units[strings.ToLower(row.Unit)]
	if !ok {
		p.fail(line, "unit %q is not known", row.Unit)
	}
	if len(p.rowErrors) > before {
		return
	}
	row.Value, row.Lo, row.Hi = row.Value*unit.factor, row.Lo*unit.factor, row.Hi*unit.factor
	row.Unit = unit.base
	p.add(row)
}

func (p *parser) wide(line int, row Row, record []string, before int) {
	for i, c := range p.columns {
		if c.Role != Measure {
			continue
		}
		r := row
		r.Metric, r.Of = c.Name, c.Of
		if c.Stat != "" {
			r.Stat = c.Stat
		}
		unit := units[strings.ToLower(c.Unit)]
		r.Value = p.number(line, c, record[i], true) * unit.factor
		r.Unit = unit.base
		for j, d := range p.columns {
			if d.Role == Deviation && d.Name == c.Name && d.Of == c.Of && d.Stat == c.Stat {
				sd := p.number(line, d, record[j], true) * units[strings.ToLower(d.Unit)].factor
				half := 1.96 * sd / math.Sqrt(float64(max(r.N, 1)))
				r.Lo, r.Hi = r.Value-half, r.Value+half
			}
		}
		if len(p.rowErrors) == before {
			p.add(r)
		}
	}
}

// add fills in what the metric says by itself.
func (p *parser) add(row Row) {
	if row.Of == "" {
		switch row.Metric {
		case "T":
			row.Of = "program"
		case "U":
			row.Of = "cpu"
		}
	}
	if row.Unit == "" {
		row.Unit = baseUnits[row.Metric]
	}
	p.table.Rows = append(p.table.Rows, row)
}

var baseUnits = map[string]string{"R": "s", "T": "s", "W": "s", "S": "s", "E": "s", "C": "s", "X": "1/s", "U": "1", "D": "1", "H": "1"}

// number parses a finite number; an empty field is an error when required.
func (p *parser) number(line int, c Column, text string, required bool) float64 {
	text = strings.TrimSpace(text)
	name := c.Name
	if name == "" || c.Role != Parameter {
		name = c.Header
	}
	if text == "" {
		if required {
			p.fail(line, "%s is empty", name)
		}
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail(line, "%s: %q is not a number", name, text)
		return 0
	}
	return v
}

func (p *parser) optional(line int, c Column, text string) float64 {
	if strings.TrimSpace(text) == "" {
		return math.NaN()
	}
	return p.number(line, c, text, true)
}
