package chart_test

import (
	"os"

	"tierscope/gui/chart"
)

var errorTable = chart.Table{Header: []string{"threads", "R [ms]", "ε"}, Rows: [][]string{{"1", "14.2", "−2.1 %"}, {"a|b", "61.0", "+3.0 %"}}}

func ExampleTable_WriteCSV() {
	_ = errorTable.WriteCSV(os.Stdout)
	// Output:
	// threads,R [ms],ε
	// 1,14.2,−2.1 %
	// a|b,61.0,+3.0 %
}

func ExampleTable_WriteMarkdown() {
	_ = errorTable.WriteMarkdown(os.Stdout)
	// Output:
	// | threads | R [ms] | ε |
	// | --- | --- | --- |
	// | 1 | 14.2 | −2.1 % |
	// | a\|b | 61.0 | +3.0 % |
}

func ExampleTable_WriteLaTeX() {
	_ = errorTable.WriteLaTeX(os.Stdout)
	// Output:
	// \begin{tabular}{lrr}
	// \toprule
	// threads & R [ms] & $\varepsilon$ \\
	// \midrule
	// 1 & 14.2 & $-$2.1 \% \\
	// a|b & 61.0 & +3.0 \% \\
	// \bottomrule
	// \end{tabular}
}
