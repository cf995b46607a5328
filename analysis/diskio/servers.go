package diskio

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/core/robust"
)

// edge is the issue or the completion of a request.
type edge struct {
	at   int64
	ends bool
	i    int
}

// edgesOf returns the edges of the requests of one device in order of time. A
// device that is left and entered at one time is left first.
func edgesOf(o []Observation) []edge {
	edges := make([]edge, 0, 2*len(o))
	for i := range o {
		edges = append(edges, edge{o[i].Issued, false, i}, edge{o[i].Completed, true, i})
	}
	slices.SortStableFunc(edges, func(a, b edge) int {
		if a.at == b.at && a.ends != b.ends && a.i != b.i {
			if a.ends {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.at, b.at)
	})
	return edges
}

// start finds when the device began to serve each request of one device, in
// order of issue, if it serves up to c at once and lets none wait while it
// could serve it. Among those that wait the one that the rule says begins; a
// request that completes although it should still wait has taken the place of the
// one that began last, which goes back. With c = 1 that is the order of completion,
// so the times of service are exact; with more the sum of all of them is. It
// returns the number of such exchanges.
func start(o []Observation, edges []edge, c int, rule core.DiskOrder) (exchanges int) {
	var serving, waiting []int
	head := uint64(0)
	begin := func(i int, at int64) {
		head = o[i].Sector + uint64(o[i].Bytes+511)/512
		o[i].Start, o[i].AtStart = at, len(serving)+len(waiting)+1
		serving = append(serving, i)
	}
	for _, e := range edges {
		if !e.ends {
			if len(serving) < c {
				begin(e.i, e.at)
			} else {
				waiting = append(waiting, e.i)
			}
			continue
		}
		at := slices.Index(serving, e.i)
		if at < 0 { // it was served, another one waited
			exchanges++
			at = len(serving) - 1
			other := serving[at]
			o[e.i].Start, o[e.i].AtStart = max(o[other].Start, o[e.i].Issued), o[other].AtStart
			w := slices.Index(waiting, e.i)
			waiting = slices.Insert(slices.Delete(waiting, w, w+1), 0, other)
		}
		serving = slices.Delete(serving, at, at+1)
		if len(waiting) > 0 {
			k := pick(o, waiting, head, rule)
			next := waiting[k]
			waiting = slices.Delete(waiting, k, k+1)
			begin(next, e.at)
		}
	}
	return exchanges
}

// pick is the one of those that wait, in order of arrival, which a rule says
// begins.
func pick(o []Observation, waiting []int, head uint64, rule core.DiskOrder) int {
	if rule != core.DiskNearest {
		return 0
	}
	best := 0
	distance := func(k int) uint64 {
		s := o[waiting[k]].Sector
		return max(s, head) - min(s, head)
	}
	for k := range waiting {
		if distance(k) < distance(best) {
			best = k
		}
	}
	return best
}

// startBest is start by the rule that needs clearly fewer exchanges; where both need
// few, as with a constant time of service, by the one under which the times vary least:
// a wrong rule gives to one service what it takes from another. It returns the number
// of requests of which it is not certain when they were begun.
func startBest(o []Observation, edges []edge, c int) (uncertain int) {
	if c == 1 {
		start(o, edges, c, core.DiskFIFO)
		return 0
	}
	nearest := start(o, edges, c, core.DiskNearest)
	varies := squares(o)
	fifo := start(o, edges, c, core.DiskFIFO)
	better := nearest < fifo
	if math.Abs(float64(nearest-fifo)) < leastShare*float64(len(o)) {
		better = varies < squares(o)
	}
	if better {
		return start(o, edges, c, core.DiskNearest)
	}
	return fifo
}

// squares is the sum of the squared times with a server; the sum of the times does
// not depend on the rule.
func squares(o []Observation) float64 {
	sum := 0.0
	for i := range o {
		t := float64(o[i].Completed - o[i].Start)
		sum += t * t
	}
	return sum
}

// Busy is the time that a server of the device spent on the request, ns.
func (o *Observation) Busy() int64 { return o.Completed - o.Start - o.Way }

// mostServers is the largest number of servers that is tried.
const mostServers = 64

// How much, as a factor less 1, the time of service may depend on the number in
// the device for it to be a queue in front of servers. More if it has an arm: the
// more requests there are, the nearer is the nearest one.
const mostDependence, mostWithArm = 0.10, 0.35

// servers finds the smallest number of servers c for which requests wait (queues), the
// time of service hardly depends on how many were in the device, and the order of service
// follows a rule; else the smallest for which the first two hold, since too few
// servers make any order look like chance; else the one for which the time
// depends least, how much it does, and whether that is little enough. Nothing is
// told if the number in the device hardly varied.
func servers(devices [][]Observation, deepest int) (c int, dependence float64, fits, told bool) {
	dependence = math.Inf(1)
	type candidate struct {
		c          int
		dependence float64
	}
	var armed, orderless *candidate
	edges := make([][]edge, len(devices))
	for i, o := range devices {
		edges[i] = edgesOf(o)
	}
	for k := 1; k <= min(deepest, mostServers); k++ {
		if k > 4 && k%2 != 0 || k > 16 && k%8 != 0 {
			continue
		}
		var all []Observation
		for i, o := range devices {
			startBest(o, edges[i], k)
			move(o)
			all = append(all, o...)
		}
		most := mostFrequent(all)
		d, ok := dependsOnNumber(most)
		told = told || ok
		switch {
		case !ok:
		case k < deepest && queues(most) && (d <= mostDependence || d <= mostWithArm && hasArm(most)):
			v := orderOf(devices)
			switch ordered := v.decide() != core.DiskRandom; {
			case ordered && d <= mostDependence:
				return k, d, true, true
			case ordered && armed == nil:
				armed = &candidate{k, d}
			case !ordered && orderless == nil:
				orderless = &candidate{k, d}
			}
		case d < dependence:
			c, dependence = k, d
		}
	}
	for _, x := range []*candidate{armed, orderless} {
		if x != nil {
			return x.c, x.dependence, true, true
		}
	}
	return c, dependence, false, told
}

// queues reports whether requests waited for servers as the number of them that is assumed
// says: enough of them, and the typical one of those was in the device for longer than
// the typical one that found a server free, by at least half of what it is said to have
// waited. Otherwise nothing tells these servers from any number of them.
func queues(o []Observation) bool {
	var free, waited, wait []float64
	for i := range o {
		if w := o[i].Start - o[i].Issued; w > 0 {
			waited, wait = append(waited, float64(o[i].Service())), append(wait, float64(w))
		} else {
			free = append(free, float64(o[i].Service()))
		}
	}
	if len(waited) < leastSamples || float64(len(waited)) < leastShare*float64(len(o)) {
		return false
	}
	return len(free) == 0 || robust.Median(waited)-robust.Median(free) > robust.Median(wait)/2
}

// mostFrequent returns the observations of the most frequent type, so that a
// mix of types does not matter.
func mostFrequent(observations []Observation) []Observation {
	byType := map[string][]Observation{}
	var most []Observation
	for _, o := range observations {
		byType[o.Type] = append(byType[o.Type], o)
		if len(byType[o.Type]) > len(most) {
			most = byType[o.Type]
		}
	}
	return most
}

// dependsOnNumber is the largest deviation of the mean time of service of those
// that began with some number in the device from the mean of all, as a factor
// less 1, beyond two standard errors. Numbers with few observations count too:
// those that were alone are few in a busy device, and tell most.
func dependsOnNumber(o []Observation) (float64, bool) {
	type sums struct{ n, sum, square float64 }
	by := map[int]*sums{}
	var all sums
	for i := range o {
		t := float64(o[i].Busy())
		if by[o[i].AtStart] == nil {
			by[o[i].AtStart] = &sums{}
		}
		for _, s := range []*sums{by[o[i].AtStart], &all} {
			s.n, s.sum, s.square = s.n+1, s.sum+t, s.square+t*t
		}
	}
	worst, cells := 0.0, 0
	for _, s := range by {
		if s.n < leastSamples {
			continue
		}
		cells++
		mean := s.sum / s.n
		noise := 2 * math.Sqrt(max(0, s.square/s.n-mean*mean)/s.n) / max(mean, 1)
		worst = max(worst, math.Abs(math.Log(max(mean, 1)*all.n/max(all.sum, 1)))-noise)
	}
	return math.Expm1(worst), cells > 1
}

// move finds how far the head moved to each request of one device: from the end
// of the one whose service began before, as a share of the sectors in use.
func move(o []Observation) {
	low, high := uint64(math.MaxUint64), uint64(0)
	for i := range o {
		if o[i].Bytes > 0 {
			low, high = min(low, o[i].Sector), max(high, o[i].Sector+uint64(o[i].Bytes+511)/512)
		}
	}
	if high <= low {
		return
	}
	inOrder := make([]*Observation, len(o))
	for i := range o {
		inOrder[i] = &o[i]
	}
	slices.SortStableFunc(inOrder, func(a, b *Observation) int { return cmp.Compare(a.Start, b.Start) })
	span := float64(high - low)
	head := low
	for _, r := range inOrder {
		if r.Bytes == 0 {
			continue
		}
		r.Place = float64(r.Sector-low) / span
		r.Distance = math.Abs(float64(r.Sector)-float64(head)) / span
		head = r.Sector + uint64(r.Bytes+511)/512
	}
}

// explained is the share of the variance of the times in all cells that the
// cells explain, and whether it is more than chance: F(k−1, n−k) beyond its
// 99.9 % quantile, which is below 11 for two cells and falls to 2.5 for 16.
func explained(cells []cell) (share float64, significant bool) {
	var n, sum, square, between float64
	for _, c := range cells {
		m := float64(len(c.times))
		n += m
		for _, t := range c.times {
			sum += t
			square += t * t
		}
		between += m * c.mean() * c.mean()
	}
	k := float64(len(cells))
	total := square - sum*sum/n
	if total <= 0 || k < 2 || n <= k {
		return 0, false
	}
	share = max(0, between-sum*sum/n) / total
	f := share / max(1e-12, 1-share) * (n - k) / (k - 1)
	return share, f > 2+9/(k-1)
}
