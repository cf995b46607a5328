package core

import (
	"fmt"
	"math"
	"slices"
)

func (c *checker) cpu() {
	cpu := &c.m.CPU
	where := "cpu"
	if cpu.Cores < 1 {
		c.add(where, "cores is %d; give at least 1", cpu.Cores)
	}
	c.most(where, "cores", cpu.Cores, MostCores)
	if len(cpu.Speed) > max(cpu.Cores, MostCores) {
		c.add(where, "speed has %d entries for %d cores; give one for each core", len(cpu.Speed), cpu.Cores)
	}
	one(c, where, "policy", cpu.Policy, "", EEVDF, ProcessorSharing, RoundRobin, GoScheduler, ShortestFirst, ShortestRemaining, PreemptivePriority)
	if c.law(where, "quantum_s", cpu.Quantum, false) && !cpu.Quantum.IsZero() && !(cpu.Quantum.Quantile(0) >= 0 && cpu.Quantum.Expectation() > 0) {
		c.add(where, "quantum_s is always 0, so that slices never let time pass; give a positive mean")
	}
	for _, n := range []struct {
		key   string
		value float64
	}{{"tick_s", cpu.Tick}, {"base_slice_s", cpu.BaseSlice}, {"wakeup_credit_s", cpu.Credit}, {"balance_s", cpu.Balance}, {"switch_s", cpu.Switch}, {"spin_s", cpu.Spin}} {
		c.finite(where, n.key, n.value, 0)
	}
	c.law(where, "wake_same_core_s", cpu.WakeSameCore, false)
	c.law(where, "wake_idle_core_s", cpu.WakeIdleCore, false)
	c.law(where, "wake_queued_s", cpu.WakeQueued, false)
	c.law(where, "waker_cost_s", cpu.WakerCost, false)
	c.factors(where, "speed", cpu.Speed)
	c.factors(where, "busy_factor", cpu.BusyFactor)
	c.finite(where, "single_speed", cpu.Single, 0)
	if halt := cpu.Halt; halt != nil {
		c.finite(where, "halt.after_s", halt.After, 0)
		c.law(where, "halt.wake_s", halt.Wake, false)
	}
	if cold := cpu.Cold; cold != nil {
		c.finite(where, "cold.slowdown", cold.Slowdown, 0)
		c.finite(where, "cold.work_s", cold.Work, 0)
		c.finite(where, "cold.after_s", cold.After, 0)
		c.finite(where, "cold.search_s", cold.Search, 0)
	}
	if turns := cpu.Turns; turns != nil {
		c.finite(where, "turns.slowdown", turns.Slowdown, 0)
		c.finite(where, "turns.work_s", turns.Work, 0)
	}
}

// factors checks relative speeds: each positive.
func (c *checker) factors(where, key string, values []float64) {
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			c.add(where, "%s[%d] is %v; give a finite number > 0, 1 is normal", key, i, v)
		}
	}
}

func (c *checker) disk(d *Disk) {
	where := fmt.Sprintf("disk %q", d.ID)
	one(c, where, "order", d.Order, "", DiskFIFO, DiskRandom, DiskElevator, DiskNearest)
	if d.Depth < 0 {
		c.add(where, "depth is %d; give at least 1", d.Depth)
	}
	c.finite(where, "speed", d.Speed, 0)
	c.finite(where, "latency_s", d.Latency, 0)
	c.finite(where, "setup_s", d.Setup, 0)
	c.finite(where, "sleep.after_s", d.Sleep.After, 0)
	c.finite(where, "sleep.wake_s", d.Sleep.Wake, 0)
	one(c, where, "delivery", d.Delivery, "", DeliverEach, DeliverIdle)
	for i, v := range d.Doorbell {
		c.finite(where, fmt.Sprintf("doorbell_s[%d]", i), v, 0)
	}
	c.law(where, "position", d.Position, false)
	c.finite(where, "bandwidth_bytes_per_s", d.Bandwidth, 0)
	if len(d.Service) == 0 && d.Bandwidth == 0 {
		c.add(where, "service is empty; give the service law of at least one request type, or the bandwidth of a link")
	}
	seen := map[string]bool{}
	for _, law := range d.Service {
		at := fmt.Sprintf("%s: service of type %q", where, law.Type)
		if seen[law.Type] {
			c.add(at, "is given twice; keep one")
		}
		seen[law.Type] = true
		if law.Type != "" {
			one(c, at, "type", law.Type, requestTypes...)
		}
		one(c, at, "given", law.Given, "", Overtaken, InFlight, Distance)
		c.law(at, "position", law.Position, false)
		if len(law.Rows) == 0 {
			c.add(at, "rows is empty; give at least one row")
		}
		for i, row := range law.Rows {
			c.law(at, fmt.Sprintf("rows[%d]: time_s", i), row.Time, true)
			c.finite(at, fmt.Sprintf("rows[%d]: per_byte_s", i), row.PerByte, 0)
		}
		if len(law.Rows) > 0 && (law.Rows[0].X < 0 || law.Rows[0].X > 1) {
			c.add(at, "the first row has x = %d; begin at 0 or 1", law.Rows[0].X)
		}
		if !slices.IsSortedFunc(law.Rows, func(a, b ServiceRow) int { return a.X - b.X }) {
			c.add(at, "rows are not in ascending order of x; sort them")
		}
		for i := 1; i < len(law.Rows); i++ {
			if law.Rows[i].X == law.Rows[i-1].X {
				c.add(at, "two rows have x = %d; keep one", law.Rows[i].X)
			}
		}
	}
}

