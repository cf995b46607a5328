package measure

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"tierscope/measure/table"
)

// Limits beyond which a run is flagged.
const (
	muchOthers = 0.05 // of the machine's CPUs used by other programs, while
	muchWaited = 0.05 // of the time that is measured was spent waiting for a CPU
	muchSteal  = 0.02 // of the machine's CPUs taken by the hypervisor
	muchLag    = 1    // lateness of the generator, relative to the time between requests
)

// rows turns an observation into rows of the table.
func (o *observation) rows(r Run) []table.Row {
	var rows []table.Row
	flags := o.flags()
	add := func(metric, of, stat string, value float64, unit string, n int) {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return
		}
		rows = append(rows, table.Row{
			Run: r.ID, Settings: r.Settings, Metric: metric, Of: of, Stat: stat,
			Value: value, Lo: math.NaN(), Hi: math.NaN(), N: n, Unit: unit, Flags: flags,
		})
	}
	if l := o.load; l != nil {
		good := l.Requests - l.Failures
		add("R", "", "mean", l.R.Mean, "s", good)
		add("R", "", "p50", l.R.P50, "s", good)
		add("R", "", "p95", l.R.P95, "s", good)
		add("R", "", "p99", l.R.P99, "s", good)
		add("X", "", "mean", l.X, "1/s", good)
		add("offered", "", "mean", l.Offered, "1/s", l.Requests)
		add("failures", "", "sum", float64(l.Failures), "", l.Requests)
		add("lag", "generator", "p95", l.Lag.P95, "s", l.Requests)
		add("CPU", "generator/request", "mean", l.CPU.Seconds()/float64(max(len(l.Hits), 1)), "s", len(l.Hits))
	} else {
		add("T", "program", "mean", o.wall, "s", 1)
	}
	if s := o.summary; s != nil && s.Tasks > 0 {
		of := ""
		if o.load != nil {
			of = "server" // as the server itself saw it, warm-up included
		}
		said := func(metric, stat string, value *float64, unit string) {
			if value != nil {
				add(metric, of, stat, *value, unit, s.Tasks)
			}
		}
		said("R", "mean", s.Mean, "s")
		said("R", "p50", s.P50, "s")
		said("R", "p95", s.P95, "s")
		said("R", "p99", s.P99, "s")
		for _, operation := range slices.Sorted(maps.Keys(s.Operations)) {
			add("E", operation, "mean", s.Operations[operation], "s", s.Tasks)
		}
		if o.load == nil {
			said("X", "mean", s.Throughput, "1/s")
		}
	}
	add("U", "cpu", "mean", o.use.cpu/(o.wall*float64(o.cores)), "1", 1)
	add("CPU", "program", "sum", o.use.cpu, "s", 1)
	for _, t := range o.use.threads {
		add("CPU", "thread/"+t.name, "sum", t.cpu, "s", 1)
	}
	for _, d := range o.disks {
		add("U", "disk/"+d.name, "mean", d.busy/o.wall, "1", 1)
	}
	add("bytes", "read", "sum", o.use.readBytes, "B", 1)
	add("bytes", "written", "sum", o.use.writeBytes, "B", 1)
	add("waited", "cpu", "sum", o.use.waited, "s", 1)
	add("waited", "others", "sum", min(o.use.waited, o.others)+o.steal, "s", 1) // at most, and for what else ran
	add("others", "cpu", "mean", o.others/(o.wall*float64(machineCPUs())), "1", 1)
	add("steal", "cpu", "mean", o.steal/(o.wall*float64(machineCPUs())), "1", 1)
	add("C", "cpu", "mean", o.calibration, "s", 2)
	return rows
}

// flags are the reasons to doubt a run.
func (o *observation) flags() []string {
	var flags []string
	capacity := o.wall * float64(machineCPUs())
	if o.others > muchOthers*capacity && o.use.waited > muchWaited*o.measured() {
		flags = append(flags, table.OthersRan)
	}
	if o.steal > muchSteal*capacity {
		flags = append(flags, table.TimeStolen)
	}
	if l := o.load; l != nil {
		if l.Failures > 0 {
			flags = append(flags, table.RequestsFailed)
		}
		// A little late does not matter, as response times count from when requests were
		// sent; what comes late comes in bunches, for which a server needs longer.
		if l.Lag.P95*l.Offered > muchLag {
			flags = append(flags, table.GeneratorLate)
		}
	}
	return flags
}

// measured is the time that the run tells: how long it took, or, of a server in which many requests
// are at once, how long all of them took.
func (o *observation) measured() float64 {
	if l := o.load; l != nil {
		return max(o.wall, l.R.Mean*float64(l.Requests-l.Failures))
	}
	return o.wall
}

// fact is one line about the run.
func (o *observation) fact() string {
	if l := o.load; l != nil {
		return fmt.Sprintf("R %.4g s, X %.4g/s, %d failed", l.R.Mean, l.X, l.Failures)
	}
	return fmt.Sprintf("T %.4g s, CPU %.4g s", o.wall, o.use.cpu)
}
