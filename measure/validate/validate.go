package validate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/measure/table"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// DefaultTolerance is the |ε| up to which a prediction counts as right.
const DefaultTolerance = 0.15

// Request is what to compare.
type Request struct {
	Model     core.Model
	Measured  *table.Table
	Metrics   []string // names, such as R, X, U, T; none: all that are measured and predicted
	Tolerance float64  // 0: DefaultTolerance
	Options   simulation.Options
	// Simulate is simulation.Run or a stand-in.
	Simulate func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error)
	Progress func(done, planned int) // may be nil
}

// Report is the answer. It marshals to JSON.
type Report struct {
	Model       string       `json:"model"`
	Machine     string       `json:"machine,omitempty"` // of the measurements
	Date        string       `json:"date,omitempty"`
	Command     string       `json:"command,omitempty"` // that measured
	Parameters  []string     `json:"parameters"`
	Analysed    string       `json:"analysed,omitempty"` // the configuration of the analysis, as those of the comparisons are named
	Comparisons []Comparison `json:"comparisons"`
	Accuracies  []Accuracy   `json:"accuracies"` // one per metric
	Knees       []Knee       `json:"knees,omitempty"`
	Blame       []Blame      `json:"blame,omitempty"` // largest first
	Verdict     Verdict      `json:"verdict"`
	Warnings    []string     `json:"warnings,omitempty"`
}

// Comparison is one metric in one configuration.
type Comparison struct {
	Name      string             `json:"name"` // of the configuration
	Settings  map[string]float64 `json:"settings"`
	At        map[string]float64 `json:"at,omitempty"` // the paths of the model that they set
	Metric    string             `json:"metric"`
	Of        string             `json:"of"`
	Stat      string             `json:"stat"`
	Unit      string             `json:"unit"`
	Measured  table.Summary      `json:"measured"`
	Predicted output.Estimate    `json:"predicted"`  // of as many runs as were measured, as long as those
	Error     float64            `json:"error"`      // signed ε
	HalfWidth float64            `json:"error_half"` // of the interval of ε, from measurements and replications
	// EqualCPU is ε of T, X and R after the measured times are scaled to the CPU
	// time that the model says the run needs: what is left is not the speed of
	// the machine on that day but queues, locks and scheduling. Nil when the CPU
	// time was not measured, or tasks do not come as fast as they are served.
	EqualCPU *float64 `json:"error_at_equal_cpu,omitempty"`
	// BaseSpeed is ε after the measured times are scaled by one factor for all
	// configurations: by how much faster or slower the program computed when it
	// was measured in the configuration of the analysis than when it was
	// analysed. Nil when that configuration was not measured.
	BaseSpeed *float64 `json:"error_at_base_speed,omitempty"`
	// Delayed is the part of the measured times by which something else that ran can have made them longer, at most. Nil: nobody knows.
	Delayed   *float64 `json:"delayed,omitempty"`
	Outside   bool     `json:"outside"` // the two intervals have no point in common
	By        Account  `json:"by,omitempty"`
	Saturated bool     `json:"saturated"` // the system was measured not to keep up with its load
	Warnings  []string `json:"warnings,omitempty"`
}

