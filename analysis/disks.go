package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// diskTrace is what the disks did for the program: requests, and the executions
// of I/O fragments that they belong to (Tarvo & Reiss 2014, §4.3.2).
type diskTrace struct {
	requests []diskio.Request
	devices  []diskio.Device
	disks    map[uint64]string // by device: the disk of the model; without an entry it is not modelled
	models   []core.Disk
	foreign  int
	lost     int
}

// typesOfRequests in the order in which a fragment issues them.
var typesOfRequests = []string{diskio.Metadata, diskio.Read, diskio.ReadAhead, diskio.Write, diskio.Flush}

// diskRequest is a request of one execution of an I/O fragment.
type diskRequest struct {
	index int  // into diskTrace.requests
	late  bool // the thread did not wait for it
}

// attributeRequests gives the requests of the recording to the steps that
// caused them; without a recording, what the threads read themselves.
func (b *build) attributeRequests() {
	var steps []*step
	var usage []diskio.Usage
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				s := &q.steps[i]
				if s.node.class != core.IOFragment || s.open {
					continue
				}
				steps = append(steps, s)
				usage = append(usage, diskio.Usage{Read: s.read, Busy: s.wall() - s.off,
					Operation: diskio.Operation{Thread: int64(s.os), Start: s.start, End: s.end, Writes: waitsForWrites(s.node.op)}})
			}
		}
	}
	d := &diskTrace{requests: b.t.Disk.Requests, devices: b.t.Disk.Devices, disks: map[uint64]string{}}
	if b.t.Disk.Recorder == "" {
		d.requests = diskio.FromUsage(usage).Requests
		d.devices = []diskio.Device{{Name: "disk"}}
	}
	if len(d.requests) == 0 {
		return
	}
	b.disk = d
	operations := make([]diskio.Operation, len(usage))
	for i := range usage {
		operations[i] = usage[i].Operation
	}
	a := diskio.Attribute(operations, d.requests)
	d.foreign, d.lost = a.Foreign, a.Lost
	for i, of := range a.Of {
		if of >= 0 {
			steps[of].requests = append(steps[of].requests, diskRequest{i, a.Late[i]})
		}
	}
	for _, device := range d.devices {
		b.modelDisk(device, a.Of)
	}
}

// waitsForWrites reports whether an operation may wait for what other threads
// write on its behalf.
func waitsForWrites(op Op) bool {
	switch op {
	case OpFileSync, OpFileChange:
		return true
	}
	return false
}

// modelDisk estimates the disk of a device that the program uses.
func (b *build) modelDisk(device diskio.Device, of []int) {
	d := b.disk
	var there []diskio.Request
	used := false
	for i, r := range d.requests {
		if r.Device == device.Number {
			there = append(there, r)
			used = used || of[i] >= 0
		}
	}
	if !used {
		return
	}
	e, err := diskio.Model(device.Name, diskio.Observe(there))
	if err != nil {
		b.noDisk = errors.Join(b.noDisk, err)
		return
	}
	b.diskWarnings = append(b.diskWarnings, e.Warnings...)
	d.disks[device.Number] = e.Disk.ID
	d.models = append(d.models, e.Disk)
}

// diskTime is how long a step waited for its requests to disks of the model,
// ns.
func (b *build) diskTime(s *step) int64 {
	var waits []diskio.Interval
	for _, r := range s.requests {
		if q := &b.disk.requests[r.index]; !r.late && b.disk.disks[q.Device] != "" {
			waits = append(waits, diskio.Interval{Start: max(s.start, min(q.Queued, q.Issued)), End: min(s.end, q.Completed)})
		}
	}
	slices.SortFunc(waits, func(a, b diskio.Interval) int { return cmp.Compare(a.Start, b.Start) })
	sum, until := int64(0), s.start
	for _, w := range waits {
		sum += max(0, w.End-max(w.Start, until))
		until = max(until, w.End)
	}
	return sum
}

