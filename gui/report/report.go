// Package report writes a report as one self-contained HTML file: verdicts,
// figures as inline SVG with hover values, sortable tables, and the method and
// limits that go with them. The file needs no network and no other file. The
// window's Report page and `tierctl report` write the same bytes for the same
// report.
package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"tierscope/gui/chart"
	"tierscope/gui/palette"
	"tierscope/gui/recipe"
)

// Report is what a report says, in order.
type Report struct {
	Title    string
	Subtitle string // model, scenario, date
	Verdict  string // the sentence that answers the question, first
	Sections []Section
	// Limits is the method-and-limits list, generated from the trust report
	// and the warnings of the results; it is always written.
	Limits []string
	Footer string      // program and version
	Lines  palette.Set // colours of the lines of figures
}

// Section is a heading with any of text, a figure and a table.
type Section struct {
	Heading string
	Text    string
	Figure  chart.Figure // nil: none
	Caption string
	Table   *chart.Table     // nil: none; a Figure's own table is offered anyway
	From    chart.Provenance // of the figure
	Pin     *recipe.Pin      // a figure as it was; nil: none
}

//go:embed report.html.tmpl
var page string

var tmpl = template.Must(template.New("report").Parse(page))

// section is a Section made ready for the page.
type section struct {
	Number int
	Section
	SVG   template.HTML // drawn by us: all text in it is escaped
	Image template.URL  // of a pin: a file that may be somebody else's, in which nothing is executed
	Twin  *chart.Table
	Alt   string
}

// WriteHTML writes the report. It fails only if a figure cannot be drawn or w
// fails.
func WriteHTML(w io.Writer, r Report) error {
	data := struct {
		Report
		Parts []section
		Fonts template.CSS // of the figures
	}{Report: r}
	theme := chart.Light.With(r.Lines)
	var drawn strings.Builder
	for i, s := range r.Sections {
		part := section{Number: i + 1, Section: s}
		if p := s.Pin; p != nil {
			part.Image = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(p.SVG))) //nolint:gosec // an image: nothing in it is executed
			part.Twin, part.Alt = &chart.Table{Header: p.Header, Rows: p.Rows}, p.Summary
		}
		if s.Figure != nil {
			var b bytes.Buffer
			if err := chart.Export(&b, s.Figure, chart.Options{Theme: &theme, Format: chart.Inline, Title: s.Heading, Footer: s.From.Line(), Provenance: s.From}); err != nil {
				return fmt.Errorf("report: figure of section %q: %w", s.Heading, err)
			}
			part.SVG = template.HTML(b.String()) //nolint:gosec // written by our own canvas, letters escaped
			drawn.WriteString(b.String())
			twin := s.Figure.Table()
			part.Twin, part.Alt = &twin, s.Figure.Summary()
		}
		data.Parts = append(data.Parts, part)
	}
	if drawn.Len() > 0 {
		data.Fonts = template.CSS(chart.FontFaces(drawn.String())) //nolint:gosec // fonts of ours, in base64
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, data); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err := b.WriteTo(w)
	return err
}
