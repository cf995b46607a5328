package diskio

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"tierscope/core"
	"tierscope/core/robust"
)

// TrialOptions say how a model of a disk is put to the test. The zero value
// learns for 20 s with 4 threads, and measures 1, 2, 4, 8 and 16 for 5 s each.
type TrialOptions struct {
	From     int           // threads of the load that the model is estimated from; 0: 4
	Learn    time.Duration // of that load; 0: 20 s
	Threads  []int         // closed loops to measure; nil: 1, 2, 4, 8, 16
	PerPoint time.Duration // of each; 0: 5 s
	Bytes    int           // of a read; 0: 4096
	Recorder Recorder      // nil: the best
	RealTime bool          // the reading threads have real-time priority, so that other programs do not delay them; needs root
	Warm     bool          // read everything once before, so that a cache below the disk does not fill meanwhile
	Alone    bool          // also record one thread alone: with the device's own log it tells the way there and back
	Progress func(done, all int)
}

// Trial is a model of a disk estimated from one load, and what was measured
// under others.
type Trial struct {
	Recorder string
	Learnt   []Observation // of the load that the model is estimated from
	Learning Point
	Plain    Point     // the load learnt from without pauses, without a recording: between all that is measured
	Base     []float64 // its reads per second in every round, the median of its repeats
	Alone    []Request // of one thread alone, one after the other
	Estimate Estimate
	Cost     Cost // of a read beside its requests
	Points   []Point
	Warnings []string

	pieces     []piece // of the load learnt from
	busy       []bool  // by read of Learning: in a piece without pauses
	interrupts []Interrupt
}

// piece is a time of the load learnt from with pauses of one length.
type piece struct {
	span    Interval
	reads   int
	busy    bool    // no pauses
	between float64 // CPU time of the readers beside their reads, s
}

func (o TrialOptions) withDefaults() TrialOptions {
	if o.From == 0 {
		o.From = 4
	}
	if o.Learn == 0 {
		o.Learn = 20 * time.Second
	}
	if o.Threads == nil {
		o.Threads = []int{1, 2, 4, 8, 16}
	}
	if o.PerPoint == 0 {
		o.PerPoint = 5 * time.Second
	}
	if o.Bytes == 0 {
		o.Bytes = 4096
	}
	return o
}

// Try records random reads past the page cache of the files below a directory by
// From threads, estimates the disk, and measures closed loops of other numbers of
// threads. So that the number of requests in the device varies, which tells
// servers from queues, the threads pause between their reads: not at all, for
// about as long as a read takes, and for four times as long. The load to learn from and
// the closed loops take turns, and between them the load learnt from runs without pauses and
// without a recording: whether that is as fast throughout tells whether it was one disk.
func Try(ctx context.Context, dir, id string, o TrialOptions) (Trial, error) {
	o = o.withDefaults()
	var t Trial
	fail := func(err error) (Trial, error) { return t, fmt.Errorf("try the disk of %s: %w", dir, err) }
	recorder := o.Recorder
	if recorder == nil {
		var err error
		if recorder, err = Choose(); err != nil {
			return fail(err)
		}
	}
	t.Recorder = recorder.Name()
	device, err := DeviceOf(dir)
	if err != nil {
		return fail(err)
	}
	files, err := openFiles(ctx, dir, 0)
	if err != nil {
		return fail(err)
	}
	defer files.close()
	files.realTime = o.RealTime
	t.Warnings = files.warnings
	if o.Warm {
		if err := files.warm(ctx); err != nil {
			return fail(err)
		}
	}
	alone := Point{Threads: 1}
	if err := files.read(ctx, &alone, o.Bytes, o.Learn/20); err != nil || len(alone.Times) == 0 {
		return fail(fmt.Errorf("reading for the first time: %d reads, %w", len(alone.Times), err))
	}
	if o.Alone {
		log, err := record(recorder, device, func() error { return files.read(ctx, &alone, o.Bytes, o.Learn/5) })
		if err != nil {
			return fail(err)
		}
		t.Alone = log.Requests
	}
	requests, err := t.load(ctx, files, recorder, device, robust.Median(alone.Times), o)
	if err != nil {
		return fail(err)
	}
	t.Learnt = t.observe(requests)
	if t.Estimate, err = Model(id, t.Learnt); err != nil {
		return fail(err)
	}
	t.Warnings = append(t.Warnings, t.Estimate.Warnings...)
	t.Cost = t.cost()
	t.Estimate.Disk.Doorbell = t.Cost.Doorbell
	return t, ctx.Err()
}

