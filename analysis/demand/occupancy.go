package demand

import "tierscope/analysis/trace"

// occupancy is how many cores were busy, in bins of equal width.
type occupancy struct {
	begin, width int64 // ns
	busy         []float64
}

// add spreads an amount of CPU time evenly over an interval.
func (o *occupancy) add(from, to, amount int64) {
	if amount <= 0 || to <= o.begin {
		return
	}
	from, to = max(from, o.begin), max(to, from+1)
	last := int((to - 1 - o.begin) / o.width)
	if last >= len(o.busy) {
		o.busy = append(o.busy, make([]float64, last+1-len(o.busy))...)
	}
	rate := float64(amount) / float64(to-from)
	for i := int((from - o.begin) / o.width); i <= last; i++ {
		low, high := o.begin+int64(i)*o.width, o.begin+int64(i+1)*o.width
		o.busy[i] += rate * float64(min(high, to)-max(low, from)) / float64(o.width)
	}
}

// addThread adds what a quantity of a thread grew by from record to record.
func (o *occupancy) addThread(th *trace.Thread, grew func(before, r *trace.Record) int64) {
	before := trace.Record{Time: th.Born}
	for i := range th.Records {
		r := &th.Records[i]
		if r.Op != trace.OpThreadBegin {
			o.add(before.Time, r.Time, grew(&before, r))
		}
		before = *r
	}
}

// sums returns a function that gives the sum of all amounts until a moment.
func (o *occupancy) sums() func(moment int64) float64 {
	until := []float64{0}
	for _, x := range o.busy {
		until = append(until, until[len(until)-1]+x*float64(o.width))
	}
	return func(moment int64) float64 {
		x := float64(max(moment-o.begin, 0)) / float64(o.width)
		i := int(x)
		if i >= len(o.busy) {
			return until[len(o.busy)]
		}
		return until[i] + (x-float64(i))*o.busy[i]*float64(o.width)
	}
}

// mean is the mean number of busy cores in the bins of an interval.
func (o *occupancy) mean(from, to int64) float64 {
	first, last := int((max(from, o.begin)-o.begin)/o.width), int((max(to, o.begin)-o.begin)/o.width)
	last = min(last, len(o.busy)-1)
	if first > last {
		return 0
	}
	sum := 0.0
	for _, x := range o.busy[first : last+1] {
		sum += x
	}
	return sum / float64(last-first+1)
}

// fill spreads an amount of CPU time evenly over what n cores had left in a run of some length.
func (o *occupancy) fill(n, amount, length float64) {
	if short := int(length/float64(o.width)) + 1 - len(o.busy); short > 0 {
		o.busy = append(o.busy, make([]float64, short)...)
	}
	free := 0.0
	for _, x := range o.busy {
		free += max(0, n-x) * float64(o.width)
	}
	if free == 0 {
		return
	}
	share := min(1, amount/free)
	for i, x := range o.busy {
		o.busy[i] += share * max(0, n-x)
	}
}
