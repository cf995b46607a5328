package advise

import (
	"fmt"
	"strings"
)

// Question is what is to be known: a metric, or whether it keeps to a limit, in some configurations.
type Question struct {
	Metric   string   // "T", "R.p95 <= 50ms": what package optimise reads, or a metric alone
	Settings []string // "workers=1,2,4", as an axis is written
}

// Parse reads "T at workers=1,2,4, cores=2" or "R.p95 <= 50ms at rate=400, workers=8". Without "at" it
// is about the model as it is.
func Parse(text string) (Question, error) {
	metric, rest, some := strings.Cut(text, " at ")
	q := Question{Metric: strings.TrimSpace(metric)}
	if q.Metric == "" {
		return q, fmt.Errorf("question %q: expected a metric and configurations, such as \"T at workers=1,2,4\" or \"R.p95 <= 50ms at rate=400\"", text)
	}
	if !some {
		return q, nil
	}
	for part := range strings.SplitSeq(rest, ",") {
		part = strings.TrimSpace(part)
		switch n := len(q.Settings); {
		case strings.Contains(part, "="):
			q.Settings = append(q.Settings, part)
		case n == 0 || part == "":
			return q, fmt.Errorf("question %q: %q names no setting; expected NAME=VALUES", text, part)
		default: // another value of the same
			q.Settings[n-1] += "," + part
		}
	}
	return q, nil
}
