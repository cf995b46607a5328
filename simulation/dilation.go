package simulation

// dilate makes all times of a result longer by a factor (core.Model.Dilation): rates fall by it, numbers and shares stay.
func (r *Result) dilate(by float64) {
	if by == 1 {
		return
	}
	r.Duration *= by
	r.Warmup *= by
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Estimate = m.Estimate.Scaled(stretchOf(m.Unit, by))
	}
	for _, d := range r.Distributions {
		for i := range d.CDF {
			d.CDF[i].X *= stretchOf(d.Unit, by)
		}
	}
	for i := range r.Courses {
		c := &r.Courses[i]
		c.Step *= by
		for k := range c.Values {
			c.Values[k] *= stretchOf(c.Unit, by)
		}
	}
}

// stretchOf is what a number of a unit is multiplied by if all takes longer by a factor.
func stretchOf(unit string, by float64) float64 {
	switch unit {
	case "s":
		return by
	case "1/s":
		return 1 / by
	}
	return 1
}
