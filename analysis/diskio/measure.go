package diskio

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"tierscope/core"
	"tierscope/core/robust"
)

// MeasureOptions say how a disk is measured. The zero value reads for about
// 20 s with 1 … 32 threads.
type MeasureOptions struct {
	Threads  []int         // numbers of requests in flight, ascending; nil: 1, 2, 4, 8, 16, 32
	PerPoint time.Duration // of reading at each; 0: 3 s
	Bytes    int           // of a read; 0: 4096
	Create   int64         // write a file of this many bytes to read from, and remove it; 0: read what is there
	Progress func(done, all int)
}

// Rounds of interleaved points, so that a disk that gets slower meanwhile does
// not look like one that dislikes many threads.
const measureRounds = 3

// leastMeasured is the number of bytes that must be there to read: less would
// measure the cache of the device.
const leastMeasured = 64 << 20

// Point is what was measured with one number of threads that read without
// pause, in one or several rounds.
type Point struct {
	Threads int
	Times   []float64 // of every read, seconds
	Elapsed float64   // seconds
	CPU     float64   // seconds that the threads computed during these reads
	Between float64   // and between them

	Reads []Operation // the same reads with their threads

	rounds []round
	beside []float64 // of each round: reads per second of the load learnt from just before and after it
}

// round is a time of reading without a break.
type round struct {
	reads         int
	elapsed, time float64 // s; time: in reads, all threads together, within the time that there was to read
	ended         int     // reads that ended within it
}

// within counts a read that belongs to the time from one instant to another, ns. The mean time of a
// read is that which passed in reads divided by the reads that ended (Denning & Buzen 1978), for the
// reads that are under way at the end are the long ones where the order is not fair, and
// those that were begun at once at the start the short ones.
func (r *round) within(o Operation, from, to int64) {
	r.time += float64(max(0, min(o.End, to)-max(o.Start, from))) * 1e-9
	if o.End <= to {
		r.ended++
	}
}

func (r round) throughput() float64 { return float64(r.reads) / r.elapsed }
func (r round) mean() float64       { return r.time / float64(max(1, r.ended)) }

// add adds what was measured in another time.
func (p *Point) add(q *Point) {
	p.Times = append(p.Times, q.Times...)
	p.Elapsed += q.Elapsed
	p.CPU += q.CPU
	p.Between += q.Between
	p.Reads = append(p.Reads, q.Reads...)
	p.rounds = append(p.rounds, q.rounds...)
}

// Throughput is reads per second, in the median round: in one or the other the host may
// take the machine away for a while.
func (p *Point) Throughput() float64 {
	return p.median(round.throughput)
}

// Throughputs are the reads per second in every round.
func (p *Point) Throughputs() []float64 { return p.each(round.throughput) }

// Means are the mean times of a read in every round, seconds.
func (p *Point) Means() []float64 { return p.each(round.mean) }

// Relative is, in every round, the reads per second against those of the load learnt from just before and
// after it: what has made the disk slower or faster in the meantime is divided out. It is
// nil for a point that is not of a trial.
func (p *Point) Relative() []float64 {
	var ratios []float64
	for i, b := range p.beside {
		ratios = append(ratios, p.rounds[i].throughput()/b)
	}
	return ratios
}

func (p *Point) each(of func(round) float64) []float64 {
	values := make([]float64, len(p.rounds))
	for i, r := range p.rounds {
		values[i] = of(r)
	}
	return values
}

// Mean is the mean time of a read in the median round, seconds.
func (p *Point) Mean() float64 {
	return p.median(round.mean)
}

func (p *Point) median(of func(round) float64) float64 {
	if len(p.rounds) == 0 {
		return of(round{len(p.Times), p.Elapsed, floats.Sum(p.Times), len(p.Times)})
	}
	return robust.Median(p.each(of))
}

// Measurement is a disk measured by reading random places of its files past the
// page cache.
type Measurement struct {
	Dir      string
	Bytes    int     // of a read
	Points   []Point // ascending threads
	PerByte  float64 // seconds that a byte adds to a read
	Warnings []string
}

