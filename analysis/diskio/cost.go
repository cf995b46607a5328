package diskio

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/core"
)

// Cost is what a read takes beside its requests, seconds.
type Cost struct {
	CPU      float64   // CPU time whatever the load, that of interrupts included
	Doorbell []float64 // CPU time more, by the number in flight (core.Disk.Doorbell)
	Rest     float64   // on the way to the disk and back to the program, without CPU time
}

// longest is the share of reads, those that took longest, that do not count: moments in
// which the machine stood still.
const longest = 0.02

// cost estimates what a read takes beside its requests: CPU time from the load without pauses,
// after which a processor is slower, and the rest from reads that no other thread's accompanied, of all
// loads, for among others a reader also waits for a processor, which the simulation repeats.
//
// A request for an idle device costs CPU time that one for a device that is awake need not
// cost: the device must be told of it, which leaves a virtual machine. So what a read
// computes is taken by the number in flight when its request was issued, and what it
// computes more than with the number that costs least is the doorbell; it is rung during
// the service. Interrupts that meet an idle processor or another program are on no reader's
// clock and come to it.
func (t *Trial) cost() Cost {
	requests := make([]Request, len(t.Learnt))
	for i := range t.Learnt {
		requests[i] = t.Learnt[i].Request
	}
	of := Attribute(t.Learning.Reads, requests).Of
	each := map[int]int{}
	for _, read := range of {
		each[read]++
	}
	computed, met, unaccompanied := map[int][]float64{}, t.met(), t.unaccompanied()
	var c Cost
	var alone, all []int
	for i, read := range of {
		if read == nobody || each[read] != 1 {
			continue
		}
		if unaccompanied[read] {
			alone = append(alone, i)
		}
		if t.busy[read] {
			all = append(all, i)
			computed[met[i]] = append(computed[met[i]], float64(t.Learning.Reads[read].CPU)*1e-9)
		}
	}
	if len(all) == 0 {
		return c
	}
	if len(alone) < leastSamples {
		alone = all
	}
	c.CPU, c.Doorbell = rings(computed)
	c.CPU += t.unseen()
	rest := make([]float64, len(alone))
	for k, i := range alone {
		r, o := &t.Learning.Reads[of[i]], &t.Learnt[i]
		ring := 0.0
		if n := len(c.Doorbell); n > 0 {
			ring = c.Doorbell[min(n, met[i])-1]
		}
		rest[k] = float64(r.End-r.Start)*1e-9 - max(ring, float64(o.Completed-o.arrived())*1e-9)
	}
	c.Rest = max(0, usual(rest)-c.CPU)
	c.CPU += t.between()
	return c
}

// unaccompanied tells of every read whether no other thread was reading at any time of it.
func (t *Trial) unaccompanied() []bool {
	reads := t.Learning.Reads
	order := make([]int, len(reads))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(reads[a].Start, reads[b].Start) })
	alone := make([]bool, len(reads))
	busy := int64(math.MinInt64) // until when some earlier read lasts
	for k, i := range order {
		alone[i] = busy <= reads[i].Start && (k+1 == len(order) || reads[i].End <= reads[order[k+1]].Start)
		busy = max(busy, reads[i].End)
	}
	return alone
}

// met is the number of requests that each found in the device, itself included, for which it
// is awake: 1 or 2 if it tells requests complete together, because it sleeps while the last
// ones are on their way back.
func (t *Trial) met() []int {
	met := make([]int, len(t.Learnt))
	for i := range met {
		met[i] = t.Learnt[i].AtIssue
	}
	if t.Estimate.Disk.Delivery != core.DeliverIdle {
		return met
	}
	first := map[*Observation]bool{}
	for _, d := range deliveries(t.Learnt, typicalAlone([][]Observation{t.Learnt})/2) {
		first[d.opens] = true
	}
	for i := range met {
		if met[i] = 2; first[&t.Learnt[i]] {
			met[i] = 1
		}
	}
	return met
}

// rings splits what is computed with some number in flight into that with the greatest
// number and what is computed more with less, which does not grow with the number. What
// hardly matters is left out.
func rings(computed map[int][]float64) (own float64, doorbell []float64) {
	var all []float64
	last := 0
	for n, values := range computed {
		all = append(all, values...)
		if len(values) >= leastSamples {
			last = max(last, n)
		}
	}
	if last == 0 {
		return usual(all), nil
	}
	most := 0.0
	doorbell = make([]float64, last)
	for n := last; n >= 1; n-- { // numbers that were not seen are taken for those after
		if values := computed[n]; len(values) >= leastSamples {
			most = max(most, usual(values))
		}
		doorbell[n-1] = most
	}
	own = doorbell[last-1]
	if doorbell[0] < (1+leastShare)*own {
		return usual(all), nil
	}
	for i := range doorbell {
		doorbell[i] -= own
	}
	return own, doorbell
}

// between is the CPU time of a reader from one read to the next, s.
func (t *Trial) between() float64 {
	sum, reads := 0.0, 0
	for i := range t.pieces {
		if p := &t.pieces[i]; p.busy {
			sum, reads = sum+p.between, reads+p.reads
		}
	}
	return sum / float64(max(1, reads))
}

// unseen is the time that processors were interrupted for a read while they did not run a
// reader, whose clock shows the others, s.
func (t *Trial) unseen() float64 {
	readers := map[int64]bool{}
	var spans []Interval
	n := 0
	for i := range t.Learning.Reads {
		readers[t.Learning.Reads[i].Thread] = true
	}
	for i := range t.pieces {
		if t.pieces[i].busy {
			spans, n = append(spans, t.pieces[i].span), n+t.pieces[i].reads
		}
	}
	var took []float64
	for _, i := range t.interrupts {
		if !readers[i.Thread] && slices.ContainsFunc(spans, func(s Interval) bool { return s.Start <= i.Start && i.End <= s.End }) {
			took = append(took, float64(i.End-i.Start)*1e-9)
		}
	}
	if len(took) == 0 {
		return 0
	}
	return usual(took) * float64(len(took)) / float64(n)
}

// usual is the mean without the longest.
func usual(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return stat.Mean(sorted[:max(1, int((1-longest)*float64(len(sorted))))], nil)
}
