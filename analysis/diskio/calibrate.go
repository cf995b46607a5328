package diskio

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core"
)

// Calibrate lets the model repeat the load that it was estimated from. What a request adds to
// a delivery is seen in the recording only together with what the processors do
// at the same time: completing requests and waking their threads up in turn. So mean, which
// simulates the closed loop of that many threads with the disk and the costs as they
// are and returns the mean time of a read, s, decides: if the reads without pauses that were
// recorded took longer than that, the service is what repeats their time. Then everything is
// scaled to those that were read without being recorded, because recording takes time. Devices
// whose requests show their service one by one are left as they are.
func (t *Trial) Calibrate(mean func(threads int) (float64, error)) error {
	recorded, cpu := t.withoutPause()
	if t.Estimate.Disk.Delivery != core.DeliverIdle || recorded == 0 || len(t.Plain.Times) == 0 {
		return nil
	}
	observed := t.Estimate.Disk
	service, err := t.solve(mean, recorded, 1, func(factor float64) core.Disk {
		d := observed
		d.Service = scaledService(observed.Service, factor)
		return d
	})
	if err != nil {
		return err
	}
	t.Cost.scale(t.Plain.CPU / float64(len(t.Plain.Times)) / cpu)
	t.Estimate.Disk.Doorbell = t.Cost.Doorbell
	repeats := t.Estimate.Disk
	everything, err := t.solve(mean, t.Plain.Mean(), 1/mostFactor, func(factor float64) core.Disk { return scaledDisk(repeats, factor) })
	if err != nil {
		return err
	}
	t.Estimate.Reason += fmt.Sprintf("; its service times %.2f repeats the recorded load, the disk times %.2f the same load without recording", service, everything)
	t.Estimate.Disk.Origin.Note += fmt.Sprintf("; service times %.2f and then the disk times %.2f to repeat the load", service, everything)
	return nil
}

// withoutPause is the mean time of the recorded reads without pauses, in the median round, and their
// mean CPU time, s.
func (t *Trial) withoutPause() (time, cpu float64) {
	var busy Point
	from, n := 0, 0
	for i, p := range t.pieces {
		past := from + p.reads
		if p.busy {
			busy.rounds = append(busy.rounds, t.Learning.rounds[i])
			for _, r := range t.Learning.Reads[from:past] {
				cpu += 1e-9 * float64(r.CPU)
			}
			n += p.reads
		}
		from = past
	}
	if n == 0 {
		return 0, 0
	}
	return busy.Mean(), cpu / float64(n)
}

// Limits and steps of the search for a factor.
const (
	mostFactor = 8.0
	halvings   = 14
)

// solve finds the factor, not below least, for which the disk lets reads take that long, s, by
// bisection of its logarithm, sets the disk, and returns the factor. Where none does the disk stays
// as it is.
func (t *Trial) solve(mean func(threads int) (float64, error), want, least float64, with func(factor float64) core.Disk) (float64, error) {
	low, high := least, mostFactor
	for range halvings {
		middle := math.Sqrt(low * high)
		t.Estimate.Disk = with(middle)
		got, err := mean(t.Learning.Threads)
		if err != nil {
			return 0, err
		}
		if got < want {
			low = middle
		} else {
			high = middle
		}
	}
	factor := math.Sqrt(low * high)
	if low == least || high == mostFactor {
		factor = 1
		if low != 1 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("no disk up to %v times as fast or slow repeats the load that this one was estimated from, reads of %.0f µs: predictions for it are rough", mostFactor, 1e6*want))
		}
	}
	t.Estimate.Disk = with(factor)
	return factor, nil
}

// scaledDisk takes factor times as long for everything.
func scaledDisk(d core.Disk, factor float64) core.Disk {
	d.Setup, d.Latency, d.Sleep.Wake = factor*d.Setup, factor*d.Latency, factor*d.Sleep.Wake
	d.Service = scaledService(d.Service, factor)
	return d
}

func scaledService(laws []core.ServiceLaw, factor float64) []core.ServiceLaw {
	laws = slices.Clone(laws)
	for i := range laws {
		laws[i].Rows = slices.Clone(laws[i].Rows)
		for k := range laws[i].Rows {
			r := &laws[i].Rows[k]
			r.Time, r.PerByte = r.Time.Scaled(factor), factor*r.PerByte
		}
	}
	return laws
}

// scale takes factor times as much CPU time for everything.
func (c *Cost) scale(factor float64) {
	c.CPU *= factor
	c.Doorbell = slices.Clone(c.Doorbell)
	for i := range c.Doorbell {
		c.Doorbell[i] *= factor
	}
}