var requestTypes = []string{"read", "metadata", "readahead", "write", "flush"}

// serves reports whether the disk has a law for the request type.
func (d *Disk) serves(requestType string) bool {
	return slices.ContainsFunc(d.Laws(), func(l ServiceLaw) bool { return l.Type == requestType || l.Type == "" })
}

func (c *checker) lock(l *Lock) {
	where := fmt.Sprintf("lock %q", l.ID)
	kind, known := lockKinds[l.Kind]
	if !known {
		one(c, where, "kind", l.Kind, LockKinds()...)
		return
	}
	one(c, where, "fairness", l.Fairness, "", Fair, Barging, GoMutex)
	one(c, where, "preference", l.Preference, "", GoRW, JavaFair, JavaUnfair, ReadFirst)
	one(c, where, "scope", l.Scope, "", PerProgram, PerTask, PerThread, PerCall)
	given := map[string]bool{
		"fairness":   l.Fairness != "",
		"preference": l.Preference != "",
		"permits":    l.Permits != 0,
		"parties":    l.Parties != 0,
		"spin_s":     l.Spin != 0,
		"capacity":   l.Capacity != 0,
		"stream":     l.Stream,
		"instances":  l.Instances > 1,
		"speed_up":   l.SpeedUp != 0,
	}
	for _, key := range kind.keys {
		delete(given, key)
	}
	c.unused(where, fmt.Sprintf("kind %q", l.Kind), given)
	if l.Permits < 0 {
		c.add(where, "permits is %d; give a number ≥ 0", l.Permits)
	}
	if l.Parties < kind.parties {
		c.add(where, "parties is %d; give the number of threads that meet, at least %d", l.Parties, kind.parties)
	}
	if l.Capacity < Unbounded {
		c.add(where, "capacity is %d; give a number ≥ 0, or %d for no limit", l.Capacity, Unbounded)
	}
	c.most(where, "instances", l.Instances, MostThreads)
	c.finite(where, "speed_up", l.SpeedUp, 0)
	c.finite(where, "spin_s", l.Spin, 0)
	if l.Instances < 0 {
		c.add(where, "instances is %d; give at least 1", l.Instances)
	}
	if len(l.Weights) > 0 {
		if len(l.Weights) != max(l.Instances, 1) {
			c.add(where, "%d weights for %d instances; give one weight for each", len(l.Weights), max(l.Instances, 1))
		}
		checkProbabilities(func(format string, args ...any) { c.add(where, format, args...) }, "weights", l.Weights)
	}
}

func (c *checker) background(b *Background) {
	where := fmt.Sprintf("background %q", b.ID)
	one(c, where, "trigger", b.Trigger, EveryPeriod, EveryCPU, EveryArrival, WarmingUp)
	if b.Trigger == WarmingUp {
		c.stages(where, b)
	} else {
		c.unused(where, fmt.Sprintf("trigger %q", b.Trigger), map[string]bool{"stages": len(b.Stages) > 0, "start_s": b.Start != 0})
		if c.law(where, "interval", b.Interval, true) && !(b.Interval.Expectation() > 0) {
			c.add(where, "interval is always 0, so that time never passes between units; give a positive mean")
		}
		c.law(where, "demand_s", b.Demand, b.Pause.IsZero())
	}
	c.law(where, "pause_s", b.Pause, false)
	if b.PauseCores < 0 || b.PauseCores == 1 {
		c.add(where, "pause_cores is %d; give the number of cores that the pause was measured on, at least 2, or nothing", b.PauseCores)
	}
	if b.Threads < 0 {
		c.add(where, "threads is %d; give at least 1", b.Threads)
	}
	c.finite(where, "weight", b.Weight, 0)
	c.finite(where, "scale", b.Scale, 0)
	for _, share := range []struct {
		key   string
		value float64
	}{{"share", b.Share}, {"assist", b.Assist}} {
		if !(share.value >= 0 && share.value <= 1) {
			c.add(where, "%s is %v; give a fraction in 0…1", share.key, share.value)
		}
	}
}

