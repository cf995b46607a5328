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

	"gonum.org/v1/gonum/stat"

	"tierscope/core"
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
// program: the ways to it and back, seconds.
type transport struct{ there, back []float64 }

// transportOf pairs requests, made one after the other, with the device's log
// of them.
func transportOf(alone []Request, log []Served) transport {
	var t transport
	slices.SortFunc(log, func(a, b Served) int { return cmp.Compare(a.Arrival, b.Arrival) })
	for _, r := range alone {
		i, _ := slices.BinarySearchFunc(log, r.Issued, func(s Served, at int64) int { return cmp.Compare(s.Arrival, at) })
		if i < len(log) && log[i].End <= r.Completed {
			t.there = append(t.there, float64(log[i].Arrival-r.Issued)*1e-9)
			t.back = append(t.back, float64(r.Completed-log[i].End)*1e-9)
		}
	}
	return t
}

// Judgement compares estimated times of service with the device's own.
type Judgement struct {
	Estimated, Logged int
	MeanEstimated     float64 // seconds
	AsLogged          Comparison
	AsSeen            Comparison // with the way there and back, as the kernel must see the device
}

// Judge compares the times of service that the model of the trial is made of
// with the device's log. The kernel sees a request that finds a free server for
// longer than it is served, by the way there and back, of which the model knows its
// latency, and one that waited by the difference of two ways back. The ways are those
// of requests of one thread alone, and are drawn independently. It returns an error if
// log does not cover the recording.
func (t *Trial) Judge(log []Served) (Judgement, error) {
	var j Judgement
	if t.Estimate.Parallel {
		return j, errors.New("the device is taken for a parallel one: it has no times of service of its own")
	}
	if t.Estimate.Disk.Delivery == core.DeliverIdle {
		return j, errors.New("the device tells requests complete together: a recording shows no times of service")
	}
	estimated := Services(t.Learnt, &t.Estimate.Disk)
	recorded := func(s Served) bool {
		return slices.ContainsFunc(t.pieces, func(p piece) bool { return p.span.Start <= s.Arrival && s.End <= p.span.End })
	}
	ways := transportOf(t.Alone, slices.Clone(log))
	random := rand.New(rand.NewPCG(1, 1))
	draw := func(from []float64) float64 {
		if len(from) == 0 {
			return 0
		}
		return from[random.IntN(len(from))]
	}
	var logged, seen []float64
	for _, s := range log {
		if !recorded(s) {
			continue
		}
		way := draw(ways.back)
		if s.Start == s.Arrival {
			way += draw(ways.there) - t.Estimate.Disk.Latency
		} else {
			way -= draw(ways.back)
		}
		service := float64(s.End-s.Start) * 1e-9
		logged = append(logged, service)
		seen = append(seen, service+way)
	}
	if len(logged) == 0 {
		return j, errors.New("it has nothing of the time of the recording; is it flushed?")
	}
	return Judgement{
		Estimated: len(estimated), Logged: len(logged), MeanEstimated: stat.Mean(estimated, nil),
		AsLogged: compareLaws(estimated, logged), AsSeen: compareLaws(estimated, seen),
	}, nil
}