// Run simulates every configuration of the table and compares.
func Run(ctx context.Context, q Request) (*Report, error) {
	if q.Tolerance == 0 {
		q.Tolerance = DefaultTolerance
	}
	configurations := q.Measured.Configurations()
	if len(configurations) == 0 {
		return nil, errors.New("validate: nothing has been measured; run tierctl measure or import a CSV file")
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	r := &Report{
		Model: q.Model.Name, Machine: q.Measured.Note("machine"), Date: q.Measured.Note("date"), Command: q.Measured.Note("command"),
		Parameters: q.Measured.Parameters, Analysed: q.analysed(),
	}
	base, err := q.Simulate(ctx, q.Model, nil, q.Options)
	if err != nil {
		return nil, fmt.Errorf("validate: %w", err)
	}
	r.Blame = blame(&q.Model, base)
	speed := math.NaN()
	for _, c := range configurations {
		if q.isBase(c.Settings) {
			speed = q.cpuRatio(c, base)
		}
	}
	for i, c := range configurations {
		model, settings := q.configured(c.Settings)
		model, settings = q.drawn(model, settings, c.Name(q.Measured.Parameters))
		result, err := q.Simulate(ctx, model, settings, q.window(q.Options))
		if err != nil {
			return nil, fmt.Errorf("validate: %s: %w", c.Name(q.Measured.Parameters), err)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("validate: after %d of %d configurations: %w", i, len(configurations), context.Cause(ctx))
		}
		r.Comparisons = append(r.Comparisons, q.compare(c, result, speed)...)
		if q.Progress != nil {
			q.Progress(i+1, len(configurations))
		}
	}
	if len(r.Comparisons) == 0 {
		return nil, fmt.Errorf("validate: no metric is both measured (%s) and predicted", strings.Join(q.measuredKeys(), ", "))
	}
	r.Knees = knees(q.Measured.Parameters, r.Comparisons)
	r.Accuracies = accuracies(r.Comparisons)
	r.Warnings = q.warnings()
	r.Verdict = verdict(r, q.Tolerance, q.isBase)
	return r, nil
}

// windowReplications are those of a simulation as short as a measurement.
const windowReplications = 30

// window makes the simulation of a system that was measured for a limited time,
// as the table's notes say, as long, and begin as empty: beyond saturation queues
// grow with it, and just below they take long to reach their lengths.
func (q Request) window(o simulation.Options) simulation.Options {
	duration, err1 := strconv.ParseFloat(q.Measured.Note("duration_s"), 64)
	warmup, err2 := strconv.ParseFloat(q.Measured.Note("warmup_s"), 64)
	if err1 == nil && err2 == nil && o.Duration == 0 {
		o.Duration, o.Warmup = duration, warmup
		if warmup == 0 {
			o.Warmup = -1
		}
		if o.Replications == 0 {
			o.Replications = windowReplications
		}
	}
	return o
}

// alike is how many independent runs, each like a replication, are behind a measured number; 0 if it is
// of no limited time. Repeats under a load are one: they get the same requests at the same times (see
// package load).
func (q Request) alike(result *simulation.Result, stat string, runs int) int {
	switch {
	case q.window(simulation.Options{}).Duration > 0:
		return 1
	case result.Terminating && stat == "mean":
		return runs
	}
	return 0
}

// saturationShare is the part of the offered load below which a system does
// not keep up.
const saturationShare = 0.97

// saturated compares measured throughput with what was offered.
func saturated(c table.Configuration) bool {
	x, measured := c.Metrics["X  mean"]
	offered, known := c.Metrics["offered  mean"]
	rate := offered.Median
	if !known {
		rate, known = c.Settings["rate"], c.Settings["rate"] > 0
	}
	return measured && known && x.Median < saturationShare*rate
}

// compare joins the measured metrics of a configuration with the predicted
// ones. speed is predicted over measured CPU time in the base configuration.
func (q Request) compare(c table.Configuration, result *simulation.Result, speed float64) []Comparison {
	var out []Comparison
	model, settings := q.configured(c.Settings)
	at, _ := model.Paths(settings) // they have been simulated
	for _, key := range slices.Sorted(maps.Keys(c.Metrics)) {
		metric, rest, _ := strings.Cut(key, " ")
		of, stat, _ := strings.Cut(rest, " ")
		if len(q.Metrics) > 0 && !slices.Contains(q.Metrics, metric) {
			continue
		}
		by := q.account(c, metric, of, stat)
		if by == none {
			continue
		}
		if by == Server {
			of = ""
		}
		predicted, ok := q.find(result, metric, of, stat, by)
		if metric == "E" && !ok {
			predicted, ok = q.operation(result, of, stat)
		}
		m := c.Metrics[key]
		x, expected := missing(metric, of, stat, m)
		if ok {
			predicted = asCounted(c, result, predicted)
			x.Of, x.Predicted = predicted.Of, predicted.Estimate.OfRuns(q.alike(result, stat, m.N))
			x.judge()
			x.EqualCPU = x.atEqualCPU(q.cpuRatio(c, result))
			x.BaseSpeed = x.atEqualCPU(speed)
		} else if !expected {
			continue
		}
		x.Name, x.Settings, x.At, x.By, x.Saturated, x.Delayed = c.Name(q.Measured.Parameters), c.Settings, at, by, saturated(c), q.delayed(c, metric)
		x.Warnings = slices.Concat(m.Warnings, result.Warnings, x.Predicted.Warnings)
		out = append(out, x)
	}
	return out
}

// Account says who measured a response time.
type Account string

// Accounts. Client includes the lateness of the load generator and the way to
// and fro; Server has neither, nor what waits outside it.
const (
	Own    Account = "" // the only one there is
	Client Account = "client"
	Server Account = "server"
	none   Account = "-" // another account of the same is compared
)

// account chooses, where a response time was measured by clients and by the
// server itself, the server's, which is what a model of the server predicts;
// beyond saturation the clients', because then requests wait before the server
// can see them.
func (q Request) account(c table.Configuration, metric, of, stat string) Account {
	if metric != "R" || of != "" && of != string(Server) {
		return Own
	}
	_, clients := c.Metrics["R  "+stat]
	_, server := c.Metrics["R server "+stat]
	switch {
	case of == "" && !server:
		return Own
	case of == "" && saturated(c):
		return Client
	case of == string(Server) && !(clients && saturated(c)):
		return Server
	}
	return none
}

// judge computes the error and its interval.
func (x *Comparison) judge() {
	scale := x.Measured.Median
	if x.Metric == "U" {
		scale = 1
	}
	x.Error = (x.Predicted.Mean - x.Measured.Median) / scale
	half := func(lo, hi, at float64) float64 { return max(hi-at, at-lo) }
	// What the analysis does not know of the model is no excuse for an error: it is what a
	// validation asks for.
	predicted, _ := x.Predicted.Shares()
	measured := half(x.Measured.Lo, x.Measured.Hi, x.Measured.Median)
	if x.Metric != "U" {
		measured *= x.Predicted.Mean / x.Measured.Median
	}
	x.HalfWidth = math.Hypot(predicted, measured) / math.Abs(scale)
	x.Outside = x.Predicted.Lo > x.Measured.Hi || x.Predicted.Hi < x.Measured.Lo
}

// cpuRatio is predicted over measured CPU time of a batch program, NaN if one
// of them is not known.
func (q Request) cpuRatio(c table.Configuration, result *simulation.Result) float64 {
	measured, ok := c.Metrics["CPU program sum"]
	u, hasU := result.Find("U cpu mean")
	t, hasT := result.Find("T program mean")
	model, settings := q.configured(c.Settings)
	configured, err := model.With(settings)
	if _, batch := c.Metrics["T program mean"]; !ok || !hasU || !hasT || !batch || err != nil {
		return math.NaN()
	}
	return u.Estimate.Mean * t.Estimate.Mean * float64(configured.CPU.Cores) / measured.Median
}

// atEqualCPU is the error once a machine that was ratio times as slow is
// accounted for.
func (x *Comparison) atEqualCPU(ratio float64) *float64 {
	if math.IsNaN(ratio) || ratio <= 0 || !x.known() {
		return nil
	}
	var e float64
	switch x.Metric {
	case "T", "R":
		e = x.Predicted.Mean/(x.Measured.Median*ratio) - 1
	case "X":
		e = x.Predicted.Mean*ratio/x.Measured.Median - 1
	default:
		return nil
	}
	return &e
}

// find returns the prediction for a measured metric. What clients measured
// belongs to the class of tasks that they send; what the server measured to the
// tasks that it makes of them, if the model has such. What was measured of the
// whole program belongs to the class with the most completions; see asCounted, too.
func (q Request) find(result *simulation.Result, metric, of, stat string, by Account) (simulation.Metric, bool) {
	if of != "" {
		return result.Find(metric + " " + of + " " + stat)
	}
	sent := map[string]bool{}
	for _, s := range q.Model.Sources {
		sent["class/"+s.Class] = true
	}
	classes := slices.DeleteFunc(slices.Clone(result.Metrics), func(m simulation.Metric) bool {
		return m.Name != metric || m.Stat != stat || !strings.HasPrefix(m.Of, "class/") || m.Estimate.N == 0 || math.IsNaN(m.Estimate.Mean)
	})
	if made := slices.DeleteFunc(slices.Clone(classes), func(m simulation.Metric) bool { return sent[m.Of] == (by == Server) }); len(made) > 0 && len(sent) > 0 {
		classes = made
	}
	var best simulation.Metric
	most := -1.0
	for _, m := range classes {
		x, _ := result.Find("X " + m.Of + " mean")
		if x.Estimate.Mean > most {
			best, most = m, x.Estimate.Mean
		}
	}
	return best, most >= 0
}

// operation predicts the time of an operation that the program has timed itself,
// by its name: the I/O fragments that begin with it, such as "stat main.go:12", each
// as often as it was executed.
func (q Request) operation(result *simulation.Result, name, stat string) (simulation.Metric, bool) {
	out := simulation.Metric{Name: "E", Of: name, Stat: stat}
	total := 0.0
	for _, g := range q.Model.Graphs {
		for _, f := range g.Fragments {
			word, _, _ := strings.Cut(f.ID, " ")
			m, ok := result.Find("E fragment/" + g.ID + "/" + f.ID + " " + stat)
			if f.Class != core.IOFragment || word != name || !ok || math.IsNaN(m.Estimate.Mean) {
				continue
			}
			n := float64(f.Observed.Count)
			total += n
			part := func(sum *float64, value float64) { *sum += (value - *sum) * n / max(total, 1) }
			part(&out.Estimate.Mean, m.Estimate.Mean)
			part(&out.Estimate.Lo, m.Estimate.Lo)
			part(&out.Estimate.Hi, m.Estimate.Hi)
			share := n / max(total, 1)
			out.Estimate.Inputs = plus(plus(nil, out.Estimate.Inputs, 1-share), m.Estimate.Inputs, share)
			out.Estimate.Confidence = m.Estimate.Confidence
			out.Estimate.N += m.Estimate.N
			out.Estimate.Warnings = append(out.Estimate.Warnings, m.Estimate.Warnings...)
		}
	}
	return out, total > 0
}

func (q Request) measuredKeys() []string {
	seen := map[string]bool{}
	for _, r := range q.Measured.Rows {
		seen[r.Metric] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// driftWarning is the spread of the calibration unit above which the machine
// did not have one speed.
const driftWarning = 0.05

// warnings are about the whole set of measurements.
func (q Request) warnings() []string {
	var out []string
	var speeds []float64
	disturbed := map[string]bool{}
	for _, r := range q.Measured.Rows {
		if r.Metric == "C" {
			speeds = append(speeds, r.Value)
		}
		if len(r.Flags) > 0 {
			disturbed[r.Run] = true
		}
	}
	if len(speeds) > 1 {
		if drift := slices.Max(speeds)/slices.Min(speeds) - 1; drift > driftWarning {
			out = append(out, fmt.Sprintf("the speed of the machine changed by %.0f %% during the measurements (calibration unit)", 100*drift))
		}
	}
	if n, all := len(disturbed), len(q.Measured.Runs()); n > 0 {
		out = append(out, fmt.Sprintf("%d of %d measured runs are flagged; see the column flags", n, all))
	}
	return append(out, q.Model.Provenance.Warnings...)
}
