package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Results are what a load command tells of its requests.
type Results struct {
	Hits     []Hit    // each; seconds from the start of the command, or Unix times
	Summary  *Summary // of all of them; nil: Hits tell
	Failures int      // with a summary
}

// Summary is what a program says of all its tasks in a line of JSON; a load command that does not tell of each request has to say
// throughput, mean and median. nil is what it did not say, which is not 0.
type Summary struct {
	Tasks      int      `json:"tasks"`
	Throughput *float64 `json:"throughput_per_s"`
	Mean       *float64 `json:"response_mean_s"`
	P50        *float64 `json:"response_p50_s"`
	P95        *float64 `json:"response_p95_s"`
	P99        *float64 `json:"response_p99_s"`
}

const (
	unixTimes   = 1e8     // s: more are Unix times, since no run takes three years. Convention, sensitivity none.
	longestLine = 1 << 20 // bytes of what a command prints
)

// Columns of a table of requests: sent and end are needed.
const (
	columnSent, columnEnd, columnDue, columnError = "sent_s", "end_s", "due_s", "error"
)

// unreadable says what is expected of a load command.
var unreadable = errors.New(`it leaves no results that can be read: a table such as "sent_s,end_s" with a line below it for each request ` +
	`("0.0012,0.0034"; seconds since it started, or Unix times; due_s and error are optional columns), printed or in the file {results}; or a line of ` +
	`JSON, {"throughput_per_s": 812, "response_mean_s": 0.0021, "response_p50_s": 0.0017}`)

// ReadResults finds the results in what a load command printed: the lines below the header of a table, to the first that
// has another number of columns, or the last line that is a summary in JSON. Other lines say nothing.
func ReadResults(in io.Reader) (*Results, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	var header []string
	r := &Results{}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		cells := strings.Split(line, ",")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case strings.HasPrefix(line, "{"):
			if s, failures := summary(line); s != nil {
				r.Summary, r.Failures = s, failures
			}
		case slices.Contains(cells, columnSent) && slices.Contains(cells, columnEnd):
			header, r.Hits = cells, nil
		case len(cells) == len(header):
			h, err := hit(header, cells)
			if err != nil {
				return nil, fmt.Errorf("line %d of its results: %w", n, err)
			}
			r.Hits = append(r.Hits, h)
		default:
			header = nil
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, fmt.Errorf("what it printed: %w", err)
	case len(r.Hits) > 0:
		r.Summary = nil
	case r.Summary == nil:
		return nil, unreadable
	}
	return r, nil
}

// summary is nil if a line is none.
func summary(line string) (s *Summary, failures int) {
	var x struct {
		Summary
		Failures int `json:"failures"`
	}
	if json.Unmarshal([]byte(line), &x) != nil || !(said(x.Throughput) > 0) || !(said(x.Mean) > 0) || !(said(x.P50) > 0) || x.Tasks < 0 || x.Failures < 0 {
		return nil, 0
	}
	return &x.Summary, x.Failures
}

// said is a number of a summary, none if it does not say it.
func said(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

func hit(header, cells []string) (Hit, error) {
	h := Hit{Due: math.NaN()}
	for i, name := range header {
		to := map[string]*float64{columnSent: &h.Sent, columnEnd: &h.End, columnDue: &h.Due}[name]
		if name == columnError {
			h.Error = cells[i]
		}
		if to == nil {
			continue
		}
		v, err := strconv.ParseFloat(cells[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return h, fmt.Errorf("%s is %q: a number of seconds was expected", name, cells[i])
		}
		*to = v
	}
	if h.End < h.Sent {
		return h, fmt.Errorf("a request ends (%g s) before it is sent (%g s)", h.End, h.Sent)
	}
	if math.IsNaN(h.Due) {
		h.Due = h.Sent
	}
	return h, nil
}

// reportOf is what the results say. Quantiles that a summary does not say are not numbers.
func (g *generator) reportOf(results *Results) *Report {
	s := results.Summary
	if s == nil {
		return g.report(results.Hits)
	}
	r := &Report{
		WorkStart: g.clock + int64(seconds(g.workStart())), WorkEnd: g.clock + int64(seconds(g.workEnd())),
		Requests: s.Tasks, Failures: results.Failures, Offered: g.load.Rate, X: *s.Throughput,
		R: Times{Mean: *s.Mean, P50: *s.P50, P95: said(s.P95), P99: said(s.P99), Max: math.NaN()},
	}
	if r.Requests == 0 {
		r.Requests = int(r.X*g.load.Duration+0.5) + r.Failures
	}
	if r.Offered == 0 { // a closed loop
		r.Offered = r.X
	}
	return r
}
