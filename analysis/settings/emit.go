package settings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// emit returns the parameters. The quantities of one setting are one parameter with its name, in its units, and
// others that follow it; what the setting is comes before what the program computes from it, and both before the
// rounds of loops. Those that nobody sets follow the cores where the program asks the machine.
func (s *solver) emit() []core.Parameter {
	order := slices.Clone(s.quantities)
	slices.SortStableFunc(order, func(a, b *quantity) int { return cmp.Compare(a.removed(), b.removed()) })
	leader, taken := map[*setting]*quantity{}, map[string]bool{}
	for _, q := range order {
		if q.by != nil && leader[q.by.setting] == nil {
			if p, ok := q.in(q.by); ok {
				leader[q.by.setting], q.Parameter, q.asked = q, p, q.asked.through(q.by)
				q.Name, q.How = q.by.named(s.tr.Trace.Runtime.Property)
			}
		}
		name := plain.Replace(q.Name)
		q.Name = name
		for n := 2; taken[q.Name]; n++ {
			q.Name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[q.Name] = true
	}
	first := s.quantities[0]
	ps := make([]core.Parameter, len(s.quantities))
	for i, q := range s.quantities {
		ps[i] = q.Parameter
		var lead *quantity
		if q.by != nil {
			lead = leader[q.by.setting]
		}
		switch {
		case lead != nil && lead != q && !q.by.Loose && !lead.by.Loose:
			ps[i].Follows = &core.Follow{Parameter: lead.Name, Linear: q.by.Value}
		case q.asked == nil, first.by != nil && leader[first.by.setting] == q: // which the cores follow
		case (q.asked.Machine == trace.MachineCores || first.How == HowCPUs) && q.asked.Value.Count(first.Default) == q.Default:
			ps[i].Follows = &core.Follow{Parameter: first.Name, Linear: q.asked.Value}
		default:
			s.tr.Assume(fmt.Sprintf("%s: one for each of the %d CPUs of the machine, however many %s says", q.Description, cpus(s.tr), first.How))
		}
	}
	return ps
}

// plain replaces what paths and flags use.
var plain = strings.NewReplacer("/", "-", "=", "-", ",", "-")

// removed is how far a quantity is from the setting that decides it.
func (q *quantity) removed() int {
	switch {
	case q.use == trace.UseLoop:
		return 2
	case q.by != nil && q.by.Value != core.Linear{}:
		return 1
	default:
		return 0
	}
}

// in returns the parameter in the units of the setting that decides it, on the straight line through the numbers
// of the run, within the range in which that is so. Not every parameter can be: what divides does not go with what
// adds, and a bound may have overruled the number of the run.
func (q *quantity) in(c *claim) (core.Parameter, bool) {
	p, as := q.Parameter, c.Value
	if as == (core.Linear{}) || c.Loose {
		return p, !p.Integer || c.value == p.Default // not half a thread
	}
	x, a := c.value, slope(as)
	if !(a > 0 && x > 0) || p.Integer && x != math.Trunc(x) || math.Abs(a*x+as.Offset-p.Default) >= 1 {
		return p, false
	}
	back := func(n float64) float64 { return x + (n-q.Default)/a }
	if q.use == trace.UseSleep { // no whole number, of which a program may have made less
		p.Unit = timeUnit(a)
		back = func(n float64) float64 { return (n - as.Offset) / a }
	}
	p.Default, p.Min, p.Max = x, max(0, back(max(p.Min, as.Min))), back(min(p.Max, cmp.Or(as.Max, p.Max)))
	if p.Integer {
		p.Min, p.Max = math.Ceil(p.Min), math.Floor(p.Max)
	}
	p.SupportedMin, p.SupportedMax = max(p.Min, min(x, back(p.SupportedMin))), min(p.Max, back(p.SupportedMax))
	p.Targets = slices.Clone(p.Targets)
	for i := range p.Targets {
		switch t := &p.Targets[i]; {
		case cmp.Or(t.Power, 1) == 1:
			f := cmp.Or(t.Factor, 1)
			t.Factor, t.Offset = f*a, t.Offset+f*(q.Default-a*x)
		case as.Offset != 0 && !(q.aside && as.Offset == -1): // what is divided among x threads, of which x − 1 are in the pool, is divided by x
			return q.Parameter, false
		default:
			t.Factor = cmp.Or(t.Factor, 1) * math.Pow(q.Default/x, t.Power)
		}
	}
	return p, p.Min <= x && x <= p.Max
}

// through returns what a number of the machine makes of the setting, of what it makes of that which the setting
// decides; nil where bounds are in between.
func (u *use) through(by *claim) *use {
	if u == nil || by.Value == (core.Linear{}) {
		return u
	}
	out, a := *u, slope(by.Value)
	out.Value = core.Linear{Factor: slope(u.Value) / a, Offset: (u.Value.Offset - by.Value.Offset) / a}
	if u.Value.Min != 0 || u.Value.Max != 0 || out.Value.Count(u.value) != by.value {
		return nil
	}
	return &out
}
