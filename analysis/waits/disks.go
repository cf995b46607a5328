package waits

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/diskio"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// typesOfRequests in the order in which a fragment issues them.
var typesOfRequests = []string{diskio.Metadata, diskio.Read, diskio.ReadAhead, diskio.Write, diskio.Flush}

// AttributeRequests gives the requests of the recording to the steps that
// caused them; without a recording, what the threads read themselves.
func AttributeRequests(tr *trail.Trail) {
	var steps []*trail.Step
	var usage []diskio.Usage
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				s := &q.Steps[i]
				if s.Node.Class != core.IOFragment || s.Open {
					continue
				}
				steps = append(steps, s)
				usage = append(usage, diskio.Usage{Read: s.Read, Busy: s.Wall() - s.Off,
					Operation: diskio.Operation{Thread: int64(s.OS), Start: s.Start, End: s.End, Writes: waitsForWrites(s.Node.Op)}})
			}
		}
	}
	d := &trail.DiskTrace{Requests: tr.Trace.Disk.Requests, Devices: tr.Trace.Disk.Devices, Disks: map[uint64]string{}}
	if tr.Trace.Disk.Recorder == "" {
		d.Requests = diskio.FromUsage(usage).Requests
		d.Devices = []diskio.Device{{Name: "disk"}}
	}
	if len(d.Requests) == 0 {
		return
	}
	tr.Disk = d
	operations := make([]diskio.Operation, len(usage))
	for i := range usage {
		operations[i] = usage[i].Operation
	}
	a := diskio.Attribute(operations, d.Requests)
	d.Foreign, d.Lost = a.Foreign, a.Lost
	for i, of := range a.Of {
		if of >= 0 {
			steps[of].Requests = append(steps[of].Requests, trail.DiskRequest{Index: i, Late: a.Late[i]})
		}
	}
	for _, device := range d.Devices {
		modelDisk(tr, device, a.Of)
	}
}

// waitsForWrites reports whether an operation may wait for what other threads
// write on its behalf.
func waitsForWrites(op trace.Op) bool {
	switch op {
	case trace.OpFileSync, trace.OpFileChange:
		return true
	}
	return false
}

// modelDisk estimates the disk of a device that the program uses.
func modelDisk(tr *trail.Trail, device diskio.Device, of []int) {
	d := tr.Disk
	var there []diskio.Request
	used := false
	for i, r := range d.Requests {
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
		tr.NoDisk = errors.Join(tr.NoDisk, err)
		return
	}
	tr.DiskWarnings = append(tr.DiskWarnings, e.Warnings...)
	d.Disks[device.Number] = e.Disk.ID
	d.Models = append(d.Models, e.Disk)
}

// diskTime is how long a step waited for its requests to disks of the model,
// ns.
func diskTime(tr *trail.Trail, s *trail.Step) int64 {
	var waits []diskio.Interval
	for _, r := range s.Requests {
		if q := &tr.Disk.Requests[r.Index]; !r.Late && tr.Disk.Disks[q.Device] != "" {
			waits = append(waits, diskio.Interval{Start: max(s.Start, min(q.Queued, q.Issued)), End: min(s.End, q.Completed)})
		}
	}
	slices.SortFunc(waits, func(a, b diskio.Interval) int { return cmp.Compare(a.Start, b.Start) })
	sum, until := int64(0), s.Start
	for _, w := range waits {
		sum += max(0, w.End-max(w.Start, until))
		until = max(until, w.End)
	}
	return sum
}

// Io returns the parameter of an I/O fragment, Π_disk: for every type of
// request how many an execution makes, 0 being a cache hit, and their sizes. An
// execution that uses several disks is taken to use the one that the fragment
// uses most.
func Io(d *trail.DiskTrace, uses [][]trail.DiskRequest) (*core.IO, string) {
	votes := map[string]int{}
	for _, u := range uses {
		for _, r := range u {
			votes[d.Disks[d.Requests[r.Index].Device]]++
		}
	}
	delete(votes, "")
	most := core.IO{}
	for _, disk := range d.Models {
		if votes[disk.ID] > votes[most.Disk] {
			most.Disk = disk.ID
		}
	}
	if most.Disk == "" { // of these executions none missed the cache, as others of the same operation did; a page each
		most.Disk = d.Models[0].ID
		most.Requests = []core.RequestType{{Type: cmp.Or(d.Models[0].Service[0].Type, diskio.Read), Count: core.Distribution{Kind: core.Constant}, Bytes: core.Distribution{Kind: core.Constant, Value: 4096}}}
	}
	hits, misses := 0, 0
	for _, kind := range typesOfRequests {
		for _, late := range []bool{false, true} {
			counts64 := make([]int64, len(uses))
			var sizes []float64
			var turns turns
			for i, u := range uses {
				var mine []*diskio.Request
				for _, r := range u {
					q := &d.Requests[r.Index]
					if q.Type == kind && r.Late == late && votes[most.Disk] > 0 && d.Disks[q.Device] == most.Disk {
						counts64[i]++
						sizes = append(sizes, float64(q.Bytes))
						mine = append(mine, q)
					}
				}
				turns.count(mine)
			}
			if len(sizes) > 0 {
				most.Requests = append(most.Requests, core.RequestType{Type: kind, Count: trail.Counts(counts64), Bytes: core.FromSamples(sizes), Async: late, InTurn: !late && turns.most()})
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

// steadyCache says which I/O fragments of a pool hit the cache more or less
// often in the second half of their executions: the cache was not in a steady
// state.
func steadyCache(g *trail.Pool) []string {
	times := map[*trail.Node][]int64{}
	each := func(visit func(s *trail.Step)) {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Class == core.IOFragment && s.Node.Virtual == "" {
					visit(s)
				}
			}
		}
	}
	each(func(s *trail.Step) { times[s.Node] = append(times[s.Node], s.Start) })
	for _, t := range times {
		slices.Sort(t)
	}
	by := map[*trail.Node]*twoShares{}
	var order []*trail.Node
	each(func(s *trail.Step) {
		if by[s.Node] == nil {
			by[s.Node] = &twoShares{}
			order = append(order, s.Node)
		}
		t := times[s.Node]
		by[s.Node].add(s.Start >= t[len(t)/2], len(s.Requests) == 0)
	})
	var drifts []string
	for _, n := range order {
		if h := by[n]; h.differ() {
			drifts = append(drifts, fmt.Sprintf("%s hit the cache in %.0f %% of its executions in the first half of the run and in %.0f %% in the second: let the program run in longer before it is recorded",
				trail.NodeName(n), 100*h.of(0), 100*h.of(1)))
		}
	}
	return drifts
}
