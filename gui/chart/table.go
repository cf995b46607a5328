package chart

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"tierscope/core/quantity"
)

// WriteCSV writes the table as comma-separated values.
func (t Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{quantity.Cells(t.Header)}
	for _, r := range t.Rows {
		rows = append(rows, quantity.Cells(r))
	}
	if err := c.WriteAll(rows); err != nil {
		return fmt.Errorf("chart: write table: %w", err)
	}
	return nil
}

// WriteMarkdown writes the table as GitHub-flavoured Markdown.
func (t Table) WriteMarkdown(w io.Writer) error {
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>")
	row := func(cells []string) string {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = escape.Replace(c)
		}
		return "| " + strings.Join(escaped, " | ") + " |\n"
	}
	var b strings.Builder
	b.WriteString(row(t.Header))
	b.WriteString("|" + strings.Repeat(" --- |", len(t.Header)) + "\n")
	for _, r := range t.Rows {
		b.WriteString(row(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latex are the characters that LaTeX reads as commands, and the ones outside
// ASCII that tables of this program hold.
var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "\n", " ", "ε", `$\varepsilon$`, "λ", `$\lambda$`, "µ", `$\mu$`,
	"±", `$\pm$`, "−", "$-$", "≤", `$\leq$`, "≥", `$\geq$`, "∞", `$\infty$`, "·", `$\cdot$`, "\u2009", `\,`)

// WriteLaTeX writes the table as a booktabs tabular.
func (t Table) WriteLaTeX(w io.Writer) error {
	row := func(cells []string) string {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = latex.Replace(c)
		}
		return strings.Join(escaped, " & ") + ` \\` + "\n"
	}
	var b strings.Builder
	b.WriteString(`\begin{tabular}{l` + strings.Repeat("r", max(len(t.Header)-1, 0)) + "}\n\\toprule\n" + row(t.Header) + "\\midrule\n")
	for _, r := range t.Rows {
		b.WriteString(row(r))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
