package regress

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadTable reads a profile as JSON lines or as CSV, whichever it is.
// Behaviours are the columns of a CSV file that hold behaviours; see ReadCSV.
func ReadTable(r io.Reader, behaviours []string) ([]Row, error) {
	b := bufio.NewReader(r)
	for {
		c, err := b.ReadByte()
		if err != nil {
			return nil, errors.New("profile: the file is empty")
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		if err := b.UnreadByte(); err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		if c == '{' {
			return ReadProfile(b)
		}
		return ReadCSV(b, behaviours)
	}
}

// Prefixes of columns in a CSV profile.
const variablePrefix, behaviourPrefix = "Vars.", "Y."

// ReadCSV reads a profile as CSV with a header. The columns Prog, Type, Phase,
// Run, Args and N are those of Row (upper or lower case; "threads" is N too,
// and without either N is 1). Columns named Y.NAME, and those listed in
// behaviours, are behaviours; all others are variables, with or without the
// prefix "Vars.". An empty cell is missing. It reports every line that is not a
// row, by number, and returns the rows that are.
func ReadCSV(r io.Reader, behaviours []string) ([]Row, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("profile: no header: %w", err)
	}
	columns, err := columnsOf(header, behaviours)
	if err != nil {
		return nil, err
	}
	var rows []Row
	var defects []error
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var parse *csv.ParseError
			if !errors.As(err, &parse) {
				return rows, errors.Join(append(defects, fmt.Errorf("profile: %w", err))...)
			}
			defects = append(defects, fmt.Errorf("profile line %d: %w", parse.StartLine, parse.Err))
			continue
		}
		line, _ := in.FieldPos(0)
		row, err := columns.row(cells)
		if err == nil {
			err = row.check()
		}
		if err != nil {
			defects = append(defects, fmt.Errorf("profile line %d: %w", line, err))
			continue
		}
		if row.Run == 0 {
			row.Run = len(rows)
		}
		rows = append(rows, row)
	}
	return rows, errors.Join(defects...)
}

// columns are the cells of a line: what each is, and its name.
type columns []struct {
	kind string // prog, type, phase, run, args, n, x, y
	name string
}

func columnsOf(header, behaviours []string) (columns, error) {
	var cs columns
	seen := map[string]bool{}
	found := 0
	for i, title := range header {
		title = strings.TrimSpace(strings.TrimPrefix(title, "\ufeff"))
		if title == "" || seen[title] {
			return nil, fmt.Errorf("profile: column %d of the header has the name %q: names must be there, once each", i+1, title)
		}
		seen[title] = true
		c := struct{ kind, name string }{"x", strings.TrimPrefix(title, variablePrefix)}
		switch lower := strings.ToLower(title); {
		case slices.Contains(behaviours, title):
			c.kind = "y"
		case strings.HasPrefix(title, behaviourPrefix):
			c.kind, c.name = "y", strings.TrimPrefix(title, behaviourPrefix)
		case lower == "threads":
			c.kind = "n"
		case slices.Contains([]string{"prog", "type", "phase", "run", "args", "n"}, lower):
			c.kind = lower
		}
		if c.kind == "y" {
			found++
		}
		cs = append(cs, c)
	}
	for _, name := range behaviours {
		if !seen[name] && !seen[behaviourPrefix+name] {
			return nil, fmt.Errorf("profile: there is no column %q; there is %s", name, strings.Join(header, ", "))
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("profile: no column is a behaviour: name one Y.NAME, or say which columns are (%s)", strings.Join(header, ", "))
	}
	return cs, nil
}

func (cs columns) row(cells []string) (Row, error) {
	row := Row{Threads: 1, Variables: map[string]float64{}, Behaviours: map[string]float64{}}
	if len(cells) != len(cs) {
		return row, fmt.Errorf("%d cells, the header has %d", len(cells), len(cs))
	}
	for i, c := range cs {
		text := strings.TrimSpace(cells[i])
		switch c.kind {
		case "prog":
			row.Program = text
			continue
		case "type":
			row.ThreadType = text
			continue
		case "phase":
			row.Phase = text
			continue
		case "args":
			row.Args = text
			continue
		}
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return row, fmt.Errorf("column %s: %q is not a number", c.name, text)
		}
		switch c.kind {
		case "run":
			if math.Abs(v) > 1e9 || v != math.Trunc(v) {
				return row, fmt.Errorf("column %s: %q is not the number of a run", c.name, text)
			}
			row.Run = int(v)
		case "n":
			row.Threads = v
		case "x":
			row.Variables[c.name] = v
		case "y":
			row.Behaviours[c.name] = v
		}
	}
	return row, nil
}
