package simulation

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/core"
)

// remembering is a model whose queues remember the past for long, with what theory says
// of its mean response time and percentiles; NaN: it does not say.
type remembering struct {
	subject        string // of its result file
	name           string
	model          core.Model
	mean, p95, p99 float64
	source         string
	long           bool // takes seconds
}

// rememberings are the models; service times have mean 1.
func rememberings() []remembering {
	mm1 := func(rho float64) remembering { // response times are exponential of mean 1/(1−ρ)
		r := 1 / (1 - rho)
		return remembering{fmt.Sprintf("mm1-%g", 1000*rho), fmt.Sprintf("M/M/1 ρ=%g", rho), station(rho, 1, core.Unbounded, exponential(1)), r, r * math.Log(20), r * math.Log(100), "exponential response times", rho > .95}
	}
	lognormal := core.Distribution{Kind: core.Lognormal, Mean: 1, CV: 5}
	pareto := core.Distribution{Kind: core.Pareto, Min: .6, Shape: 2.5}          // mean 1, E[S²] = 1.8
	gim1 := func(subject, name string, arrivals core.Distribution) remembering { // response times are exponential of mean 1/(1−σ)
		m := station(1/arrivals.Expectation(), 1, core.Unbounded, exponential(1))
		m.Sources[0].Kind, m.Sources[0].Interarrival = core.Renewal, arrivals
		r := 1 / (1 - sigma(arrivals))
		return remembering{subject, name, m, r, r * math.Log(20), r * math.Log(100), "GI/M/1", false}
	}
	users := station(1, 1, core.Unbounded, exponential(.001))
	users.Sources[0] = core.Source{ID: "clients", Kind: core.Closed, To: "q", Population: 50_000, Think: exponential(100)}
	return []remembering{
		mm1(.9), mm1(.95), mm1(.99), mm1(.999),
		gim1("h2m1", "H2/M/1 ρ=0.82", core.Distribution{Kind: core.Hyperexponential, Weights: []float64{.9, .1}, Means: []float64{.5, 7.75}}),
		gim1("on-off", "on/off arrivals ρ=0.75, 20 s on, 20 s off", onOff(1.5, 20, 20)),
		{"mg1", "M/G/1 cv=5 ρ=0.7", station(.7, 1, core.Unbounded, lognormal), pollaczek(.7, 1, 26), math.NaN(), math.NaN(), "Pollaczek and Khinchine", true},
		{"pareto", "M/G/1 Pareto 2.5 ρ=0.7", station(.7, 1, core.Unbounded, pareto), pollaczek(.7, 1, 1.8), math.NaN(), math.NaN(), "Pollaczek and Khinchine", true},
		// 500 /s of 1 ms: at half the load an M/M/1 queue, since 50,000 users are many.
		{"closed", "closed, 50,000 users, Z = 100 s", users, .002, .002 * math.Log(20), .002 * math.Log(100), "M/M/1 as the limit", true},
	}
}

// onOff is the time between arrivals that come at a rate while a source is on, for a mean time of on,
// and not while it is off: hyperexponential (Kuczura 1973, The interrupted Poisson process).
func onOff(rate, on, off float64) core.Distribution {
	sum := rate + 1/on + 1/off
	root := math.Sqrt(sum*sum - 4*rate/off)
	fast, slow := (sum+root)/2, (sum-root)/2
	p := (rate - slow) / (fast - slow)
	return core.Distribution{Kind: core.Hyperexponential, Weights: []float64{p, 1 - p}, Means: []float64{1 / fast, 1 / slow}}
}

// sigma is the root of σ = A*(μ(1−σ)) for hyperexponential arrivals and μ = 1.
func sigma(a core.Distribution) float64 {
	root := .5
	for range 10_000 {
		s := 1 - root
		root = 0
		for i, w := range a.Weights {
			root += w / (1 + s*a.Means[i])
		}
	}
	return root
}

// coverageOf counts, over seeds, how often the intervals of R contain the truth, and how
// often it is said that they do not know it.
func coverageOf(t *testing.T, m remembering, seed uint64, runs int) (covered, unknown [3]int, events int64) {
	for i := range runs {
		r := run(t, m.model, nil, Options{Seed: seed + uint64(i)})
		events += r.Events
		if r.Unstable {
			t.Errorf("%s: called unstable: %q", m.name, r.Warnings)
		}
		for k, c := range []struct {
			stat  string
			truth float64
		}{{"mean", m.mean}, {"p95", m.p95}, {"p99", m.p99}} {
			e := find(t, r, "R class/task "+c.stat)
			if math.IsInf(e.Hi, 1) {
				unknown[k]++
			}
			if e.Lo <= c.truth && c.truth <= e.Hi {
				covered[k]++
			}
		}
	}
	return covered, unknown, events
}

