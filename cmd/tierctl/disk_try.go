package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/diskio"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/project"
	"tierscope/simulation"
)

// tryFlags are the flags of disk try.
type tryFlags struct {
	id, truth, format, out string
	learn, seconds, within float64
	device                 int
	options                diskio.TrialOptions
}

func newDiskTry(t *terminal) *cobra.Command {
	var f tryFlags
	cmd := &cobra.Command{
		Use:   "try DIR",
		Short: "Estimate a disk from one load and compare its predictions with others",
		Long: `try records random reads of the files in a directory, past the page cache, by a
few threads with pauses, and estimates a disk from the recording. In turns with that
it measures closed loops of other numbers of threads, and then simulates them with
that disk: what it prints is how far predictions for this disk can be trusted. It only reads.
Recording needs root.

A disk that others use too, or whose blocks move into a cache of the host, changes while it is
tried. So the load learnt from runs again between all loops. Where that is not as fast throughout, to
--within, the trial is undecided, and the ratios of the loops to it, in which what has
made all of them slower or faster is divided out, are what there is. Intervals are of the median
of nine rounds (96 %); one round may be beyond --within. Exit code 0: all predictions are within, 3: some are beyond, 4: undecided.

With --truth FILE the times of service are compared with those that the device
itself has logged in the same time, lines of "arrival start end …" in ns of
CLOCK_MONOTONIC, as tools/slowdisk writes them. --device names its process, which
writes its log out after SIGUSR2.`,
		Example: "  tierctl disk try /srv/data\n  tierctl disk try --from 4 --threads 1,2,4,8,16 --out sda.json /srv/data",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(f.format, "table", "json"); err != nil {
				return err
			}
			switch {
			case f.within <= 0 || f.within >= 100:
				return exit(exitUsage, errors.New("--within: give a percentage between 0 and 100"))
			case f.learn <= 0 || f.seconds <= 0 || f.options.From < 1:
				return exit(exitUsage, errors.New("--learn, --seconds and --from: give positive numbers"))
			case !slices.IsSorted(f.options.Threads) || len(f.options.Threads) == 0 || f.options.Threads[0] < 1:
				return exit(exitUsage, fmt.Errorf("--threads %v: give ascending numbers from 1 on", f.options.Threads))
			case f.options.Bytes < 4096 || f.options.Bytes%4096 != 0:
				return exit(exitUsage, fmt.Errorf("--bytes %d: give a multiple of 4096", f.options.Bytes))
			}
			f.options.Learn = time.Duration(f.learn * float64(time.Second))
			f.options.PerPoint = time.Duration(f.seconds * float64(time.Second))
			return f.run(cmd.Context(), t, args[0])
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.options.From, "from", 4, "threads of the load that the disk is estimated from")
	flags.Float64Var(&f.learn, "learn", 20, "seconds of that load")
	flags.IntSliceVar(&f.options.Threads, "threads", []int{1, 2, 4, 8, 16}, "closed loops to measure and predict")
	flags.Float64Var(&f.seconds, "seconds", 5, "time of each closed loop")
	flags.IntVar(&f.options.Bytes, "bytes", 4096, "size of a read, a multiple of 4096")
	flags.StringVar(&f.id, "id", "disk", "name of the disk in the model")
	flags.StringVar(&f.truth, "truth", "", "the device's own log of its times of service")
	flags.IntVar(&f.device, "device", 0, "process of a simulated device with the log of --truth")
	flags.Float64Var(&f.within, "within", 15, "error in per cent up to which a prediction is good, and a disk has stayed as it was")
	flags.BoolVar(&f.options.Warm, "warm", false, "read all files once before, so that a cache below the disk, such as the host's, does not fill meanwhile")
	flags.BoolVar(&f.options.RealTime, "real-time", false, "read with real-time priority, so that other programs do not matter")
	flags.StringVarP(&f.out, "out", "o", "", "also write the disk to this file (JSON)")
	flags.StringVar(&f.format, "format", "table", "table or json (the disk)")
	return cmd
}

// prediction is a closed loop measured and simulated.
type prediction struct {
	threads                int
	X, R, beside           span // measured; beside: X against that of the load learnt from
	simulatedX, simulatedR float64
}