// Measure reads from the regular files below a directory. It changes nothing
// unless options.Create is set. It returns an error if there is too little to
// read, or if the platform cannot read past the page cache.
func Measure(ctx context.Context, dir string, o MeasureOptions) (Measurement, error) {
	if o.Threads == nil {
		o.Threads = []int{1, 2, 4, 8, 16, 32}
	}
	if o.PerPoint == 0 {
		o.PerPoint = 3 * time.Second
	}
	if o.Bytes == 0 {
		o.Bytes = 4096
	}
	m := Measurement{Dir: dir, Bytes: o.Bytes}
	files, err := openFiles(ctx, dir, o.Create)
	if err != nil {
		return m, fmt.Errorf("measure the disk of %s: %w", dir, err)
	}
	defer files.close()
	m.Warnings = files.warnings
	for _, n := range o.Threads {
		m.Points = append(m.Points, Point{Threads: n})
	}
	const large = 64 // times the size, to see what a byte costs
	big := Point{Threads: 1}
	all := measureRounds * (len(m.Points) + 1)
	for round := range measureRounds {
		for i := range m.Points {
			if err := files.read(ctx, &m.Points[i], o.Bytes, o.PerPoint/measureRounds); err != nil {
				return m, fmt.Errorf("measure the disk of %s: %w", dir, err)
			}
			if o.Progress != nil {
				o.Progress(round*(len(m.Points)+1)+i+1, all)
			}
		}
		if err := files.read(ctx, &big, o.Bytes*large, o.PerPoint/measureRounds); err != nil {
			return m, fmt.Errorf("measure the disk of %s: %w", dir, err)
		}
	}
	if i := slices.Index(o.Threads, 1); i >= 0 && len(big.Times) > 0 {
		m.PerByte = max(0, big.Mean()-m.Points[i].Mean()) / float64(o.Bytes*(large-1))
	}
	for i := range m.Points {
		if n := len(m.Points[i].Times); n < leastSamples {
			m.Warnings = append(m.Warnings, fmt.Sprintf("only %d reads with %d threads: measure longer", n, m.Points[i].Threads))
		}
	}
	return m, ctx.Err()
}

// Disk makes the model of the measured disk: one server if throughput hardly
// grows with the number of threads, a parallel device with a law given the
// number in flight otherwise. Beyond the greatest number of threads measured
// requests wait in the scheduler's queue.
func (m *Measurement) Disk(id string) Estimate {
	first, last := &m.Points[0], &m.Points[len(m.Points)-1]
	most := first.Throughput()
	for i := range m.Points {
		most = math.Max(most, m.Points[i].Throughput())
	}
	gain := most / first.Throughput()
	row := func(p *Point, x int) core.ServiceRow {
		times := make([]float64, len(p.Times))
		for i, t := range p.Times {
			times[i] = max(0, t-m.PerByte*float64(m.Bytes))
		}
		return core.ServiceRow{X: x, Time: core.FromSamples(times), PerByte: m.PerByte, Samples: int64(len(p.Times))}
	}
	e := Estimate{Warnings: m.Warnings}
	law := core.ServiceLaw{} // of every type
	if gain <= 1.25 {
		law.Given = core.Overtaken
		law.Rows = []core.ServiceRow{row(first, 0)}
		e.Disk.Depth = 1
		e.Reason = fmt.Sprintf("throughput grows only by the factor %.2f from %d to %d threads: one request at a time", gain, first.Threads, last.Threads)
	} else {
		law.Given = core.InFlight
		for i := range m.Points {
			x := m.Points[i].Threads
			if i == 0 {
				x = min(x, 1)
			}
			law.Rows = append(law.Rows, row(&m.Points[i], x))
		}
		e.Parallel = true
		e.Disk.Depth = last.Threads
		e.Reason = fmt.Sprintf("throughput grows by the factor %.2f from %d to %d threads: a parallel device", gain, first.Threads, last.Threads)
	}
	e.Disk.ID = id
	e.Disk.Order = core.DiskFIFO
	e.Disk.Service = []core.ServiceLaw{law}
	e.Disk.Origin = core.Origin{Note: fmt.Sprintf("measured with random reads of %d bytes in %s; %s", m.Bytes, m.Dir, e.Reason)}
	return e
}