// Intervals of automatic length contain the truth in 93 % of all runs at least, or their
// upper end is open and the run says that it is not known. Of ten runs, at most two may
// miss: a correct program fails once in 30 fresh runs of this test. With TIERSCOPE_SEED
// there are a hundred of every model; TIERSCOPE_ACCURACY is a folder for what they show.
func TestQueuesThatRememberAreSimulatedForLongEnoughOrNotKnown(t *testing.T) {
	t.Parallel()
	seed, fresh := verifySeed(t)
	runs, most := 10, 2
	if testing.Short() {
		runs = 1
	}
	if fresh {
		runs, most = 100, 7
	}
	for _, m := range rememberings() {
		if m.long && !fresh {
			continue
		}
		t.Run(m.subject, func(t *testing.T) {
			covered, unknown, events := coverageOf(t, m, seed, runs)
			m.keep(t, seed, runs, covered, unknown, float64(events)/float64(runs))
			for k, truth := range m.truths() {
				if !math.IsNaN(truth) && covered[k] < runs-most {
					t.Errorf("%s: %d of %d intervals contain %s, %g by %s", m.name, covered[k], runs, []string{"the mean", "p95", "p99"}[k], truth, m.source)
				}
			}
		})
	}
}

func (m remembering) truths() [3]float64 { return [3]float64{m.mean, m.p95, m.p99} }

// keep writes what runs of a model show.
func (m remembering) keep(t *testing.T, seed uint64, runs int, covered, unknown [3]int, events float64) {
	t.Helper()
	var rows []shown
	for k, stat := range []string{"mean", "p95", "p99"} {
		if !math.IsNaN(m.truths()[k]) {
			rows = append(rows, shown{stat, "1", float64(covered[k]) / float64(runs)})
		}
	}
	rows = append(rows, shown{"not known", "1", float64(unknown[0]) / float64(runs)}, shown{"million events", "number", events / 1e6})
	keepResult(t, "memory", "memory-"+m.subject, m.name, fmt.Sprint("make verify, seed ", seed), runs, rows)
}

// shown is a quantity of a result.
type shown struct {
	quantity, unit string
	value          float64
}

// keepResult writes a result of package accuracy into the folder TIERSCOPE_ACCURACY, if there is one.
func keepResult(t *testing.T, area, subject, title, command string, runs int, quantities []shown) {
	t.Helper()
	dir := os.Getenv("TIERSCOPE_ACCURACY")
	if dir == "" {
		return
	}
	type object = map[string]any
	var rows []object
	for _, q := range quantities {
		rows = append(rows, object{"quantity": q.quantity, "unit": q.unit, "configuration": "as it is", "predicted": nil, "error": nil, "measured": object{"mean": q.value, "low": nil, "high": nil}})
	}
	text, err := json.MarshalIndent(object{"format": "tierscope-accuracy", "version": 1, "subject": subject, "title": title, "area": area, "grade": nil, "machine": "2 vCPUs",
		"load": "does not matter", "commit": nil, "command": command, "date": time.Now().Format(time.DateOnly), "repeats": runs, "rows": rows}, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, subject+".json"), append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A run that cannot be as long as its queues remember says so, and from where on the
// mean response time must lie: it began empty. With λ = 0.999 and μ = 1 it is 1000.
func TestWhatQueuesRememberForTooLongIsNotKnown(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thirty million events")
	}
	r := run(t, rememberings()[3].model, nil, Options{Seed: 3})
	e := find(t, r, "R class/task mean")
	if !math.IsInf(e.Hi, 1) || e.Lo > 1000 || e.Lo < 100 || !strings.Contains(strings.Join(r.Warnings, "\n"), "not known: queues remember") || r.Unstable {
		t.Errorf("R = %g [%g, %g], %q; want at least some hundred, and no upper end", e.Mean, e.Lo, e.Hi, r.Warnings)
	}
	if u := find(t, r, "U cpu mean"); math.IsInf(u.Hi, 0) || math.Abs(u.Mean-.999) > .01 {
		t.Errorf("U = %g [%g, %g]; what queues do not remember is known", u.Mean, u.Lo, u.Hi)
	}
}

// A load of 0.2 of service times without a variance: mean waits grow for as long as one
// looks, at any load. That is not saturation, and is called by its name.
func TestAHeavyTailIsNotTakenForSaturation(t *testing.T) {
	t.Parallel()
	m := station(.2, 1, core.Unbounded, core.Distribution{Kind: core.Pareto, Min: 1. / 11, Shape: 1.1})
	r := run(t, m, nil, Options{Seed: 1, Duration: 20_000, Warmup: 100})
	text := strings.Join(r.Warnings, "\n")
	if r.Unstable || !strings.Contains(text, "heavy tail: the times of server/work0 are of a Pareto law of shape 1.1") {
		t.Errorf("unstable %t, %q; want a heavy tail", r.Unstable, r.Warnings)
	}
}

// Users who wait for their answers cannot overload anything: however long it takes until
// all of them have come, their number has a limit. 2000 users who think for 10 s at a
// server that can do 100 /s: X = 100, R = 2000/100 − 10 s.
func TestAClosedModelIsNeverUnstable(t *testing.T) {
	t.Parallel()
	m := station(1, 1, core.Unbounded, exponential(.01))
	m.Sources[0] = core.Source{ID: "clients", Kind: core.Closed, To: "q", Population: 2000, Think: exponential(10)}
	r := run(t, m, nil, Options{Seed: 1})
	if e := find(t, r, "R class/task mean"); r.Unstable || e.Lo > 10 || e.Hi < 10 || r.Warmup < 20 {
		t.Errorf("R = %g [%g, %g] after %g s, unstable %t; want 10 s, after Z + N/X = 30 s", e.Mean, e.Lo, e.Hi, r.Warmup, r.Unstable)
	}
}