func (f *tryFlags) run(ctx context.Context, t *terminal, dir string) error {
	if isTerminal(t.err) {
		f.options.Progress = func(done, all int) { fmt.Fprintf(t.err, "\rreading: %d of %d", done, all) }
		defer fmt.Fprintln(t.err)
	}
	f.options.Alone = f.truth != ""
	trial, err := diskio.Try(ctx, dir, f.id, f.options)
	if errors.Is(err, diskio.ErrNoRecorder) {
		return exit(exitInput, err)
	}
	if err != nil {
		return err
	}
	err = trial.Calibrate(func(threads int) (float64, error) {
		_, r, err := simulateLoop(ctx, &trial, threads, trial.Plain.Throughput())
		return r, err
	})
	if err != nil {
		return err
	}
	for _, w := range trial.Warnings {
		fmt.Fprintln(t.err, "warning:", w)
	}
	base, _, err := simulateLoop(ctx, &trial, trial.Plain.Threads, trial.Plain.Throughput())
	if err != nil {
		return err
	}
	var rows []prediction
	for i := range trial.Points {
		p, err := predictLoop(ctx, &trial, &trial.Points[i])
		if err != nil {
			return err
		}
		rows = append(rows, p)
	}
	truth := ""
	if f.truth != "" {
		if truth, err = f.compareTruth(&trial); err != nil {
			return exit(exitInput, err)
		}
	}
	verdict := judgeTrial(trial.Plain.Threads, trial.Base, rows, f.within/100)
	err = printDisk(t, &trial.Estimate.Disk, f.format, f.out, func() error {
		return f.print(t, &trial, rows, base, truth, verdict)
	})
	if err != nil {
		return err
	}
	return verdict.exit()
}

// predictLoop simulates the closed loop of a point.
func predictLoop(ctx context.Context, trial *diskio.Trial, p *diskio.Point) (prediction, error) {
	out := prediction{threads: p.Threads, X: over(p.Throughputs()), R: over(p.Means()), beside: over(p.Relative())}
	var err error
	out.simulatedX, out.simulatedR, err = simulateLoop(ctx, trial, p.Threads, p.Throughput())
	return out, err
}

// simulateLoop simulates a closed loop of which about that many reads per second are expected, and
// returns reads per second and the mean time of one, s.
func simulateLoop(ctx context.Context, trial *diskio.Trial, threads int, expected float64) (x, r float64, err error) {
	o := simulation.Options{Seed: 1, Replications: 4, Duration: max(20, 4000/expected), Warmup: 2, Workers: 1}
	if expected > 1000 {
		o.Duration, o.Warmup = 1, 0.1
	}
	result, err := simulation.Run(ctx, closedLoop(trial, threads), nil, o)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range result.Metrics {
		switch m.Key() {
		case "X class/read mean":
			x = m.Estimate.Mean
		case "R class/read mean":
			r = m.Estimate.Mean
		}
	}
	return x, r, nil
}

