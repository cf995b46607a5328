package diskio

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Served is a request as the device itself has logged it, ns of
// CLOCK_MONOTONIC.
type Served struct {
	Arrival, Start, End int64
}

// ReadServed reads lines of "arrival start end …", as tools/slowdisk writes
// them.
func ReadServed(r io.Reader) ([]Served, error) {
	c := csv.NewReader(r)
	c.Comma, c.FieldsPerRecord = ' ', -1
	var log []Served
	for {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			return log, nil
		}
		if err != nil {
			return nil, err
		}
		var times [3]int64
		if len(fields) < len(times) {
			return nil, fmt.Errorf("%q: expected arrival, start and end", strings.Join(fields, " "))
		}
		for i := range times {
			if times[i], err = strconv.ParseInt(fields[i], 10, 64); err != nil {
				return nil, fmt.Errorf("%q: expected times in ns", strings.Join(fields, " "))
			}
		}
		log = append(log, Served{times[0], times[1], times[2]})
	}
}

// transport is what lies between the kernel's block layer and a device that is a
// program: the ways to it and back, ns, of requests that it served in no time.
type transport struct{ there, back []int64 }

// transportOf pairs requests, made one after the other, with the device's log
// of them.
func transportOf(empty []Request, log []Served) transport {
	var t transport
	slices.SortFunc(log, func(a, b Served) int { return cmp.Compare(a.Arrival, b.Arrival) })
	for _, r := range empty {
		i, _ := slices.BinarySearchFunc(log, r.Issued, func(s Served, at int64) int { return cmp.Compare(s.Arrival, at) })
		if i < len(log) && log[i].End <= r.Completed {
			t.there = append(t.there, log[i].Start-r.Issued)
			t.back = append(t.back, r.Completed-log[i].End)
		}
	}
	return t
}

// Judgement compares estimated times of service with the device's own, seconds.
type Judgement struct {
	Estimated, Logged int
	MeanEstimated     float64
	MeanLogged        float64 // as the device has logged it
	MeanSeen          float64 // with the way there and back, as the kernel must see it
	Distance          float64 // Kolmogorov–Smirnov, from what the kernel must see
	DistanceLogged    float64 // from what the device has logged
}

// Judge compares the times of service that the model of the trial is made of
// with the device's log. The kernel sees a request that finds a free server for
// longer than it is served, by the way there and back, and one that waited by the
// difference of two ways back; the ways are those of empty requests, which the
// device served in no time, and are drawn independently. It returns an error if
// log does not cover the recording.
func (t *Trial) Judge(log []Served) (Judgement, error) {
	var j Judgement
	if t.Estimate.Parallel {
		return j, errors.New("the device is taken for a parallel one: it has no times of service of its own")
	}
	estimated := Services(t.Learnt, t.Estimate.Disk.Depth)
	begin, end := t.Learnt[0].Issued, int64(0)
	for i := range t.Learnt {
		begin, end = min(begin, t.Learnt[i].Issued), max(end, t.Learnt[i].Completed)
	}
	ways := transportOf(t.Empty, slices.Clone(log))
	random := rand.New(rand.NewPCG(1, 1))
	draw := func(from []int64) int64 {
		if len(from) == 0 {
			return 0
		}
		return from[random.IntN(len(from))]
	}
	var logged, seen []float64
	for _, s := range log {
		if s.Arrival < begin || s.End > end {
			continue
		}
		way := draw(ways.back)
		if s.Start == s.Arrival {
			way += draw(ways.there)
		} else {
			way -= draw(ways.back)
		}
		logged = append(logged, float64(s.End-s.Start)*1e-9)
		seen = append(seen, float64(s.End-s.Start+way)*1e-9)
	}
	if len(logged) == 0 {
		return j, errors.New("it has nothing of the time of the recording; is it flushed?")
	}
	return Judgement{
		Estimated: len(estimated), Logged: len(logged),
		MeanEstimated: mean(estimated), MeanLogged: mean(logged), MeanSeen: mean(seen),
		Distance: KolmogorovSmirnov(estimated, seen), DistanceLogged: KolmogorovSmirnov(estimated, logged),
	}, nil
}
