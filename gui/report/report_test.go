package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"tierscope/gui/chart"
	"tierscope/gui/report"
)

func capacity() report.Report {
	return report.Report{
		Title: "Capacity of shop-web <Nov>", Subtitle: "model shop-web@d4e5f6", Verdict: "The disk limits throughput to 86 /s.",
		Sections: []report.Section{
			{Heading: "Errors", Table: &chart.Table{Header: []string{"threads", "ε"}, Rows: [][]string{{"1", "−2.0 %"}}}},
			{Heading: "Response time", From: chart.Provenance{Seed: 42, Replications: 5}, Figure: chart.Lines{Title: "R", X: chart.Axis{Label: "rate"}, Y: chart.Axis{Label: "R", Unit: "s"},
				Series: []chart.Series{{Name: "8 threads", Points: []chart.Point{{X: 1, Y: 0.01}, {X: 2, Y: 0.02}}}}}},
		},
		Limits: []string{"Network time is not modelled."}, Footer: "Tierscope 1.0",
	}
}

func TestAReportIsOneFileThatNeedsNothingElse(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.WriteHTML(&b, capacity()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"Capacity of shop-web &lt;Nov&gt;", "The disk limits throughput to 86 /s.", "<svg", "−2.0 %", "The numbers of this figure", "8 threads", "Network time is not modelled.", "Tierscope 1.0"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for _, outside := range []string{"src=", "<link", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "url(data:", ""), outside) {
			t.Errorf("the report refers to something outside with %q", outside)
		}
	}
}

// Every element that is opened is closed; the decoder of encoding/xml with
// HTML's void elements checks it.
func TestAReportIsWellFormed(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.WriteHTML(&b, capacity()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	before, script, _ := strings.Cut(text, "<script>")
	_, after, _ := strings.Cut(script, "</script>")
	d := xml.NewDecoder(strings.NewReader(before + after))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("at byte %d: %v", d.InputOffset(), err)
		}
	}
}

func TestAReportWithoutWarningsSaysSo(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.WriteHTML(&b, report.Report{Title: "Empty"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "The model carries no warnings.") {
		t.Error("method and limits are silent")
	}
}

func TestAFigureThatCannotBeDrawnIsNamed(t *testing.T) {
	t.Parallel()
	r := report.Report{Sections: []report.Section{{Heading: "Residuals", Figure: chart.HeatMap{Rows: []float64{1}}}}}
	if err := report.WriteHTML(io.Discard, r); err == nil || !strings.Contains(err.Error(), `"Residuals"`) {
		t.Errorf("error %v, want one that names the section", err)
	}
}