// closedLoop is threads that read one after the other without pause.
func closedLoop(trial *diskio.Trial, threads int) core.Model {
	var bytes float64
	byType := map[string][]float64{}
	for i := range trial.Learnt {
		o := &trial.Learnt[i]
		bytes += float64(o.Bytes)
		byType[o.Type] = append(byType[o.Type], float64(o.Bytes))
	}
	n, reads := float64(len(trial.Learnt)), float64(len(trial.Learning.Times))
	kind := diskio.Read
	for k, v := range byType {
		if len(v) > len(byType[kind]) {
			kind = k
		}
	}
	edge := func(to string) []core.Edge { return []core.Edge{{To: to, Probability: 1}} }
	return core.Model{
		Name:    "closed loop",
		Classes: []core.Class{{ID: "read"}},
		Sources: []core.Source{{ID: "threads", Kind: core.Closed, Class: "read", To: "calls", Population: threads}},
		Queues:  []core.Queue{{ID: "calls", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "readers", Graph: "reader", Kind: core.FixedPool, Size: threads}},
		Sinks:   []core.Sink{{ID: "done"}},
		CPU:     core.CPU{Cores: runtime.NumCPU(), WakeIdleCore: core.Const(trial.Cost.Rest)},
		Disks:   []core.Disk{trial.Estimate.Disk},
		Graphs: []core.Graph{{ID: "reader", Entry: "call", Fragments: []core.Fragment{
			{ID: "call", Class: core.InFragment, In: &core.In{Queue: "calls"}, Next: []core.Edge{{To: "fetch", Probability: 1}, {To: "end", Probability: 1}}},
			{ID: "fetch", Class: core.FetchFragment, Next: edge("compute")},
			{ID: "end", Class: core.NoFetchFragment},
			{ID: "compute", Class: core.CPUFragment, Demand: core.Const(trial.Cost.CPU), Next: edge("read")},
			{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: trial.Estimate.Disk.ID, Requests: []core.RequestType{
				{Type: kind, Count: core.Const(math.Max(1, math.Round(n/reads))), Bytes: core.Const(bytes / n)}}}, Next: edge("done")},
			{ID: "done", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: edge("call")},
		}}},
	}
}

func (f *tryFlags) print(t *terminal, trial *diskio.Trial, rows []prediction, base float64, truth string, verdict outcome) error {
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "THREADS\tIOPS\tPREDICTED\tε\tR\tPREDICTED\tε\t\n")
	worst := 0.0
	for _, p := range rows {
		ex, er := p.X.miss(p.simulatedX), p.R.miss(p.simulatedR)
		worst = max(worst, math.Abs(ex.median), math.Abs(er.median))
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%+.1f %%\t\n", p.threads, p.X.in("1/s"), quantity.Format(p.simulatedX, "1/s"), ex.percent(),
			quantity.Format(p.R.median, "s"), quantity.Format(p.simulatedR, "s"), 100*er.median)
	}
	fmt.Fprintln(table)
	printRatios(table, trial, rows, base)
	if err := table.Flush(); err != nil {
		return err
	}
	c := trial.Cost
	fmt.Fprintf(t.out, "\na read takes %s of CPU time and %s until an idle processor runs it again", quantity.Format(c.CPU, "s"), quantity.Format(c.Rest, "s"))
	for i, ring := range c.Doorbell {
		if i == 0 {
			fmt.Fprint(t.out, "; CPU time more with 1, 2, … requests in flight:")
		}
		fmt.Fprintf(t.out, " %s", quantity.Format(ring, "s"))
	}
	fmt.Fprintf(t.out, "\nestimated from %d requests of %d threads recorded by %s; largest |ε| %.1f %%\n%s order, dispatch limit %d: %s\n%s%s\n",
		len(trial.Learnt), trial.Learning.Threads, trial.Recorder, 100*worst, or(string(trial.Estimate.Disk.Order), string(core.DiskFIFO)), trial.Estimate.Disk.Depth, trial.Estimate.Reason, truth, verdict.sentence())
	return nil
}

// compareTruth compares the estimated times of service with the device's log.
func (f *tryFlags) compareTruth(trial *diskio.Trial) (string, error) {
	if f.device != 0 {
		if err := f.flush(); err != nil {
			return "", err
		}
	}
	file, err := project.OpenFile(f.truth)
	if err != nil {
		return "", err
	}
	defer file.Close()
	log, err := diskio.ReadServed(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.truth, err)
	}
	j, err := trial.Judge(log)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.truth, err)
	}
	tell := func(what string, c diskio.Comparison) string {
		text := fmt.Sprintf("%s %s (%+.1f %%), Kolmogorov–Smirnov distance %.3f", what, quantity.Format(c.Mean, "s"), 100*c.Error, c.Distance)
		if c.Within > 0 {
			text += fmt.Sprintf(" (within %s: 0.05)", quantity.Format(c.Within, "s"))
		}
		return text
	}
	return fmt.Sprintf("service: mean of %d estimated %s; of %d %s; %s\n", j.Estimated, quantity.Format(j.MeanEstimated, "s"),
		j.Logged, tell("logged", j.AsLogged), tell("with the way to the device", j.AsSeen)), nil
}