// io returns the parameter of an I/O fragment, Π_disk: for every type of
// request how many an execution makes, 0 being a cache hit, and their sizes. An
// execution that uses several disks is taken to use the one that the fragment
// uses most.
func (d *diskTrace) io(uses [][]diskRequest) (*core.IO, string) {
	votes := map[string]int{}
	for _, u := range uses {
		for _, r := range u {
			votes[d.disks[d.requests[r.index].Device]]++
		}
	}
	delete(votes, "")
	most := core.IO{}
	for _, disk := range d.models {
		if votes[disk.ID] > votes[most.Disk] {
			most.Disk = disk.ID
		}
	}
	hits, misses := 0, 0
	for _, kind := range typesOfRequests {
		for _, late := range []bool{false, true} {
			counts64 := make([]int64, len(uses))
			var sizes []float64
			for i, u := range uses {
				for _, r := range u {
					q := &d.requests[r.index]
					if q.Type == kind && r.late == late && d.disks[q.Device] == most.Disk {
						counts64[i]++
						sizes = append(sizes, float64(q.Bytes))
					}
				}
			}
			if len(sizes) > 0 {
				most.Requests = append(most.Requests, core.RequestType{Type: kind, Count: counts(counts64), Bytes: core.FromSamples(sizes), Async: late})
			}
		}
	}
	requests := 0
	var square float64
	for _, u := range uses {
		if len(u) == 0 {
			hits++
		} else {
			misses++
		}
		requests += len(u)
		square += float64(len(u) * len(u))
	}
	n := float64(len(uses))
	mean := float64(requests) / n
	note := fmt.Sprintf("%.4g ± %.2g requests an execution (standard error), %.1f %% of %d executions hit the cache",
		mean, math.Sqrt(max(0, square/n-mean*mean)/n), 100*float64(hits)/n, hits+misses)
	return &most, note
}

// steadyCache says which I/O fragments of a group hit the cache more or less
// often in the second half of their executions: the cache was not in a steady
// state. Two shares of n executions each differ by chance by less than three
// standard errors in 99.7 % of the cases.
func steadyCache(g *group) []string {
	type halves struct{ hits, all [2]float64 }
	times := map[*node][]int64{}
	each := func(visit func(s *step)) {
		for _, q := range g.seqs {
			for i := range q.steps {
				if s := &q.steps[i]; s.node.class == core.IOFragment && s.node.virtual == "" {
					visit(s)
				}
			}
		}
	}
	each(func(s *step) { times[s.node] = append(times[s.node], s.start) })
	for _, t := range times {
		slices.Sort(t)
	}
	by := map[*node]*halves{}
	var order []*node
	each(func(s *step) {
		h := by[s.node]
		if h == nil {
			h = &halves{}
			by[s.node] = h
			order = append(order, s.node)
		}
		half := 0
		if t := times[s.node]; s.start >= t[len(t)/2] {
			half = 1
		}
		h.all[half]++
		if len(s.requests) == 0 {
			h.hits[half]++
		}
	})
	const least, apart = 0.05, 3.0 // share that matters; standard errors
	var drifts []string
	for _, n := range order {
		h := by[n]
		if h.all[0] < 30 || h.all[1] < 30 {
			continue
		}
		p0, p1 := h.hits[0]/h.all[0], h.hits[1]/h.all[1]
		p := (h.hits[0] + h.hits[1]) / (h.all[0] + h.all[1])
		se := math.Sqrt(p * (1 - p) * (1/h.all[0] + 1/h.all[1]))
		if d := math.Abs(p1 - p0); d > least && d > apart*se {
			drifts = append(drifts, fmt.Sprintf("%s hit the cache in %.0f %% of its executions in the first half of the run and in %.0f %% in the second: let the program run in longer before it is recorded",
				nodeName(n), 100*p0, 100*p1))
		}
	}
	return drifts
}

// reportDisk tells how the disk was recorded.
func (b *build) reportDisk(t *Trust) {
	if b.disk == nil {
		return
	}
	t.Recorder = b.t.Disk.Recorder
	if t.Recorder == "" {
		t.Recorder = "getrusage"
		for _, what := range diskio.UsageLacks() {
			t.NotModelled = append(t.NotModelled, "disk: "+what)
		}
	}
	for _, what := range b.t.Disk.Lacks {
		t.NotModelled = append(t.NotModelled, "disk: "+what)
	}
	if all := len(b.disk.requests) - b.disk.foreign; all > 0 && b.disk.lost > 0 {
		t.NotModelled = append(t.NotModelled, fmt.Sprintf("disk: %d of the %d requests of the program were made outside of its operations on files (page faults, write-back)", b.disk.lost, all))
	}
	if b.noDisk != nil {
		t.NotModelled = append(t.NotModelled, "waits for a disk are delays of measured length: "+b.noDisk.Error())
	}
	for _, d := range b.disk.devices {
		if d.ReadAhead > 0 && b.disk.disks[d.Number] != "" {
			b.assume(fmt.Sprintf("disk %s: the kernel reads up to %d KiB ahead, as in the run; another setting changes the number of requests", d.Name, d.ReadAhead>>10))
		}
	}
	t.Warnings = append(t.Warnings, b.diskWarnings...)
}