// observe observes the requests learnt from, and whether they were of a load with pauses.
func (t *Trial) observe(requests []Request) []Observation {
	o := Observe(requests)
	for i := range o {
		o[i].Paced = !slices.ContainsFunc(t.pieces, func(p piece) bool { return p.busy && p.span.Start <= o[i].Issued && o[i].Completed <= p.span.End })
	}
	return o
}

// trialRounds is how often the load to learn from and the closed loops take turns: the
// speed of a machine and of a disk that others use too drifts. The median of nine lies between
// the second least and the second greatest with 96 %, whatever happened in one of them.
const trialRounds = 9

// load reads in rounds: by From threads, recorded, and then in the closed loops, without
// a recording. It returns the requests recorded.
func (t *Trial) load(ctx context.Context, files *fileSet, recorder Recorder, device uint64, read float64, o TrialOptions) ([]Request, error) {
	t.Learning.Threads, t.Plain.Threads = o.From, o.From
	for _, n := range o.Threads {
		t.Points = append(t.Points, Point{Threads: n})
	}
	var requests []Request
	for round := range trialRounds {
		log, err := record(recorder, device, func() error { return t.learn(ctx, files, read, o) })
		if err != nil {
			return nil, err
		}
		requests, t.interrupts = append(requests, log.Requests...), append(t.interrupts, log.Interrupts...)
		t.Warnings = append(t.Warnings, log.Warnings...)
		if err := t.measure(ctx, files, round, o); err != nil {
			return nil, err
		}
	}
	return requests, nil
}

// measure reads in the closed loops once, ascending and descending in turns, lest what
// changes from the beginning of a round to its end look like an effect of the number
// of threads, and without a recording in the load learnt from before and after each of them.
func (t *Trial) measure(ctx context.Context, files *fileSet, round int, o TrialOptions) error {
	base := func() (float64, error) {
		err := files.read(ctx, &t.Plain, o.Bytes, o.PerPoint/(2*trialRounds))
		return t.Plain.rounds[len(t.Plain.rounds)-1].throughput(), err
	}
	begin := len(t.Plain.rounds)
	before, err := base()
	if err != nil {
		return err
	}
	for k := range t.Points {
		p := &t.Points[k]
		if round%2 == 1 {
			p = &t.Points[len(t.Points)-1-k]
		}
		if err := files.read(ctx, p, o.Bytes, o.PerPoint/trialRounds); err != nil {
			return err
		}
		after, err := base()
		if err != nil {
			return err
		}
		p.beside = append(p.beside, (before+after)/2)
		before = after
		if o.Progress != nil {
			o.Progress(round*len(t.Points)+k+1, trialRounds*len(t.Points))
		}
	}
	t.Base = append(t.Base, robust.Median(t.Plain.Throughputs()[begin:]))
	return nil
}

// learnPauses are the pauses of the load to learn from, in times of a read.
var learnPauses = []float64{0, 1, 4}

// learn reads without pause, with pauses of about a read, and with longer ones.
func (t *Trial) learn(ctx context.Context, files *fileSet, read float64, o TrialOptions) error {
	for _, pause := range learnPauses {
		p, begin := Point{Threads: o.From}, monotonic()
		if err := files.readAndPause(ctx, &p, o.Bytes, o.Learn/time.Duration(trialRounds*len(learnPauses)), pause*read); err != nil {
			return err
		}
		t.pieces = append(t.pieces, piece{Interval{begin, monotonic()}, len(p.Reads), pause == 0, p.Between})
		for range p.Reads {
			t.busy = append(t.busy, pause == 0)
		}
		t.Learning.add(&p)
	}
	return nil
}

// record records one device while do runs.
func record(recorder Recorder, device uint64, do func() error) (Log, error) {
	recording, err := recorder.Start(Scope{Devices: []uint64{device}, Interrupts: true})
	if err != nil {
		return Log{}, err
	}
	err = do()
	log, stopErr := recording.Stop()
	if err := errors.Join(err, stopErr); err != nil {
		return log, fmt.Errorf("record: %w", err)
	}
	return log, nil
}

// Services are the times of service of observations, seconds, as Model splits them
// from waiting and the way to the device, with the servers and the latency of disk.
func Services(observations []Observation, disk *core.Disk) []float64 {
	o := slices.Clone(observations)
	var times []float64
	for _, d := range split(o) {
		startBest(d, edgesOf(d), disk.Depth)
		setLatency(d, int64(math.Round(1e9*disk.Latency)))
		for i := range d {
			times = append(times, float64(d[i].Busy())*1e-9)
		}
	}
	return times
}
