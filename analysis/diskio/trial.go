package diskio

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"tierscope/core"
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
	Alone    bool          // also record one thread alone: with the device's own log it tells the way there and back
	Progress func(done, all int)
}

// Trial is a model of a disk estimated from one load, and what was measured
// under others.
type Trial struct {
	Recorder string
	Learnt   []Observation // of the load that the model is estimated from
	Learning Point
	Busy     Point     // the part of it without pauses
	Alone    []Request // of one thread alone, one after the other
	Estimate Estimate
	Points   []Point
	Warnings []string
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
// about as long as a read takes, and for four times as long, in turns.
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
	log, err := record(recorder, device, func() error { return t.learn(ctx, files, alone.Mean(), o) })
	if err != nil {
		return fail(err)
	}
	t.Warnings = append(t.Warnings, log.Warnings...)
	t.Learnt = Observe(log.Requests)
	if t.Estimate, err = Model(id, t.Learnt); err != nil {
		return fail(err)
	}
	t.Warnings = append(t.Warnings, t.Estimate.Warnings...)
	return t, t.measure(ctx, files, o)
}

// learn reads without pause, with pauses of about a read, and with longer ones, in
// turns.
func (t *Trial) learn(ctx context.Context, files *fileSet, read float64, o TrialOptions) error {
	pauses := []float64{0, 1, 4}
	const turns = 4
	t.Learning.Threads, t.Busy.Threads = o.From, o.From
	for turn := range turns * len(pauses) {
		p := Point{Threads: o.From}
		pause := read * pauses[turn%len(pauses)]
		if err := files.readAndPause(ctx, &p, o.Bytes, o.Learn/time.Duration(turns*len(pauses)), pause); err != nil {
			return err
		}
		t.Learning.add(&p)
		if pause == 0 {
			t.Busy.add(&p)
		}
	}
	return nil
}

// Beside is what a read takes beside its requests, seconds: the median of those without
// pauses, so that moments in which the machine stood still do not count.
func (t *Trial) Beside() float64 {
	requests := make([]Request, len(t.Learnt))
	for i := range t.Learnt {
		requests[i] = t.Learnt[i].Request
	}
	inRequests := map[int]int64{}
	for i, of := range Attribute(t.Busy.Reads, requests).Of {
		if of != nobody {
			inRequests[of] += requests[i].Completed - first(requests[i].Queued, requests[i].Issued)
		}
	}
	var beside []float64
	for i, in := range inRequests {
		beside = append(beside, float64(t.Busy.Reads[i].End-t.Busy.Reads[i].Start-in)*1e-9)
	}
	if len(beside) == 0 {
		return 0
	}
	slices.Sort(beside)
	return beside[len(beside)/2]
}

// measure runs the closed loops, in interleaved rounds.
func (t *Trial) measure(ctx context.Context, files *fileSet, o TrialOptions) error {
	for _, n := range o.Threads {
		t.Points = append(t.Points, Point{Threads: n})
	}
	const rounds = 2
	for round := range rounds {
		for i := range t.Points {
			if err := files.read(ctx, &t.Points[i], o.Bytes, o.PerPoint/rounds); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(round*len(t.Points)+i+1, rounds*len(t.Points))
			}
		}
	}
	return ctx.Err()
}

// record records one device while do runs.
func record(recorder Recorder, device uint64, do func() error) (Log, error) {
	recording, err := recorder.Start(Scope{Devices: []uint64{device}})
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
