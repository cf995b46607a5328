package main

import (
	"context"
	"fmt"

	"tierscope/core"
	"tierscope/measure/accuracy"
	"tierscope/project"
	"tierscope/simulation"
)

// read is what was measured.
func read(path string) (m measurements, err error) {
	return m, project.Load(path, format, &m)
}

// prediction is what a model says of one thing that was measured of a load.
type prediction struct {
	quantity   string // for the table
	unit       string
	of         spread
	simulation float64
}

func (p prediction) error() float64 { return p.simulation/p.of.Median - 1 }

// rival is a policy of the CPU or a fairness of the lock, and which metrics are compared.
type rival struct {
	policy   core.CPUPolicy
	fairness core.Fairness
	title    string // in the table; empty: the one that models of such programs have
	metrics  [][3]string
}

// rivals are what a load is simulated with.
func (l load) rivals() []rival {
	response := [][3]string{{"mean", "R class/burst mean", "R mean"}, {"p90", "R class/burst p90", "R p90"}, {"p99", "R class/burst p99", "R p99"}}
	lock := [][3]string{{"throughput", "X fragment/loop/held mean", "X mean"}, {"wait", "W lock/mutex mean", "W mean"}}
	switch {
	case l.Threads > 0:
		return []rival{{core.EEVDF, core.Barging, "", lock}, {core.EEVDF, core.Fair, " if fair", lock[:1]}}
	case l.Tool == "goroutines":
		return []rival{{core.GoScheduler, "", "", [][3]string{{"mean", "E fragment/other/burst mean", "R mean"}}}}
	}
	return []rival{{core.EEVDF, "", "", response}, {core.ProcessorSharing, "", " under ps", response[:1]}, {core.RoundRobin, "", " under rr", response[:1]}}
}

// predict simulates a load with all its rivals.
func predict(ctx context.Context, l load, waking costs) (all []prediction, err error) {
	long := 100 * (l.Burst + l.Sleep) * 20 // thousands of bursts in each of ten replications
	if l.Threads > 0 {
		long = 5000 * (l.Held + l.Apart)
	}
	for _, r := range l.rivals() {
		result, err := simulation.Run(ctx, l.model(r.policy, r.fairness, waking), nil, simulation.Options{Duration: long, Warmup: long / 10})
		if err != nil {
			return nil, err
		}
		for _, m := range r.metrics {
			found, ok := result.Find(m[1])
			if !ok {
				return nil, fmt.Errorf("%s: the simulation has no %q", l, m[1])
			}
			all = append(all, prediction{m[0] + r.title, found.Unit, l.Measured[m[2]], found.Estimate.Mean})
		}
	}
	return all, nil
}

// compare makes the result files of everything that was measured.
func compare(ctx context.Context, m measurements) ([]accuracy.Result, error) {
	command := "go run ./cmd/scheduling -measure"
	book := map[string]*accuracy.Result{}
	var order []*accuracy.Result
	for _, l := range m.Loads {
		subject, title, area := "scheduler-threads", "Threads", "scheduler"
		switch {
		case l.Threads > 0:
			subject, title, area = "scheduler-mutex", "pthread_mutex", "mutex"
		case l.Tool == "goroutines":
			subject, title = "scheduler-goroutines", "Goroutines"
		}
		r := book[subject]
		if r == nil {
			r = &accuracy.Result{Subject: subject, Title: title, Area: area, Machine: &m.Machine, Load: &m.Load, Commit: &m.Commit, Command: &command, Date: &m.Date, Repeats: &m.Repeats}
			book[subject], order = r, append(order, r)
		}
		predictions, err := predict(ctx, l, m.Wake)
		if err != nil {
			return nil, err
		}
		configuration := l.String()
		if l.Tool == "goroutines" {
			configuration = "goroutines, " + configuration
		}
		for _, p := range predictions {
			e := p.error()
			r.Rows = append(r.Rows, accuracy.Row{Quantity: p.quantity, Unit: p.unit, Configuration: configuration, Error: &e,
				Predicted: &accuracy.Value{Mean: p.simulation}, Measured: &accuracy.Value{Mean: p.of.Median, Low: &p.of.Least, High: &p.of.Most}})
		}
	}
	var all []accuracy.Result
	for _, r := range order {
		all = append(all, *r)
	}
	return all, nil
}
