package accuracy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// fewestLoads of a server show how its errors change with them. Convention: two loads at three numbers of threads.
const fewestLoads = 6

// Serving is how well response times or throughputs of a server are known after the runs that are advised.
type Serving struct {
	Reliable
	Quantity string
	Runs     int // that were made
}

// Serving tells it of every server: R where it keeps up, and X. How large errors are is learned of the other servers, all else of
// run times. What a model is off by is the scale of its demands, which R follows the more the nearer a server
// is to saturation, and X not at all below it.
func (b *Book) Serving() (all []Serving) { return b.serving(advised) }

// Unchecked tells it of models that nobody held against any run.
func (b *Book) Unchecked() (all []Serving) {
	return b.serving(func(law core.Errors, p Program) (*core.Field, []core.Checked) { return law.Field(nil), p.Others })
}

func (b *Book) serving(run func(core.Errors, Program) (*core.Field, []core.Checked)) (all []Serving) {
	responses := map[string]int{}
	programs, _ := b.servers("R")
	for i, p := range programs {
		responses[p.Name] = i
	}
	learning := LearnSize(programs, core.ErrorsOfModels())
	for _, metric := range []string{"R", "X"} {
		servers, follows := b.servers(metric)
		for i, p := range servers {
			law := core.ErrorsOfModels() // X is not off where a server keeps up, and by its demands where it does not
			if metric == "R" {
				law = learning.Law(responses[p.Name])
			}
			field, rest := run(law, p)
			s := Serving{Reliable{Program: p}, metric, len(p.Others) - len(rest)}
			s.judge(field, rest)
			for k, o := range rest {
				s.Halves[k] = math.Expm1(follows[i][name(o.At)] * math.Log1p(s.Halves[k]))
			}
			s.Others = rest
			all = append(all, s)
		}
	}
	return all
}

// servers are those that were measured under enough loads, and how strongly a metric of each follows demands.
func (b *Book) servers(metric string) (all []Program, follows []map[string]float64) {
	for i := range b.Results {
		r := &b.Results[i]
		if r.Area == Fresh || len(r.rows("T", nil)) > 0 {
			continue
		}
		if p, f := r.served(metric); len(p.Others) >= fewestLoads {
			all, follows = append(all, p), append(follows, f)
		}
	}
	return all, follows
}

// OfServers is the law of the errors of their demands.
func (b *Book) OfServers() core.Errors {
	programs, _ := b.servers("R")
	return LearnSize(programs, core.ErrorsOfModels()).Law(-1)
}

// name of a configuration.
func name(at map[string]float64) (out string) {
	for _, k := range slices.Sorted(maps.Keys(at)) {
		out += fmt.Sprint(k, "=", at[k], " ")
	}
	return out
}

// served are the errors of the demands of a server by the rows of a metric, and how strongly the metric follows demands in
// each configuration.
func (r *Result) served(metric string) (p Program, follows map[string]float64) {
	p.Name, follows = r.Subject, map[string]float64{}
	rows := slices.DeleteFunc(r.rows(metric, nil), func(row Row) bool { return row.Error == nil || row.Of != 0 || row.Measured == nil })
	curves := curvesOf(rows)
	for _, row := range rows {
		if metric == "R" && row.Saturated {
			continue
		}
		c, f := r.Checked(row), 1.0
		if metric == "R" {
			f = curves.follows(row, c.Off)
		}
		c.Off /= f
		follows[name(c.At)] = f
		p.Others = append(p.Others, c)
	}
	return p, follows
}

// load is a predicted response time under a rate, both as logarithms.
type load struct{ rate, response float64 }

// curves are predicted response times over rates, by what else is set.
type curves map[string][]load

func curvesOf(rows []Row) curves {
	out := curves{}
	for _, row := range rows {
		others, rate := besides(row)
		out[others] = append(out[others], load{rate, math.Log(row.Measured.Mean * (1 + *row.Error))})
	}
	for _, c := range out {
		slices.SortFunc(c, func(a, b load) int { return cmp.Compare(a.rate, b.rate) })
	}
	return out
}

// besides is what a row sets besides the rate, and the rate's logarithm.
func besides(row Row) (others string, rate float64) {
	s := settings(row.Configuration)
	rate = math.Log(s["rate"])
	delete(s, "rate")
	return name(s), rate
}

// follows is the elasticity of R to the scale of all demands, if R is more (or less) than predicted. In a time unit that is longer by
// as much as all demands are, the same server is under a higher rate: R(λ, f·S) = f·R(f·λ, S), so it is 1 + ∂ln R/∂ln λ, where
// R grows with the load.
func (c curves) follows(row Row, more float64) float64 {
	others, rate := besides(row)
	curve := c[others]
	i := slices.IndexFunc(curve, func(l load) bool { return l.rate == rate })
	k := i + 1 // the neighbour on the side where it is looked for
	if more < 0 {
		k = i - 1
	}
	if k < 0 || k >= len(curve) {
		k = 2*i - k
	}
	if k < 0 || k >= len(curve) {
		return 1
	}
	return 1 + max(0, (curve[k].response-curve[i].response)/(curve[k].rate-curve[i].rate))
}

// Covered is the share of configurations that are inside, how many there are, and the median half-width, of a quantity.
func Covered(all []Serving, metric string) (inside float64, of int, median float64) {
	in := 0
	var halves []float64
	for _, s := range all {
		if s.Quantity == metric {
			in += s.Inside
			halves = append(halves, s.Halves...)
		}
	}
	if len(halves) == 0 {
		return math.NaN(), 0, math.NaN()
	}
	return float64(in) / float64(len(halves)), len(halves), robust.Median(halves)
}

// servingTable has a line for every server, and one for all.
func (b *Book) servingTable() string {
	columns := []string{"server"}
	metrics := []string{"R", "X"}
	for _, m := range metrics {
		columns = append(columns, ">"+m+": runs", ">±", ">inside")
	}
	t := newTable(columns...)
	all := b.Serving()
	var names []string
	for _, s := range all {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	for _, n := range names {
		cells := []string{n}
		for _, m := range metrics {
			i := slices.IndexFunc(all, func(s Serving) bool { return s.Name == n && s.Quantity == m })
			if i < 0 {
				cells = append(cells, unknown, unknown, unknown)
				continue
			}
			s := all[i]
			cells = append(cells, strconv.Itoa(s.Runs), quantity.Share(robust.Median(slices.Clone(s.Halves))), fmt.Sprintf("%d/%d", s.Inside, len(s.Others)))
		}
		t.row(cells...)
	}
	cells := []string{fmt.Sprintf("all %d", len(names))}
	for _, m := range metrics {
		inside, of, median := Covered(all, m)
		cells = append(cells, "", quantity.Share(median), fmt.Sprintf("%s of %d", quantity.Share(inside), of))
	}
	t.row(cells...)
	return t.String()
}