// stages checks the stages of a compiler: each with work, in order.
func (c *checker) stages(where string, b *Background) {
	c.unused(where, fmt.Sprintf("trigger %q", b.Trigger), map[string]bool{
		"interval": !b.Interval.IsZero(), "demand_s": !b.Demand.IsZero(), "pause_s": !b.Pause.IsZero(), "assist": b.Assist != 0,
	})
	if len(b.Stages) == 0 {
		c.add(where, "stages is empty; give at least one")
	}
	c.finite(where, "start_s", b.Start, 0)
	before := Stage{After: b.Start, Slowdown: math.Inf(1), Company: math.Inf(1)}
	for i, s := range b.Stages {
		at := fmt.Sprintf("%s: stages[%d]", where, i)
		c.finite(at, "after_s", s.After, 0)
		c.finite(at, "slowdown", s.Slowdown, 0)
		c.finite(at, "company", s.Company, 0)
		if !(s.Demand > 0) || math.IsInf(s.Demand, 1) {
			c.add(at, "demand_s is %v; give a finite number > 0", s.Demand)
		}
		if s.After < before.After {
			c.add(at, "after_s is %g, before that of the stage before, or start_s, %g; order the stages by it", s.After, before.After)
		}
		if s.Slowdown > before.Slowdown {
			c.add(at, "slowdown is %g, more than before the stage before was done, %g; what is compiled does not become slower", s.Slowdown, before.Slowdown)
		}
		if s.Company > before.Company {
			c.add(at, "company is %g, more than before the stage before was done, %g; what is compiled does not become slower", s.Company, before.Company)
		}
		before = s
	}
}

// parameters checks the knobs: names, ranges, targets.
func (c *checker) parameters() {
	m := c.m
	if len(m.Parameters) > mostParameters {
		c.add("parameters", "there are %d; keep those that you vary, at most %d", len(m.Parameters), mostParameters)
		return
	}
	indexIDs(c, "parameter", m.Parameters, func(p Parameter) string { return p.Name })
	driver := map[string]string{}
	for _, p := range m.Parameters {
		where := fmt.Sprintf("parameter %q", p.Name)
		for _, r := range p.Name {
			if r == '/' || r == '=' || r == ',' {
				c.add(where, "the name contains %q, which paths and flags use; rename it", r)
				break
			}
		}
		bad := false
		for _, n := range []float64{p.Default, p.Min, p.Max, p.SupportedMin, p.SupportedMax} {
			bad = bad || math.IsNaN(n) || math.IsInf(n, 0)
		}
		switch {
		case bad:
			c.add(where, "default, min, max or the supported range is not a finite number; give finite numbers")
		case p.Min > p.Max:
			c.add(where, "min %g is above max %g; exchange them", p.Min, p.Max)
		case p.Default < p.Min || p.Default > p.Max:
			c.add(where, "default %g is outside %g…%g; widen the range or change the default", p.Default, p.Min, p.Max)
		case p.Integer && p.Default != math.Trunc(p.Default):
			c.add(where, "default %g is not a whole number; change it or remove integer", p.Default)
		}
		if p.SupportedMin > p.SupportedMax {
			c.add(where, "supported_min %g is above supported_max %g; exchange them", p.SupportedMin, p.SupportedMax)
		}
		if len(p.Targets) == 0 {
			c.add(where, "has no targets, so that it changes nothing; name at least one path")
		}
		for _, t := range p.Targets {
			if !bad {
				c.target(where, p, t, driver)
			}
		}
		if p.Follows != nil {
			c.follows(p, where)
		}
	}
}

func (c *checker) target(where string, p Parameter, t Target, driver map[string]string) {
	k, err := c.m.Lookup(t.Path)
	if err != nil {
		c.add(where, "target %q is not a path of the model; %s", t.Path, c.m.hint(t.Path))
		return
	}
	if t.Multiplies {
		if at := t.Apply(p.Default); !(math.Abs(at-1) < 1e-6) || !(t.Apply(p.Min) >= 0 && t.Apply(p.Max) >= 0) {
			c.add(where, "target %q multiplies by %v at the default and by %v and %v at the ends; the first has to be 1, none negative", t.Path, at, t.Apply(p.Min), t.Apply(p.Max))
		}
		return
	}
	if other, taken := driver[k.Path]; taken {
		c.add(where, "target %q is driven by parameter %q too; remove one of them", t.Path, other)
	}
	driver[k.Path] = p.Name
	if at := t.Apply(p.Default); math.IsNaN(at) || math.IsInf(at, 0) {
		c.add(where, "target %q: factor·default^power + offset is %v; give finite numbers", t.Path, at)
	}
	for _, end := range []float64{p.Min, p.Max} {
		switch v := t.Apply(end); {
		case math.IsNaN(v) || math.IsInf(v, 0) || v < k.Least:
			c.add(where, "target %q would be %g at %s = %g; keep it at least %g within min…max", t.Path, v, p.Name, end, k.Least)
		case v > k.most():
			c.add(where, "target %q would be %g at %s = %g; keep it at most %g within min…max", t.Path, v, p.Name, end, k.most())
		}
	}
}
