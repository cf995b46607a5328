package core

import "math"

// Estimate is the analytic forecast of a configuration: what the window draws
// dashed until the simulation answers. It takes well under a millisecond for
// usual models.
type Estimate struct {
	Batch       bool    // of a batch program
	Response    float64 // mean R, seconds (of a batch program: the makespan); +Inf: unstable
	Throughput  float64 // X, units of work per second
	Utilization map[string]float64
	Lost        float64 // share of tasks dropped at full queues
	// Assumptions says how the numbers came about, so that they can be
	// labelled.
	Assumptions []string
}

// Limits of the analytic model: populations beyond these are cut off, where
// every curve has long reached its asymptote.
const (
	mostThreads = 512
	mostUsers   = 2048
)

// leastShare is what other pools leave of a station to a pool at least: in
// overload the estimate stays finite.
const leastShare = 1e-3

// Estimate forecasts response time, throughput and utilization by hierarchical
// decomposition (Chandy, Herzog & Woo 1975): the resources that a pool's
// threads contend for become one flow-equivalent server, whose rate with k
// threads busy is the throughput of a closed product-form network with k
// customers; the task queue in front of it is then a
// birth–death process, or, with closed sources, a station of a closed network.
//
// It is exact for what product form covers (M/M/c, machine repairman, closed
// networks of exponential stations) and approximate in that
//
//   - service times at the resources are taken as exponential, or CPU as
//     processor sharing, so that only means count; how much the time of a whole
//     task varies corrects the wait for a thread;
//   - a lock is a station of its own whose service time is the hold time;
//     what is computed under it is not queued for at the CPU as well;
//   - who waits for an answer is away from the CPU for as long as the mean task of those who give it;
//   - pools disturb each other only through the utilization of shared stations;
//   - classes are averaged, priorities, timeouts, barriers and conditions ignored.
func (d *Demands) Estimate() Estimate {
	b := d.Bounds()
	e := Estimate{Batch: d.Batch, Utilization: map[string]float64{}, Assumptions: []string{"mean values only, classes averaged", "locks and CPU as queueing stations"}}
	switch {
	case d.Batch:
		d.estimateBatch(&e, b)
	case d.Users > 0 && d.Rate == 0:
		d.estimateClosed(&e)
	default:
		d.estimateOpen(&e, b)
	}
	for _, s := range d.Stations {
		u := 0.0
		if s.Demand > 0 && !math.IsInf(s.Capacity, 1) {
			u = min(1, e.Throughput*s.Demand/s.Capacity)
		}
		e.Utilization[s.Of] = u
	}
	return e
}

// estimateOpen visits the pools in turn: each is a birth–death process with
// the arrival rate of its tasks.
func (d *Demands) estimateOpen(e *Estimate, b Bounds) {
	if !b.Stable && !d.losing() {
		e.Response, e.Throughput = math.Inf(1), b.Throughput
		return
	}
	through := 1.0
	visited := map[*poolDemand]float64{} // mean time in the pool and its queue
	var visit func(p *poolDemand) float64
	visit = func(p *poolDemand) float64 {
		if r, done := visited[p]; done {
			return r
		}
		visited[p] = p.busy() // for pools that call each other
		waiting := *p
		waiting.delay += d.awaited(p, ifRandom, func(callee *poolDemand, lock string) float64 {
			return visit(callee) - (callee.busy() - callee.answers[lock])
		})
		one, _ := waiting.parts()
		r, lost := d.openPool(&one, d.Rate*one.runs*through)
		through *= 1 - lost
		visited[p] = r
		return r
	}
	e.Response = d.Away
	for i := range d.pools {
		p := &d.pools[i]
		if p.runs == 0 || p.busy()+p.waits == 0 {
			continue
		}
		// What the thread does after it has sent the task on is not the task's time.
		e.Response += p.own * (visit(p) - (p.busy() - p.carryOf(p.pool)))
	}
	e.Lost = 1 - through
	e.Throughput = d.Rate * through
	if e.Lost == 0 {
		e.Throughput = min(e.Throughput, b.Throughput)
	}
}

// parts are the pools, all alike, whose threads share a queue: a pool itself, or each of its threads. To each, the others are
// other pools.
func (p *poolDemand) parts() (one poolDemand, n int) {
	one, n = *p, 1
	if size := p.pool.capacity(); p.apart && size > 1 && size <= mostThreads {
		thread := *p.pool
		thread.Size, n = 1, int(size)
		one.pool, one.runs = &thread, p.runs/size
	}
	return one, n
}

// losing reports whether some queue drops tasks, so that overload is stable.
func (d *Demands) losing() bool {
	for _, p := range d.pools {
		if p.room >= 0 && p.drops {
			return true
		}
	}
	return false
}

// openPool returns the mean time of a task in a pool and its queue, and the
// share of tasks that found the queue full.
func (d *Demands) openPool(p *poolDemand, arrivals float64) (response, lost float64) {
	rate := d.rates(p, arrivals)
	n := len(rate)
	last := rate[n-1]
	// Probabilities of 0…n tasks, relative to that of 0.
	weight, sum, mean := 1.0, 1.0, 0.0
	for k := 1; k <= n; k++ {
		weight *= arrivals / rate[k-1]
		sum += weight
		mean += float64(k) * weight
		if sum > 1e200 {
			weight, sum, mean = weight/1e200, sum/1e200, mean/1e200
		}
	}
	rho := arrivals / last
	if p.drops && p.room >= 0 {
		for k := 1; k <= p.room; k++ {
			weight *= rho
			sum += weight
			mean += float64(n+k) * weight
			if sum > 1e200 {
				weight, sum, mean = weight/1e200, sum/1e200, mean/1e200
			}
		}
		lost = weight / sum
	} else {
		if rho >= 1 {
			return math.Inf(1), 0
		}
		tail := weight * rho / (1 - rho) // of all states beyond n
		mean += tail * (float64(n) + 1/(1-rho))
		sum += tail
	}
	inside := mean / sum / (arrivals * (1 - lost)) // Little's law
	return inside + p.variabilityWait(rate, arrivals, inside), lost
}

// variabilityWait corrects the wait in the queue for service times that vary
// more or less than exponential ones, by the factor (1+c²)/2 of Allen & Cunneen,
// which for one thread is the formula of Pollaczek and Khinchine. It applies as
// far as the wait is one for threads: where the resources behind them are the
// bottleneck, more threads would not shorten it.
func (p *poolDemand) variabilityWait(rate []float64, arrivals, inside float64) float64 {
	n := len(rate)
	alone := 1 / rate[0]
	busy := float64(n) / rate[n-1] // time of a task with all threads busy
	wait := inside - alone
	if n >= mostThreads || wait <= 0 || arrivals >= rate[n-1] {
		return 0
	}
	share := alone / busy // 1: the threads do not slow each other down
	return wait * (p.scv - 1) / 2 * share * share
}

// rates returns the throughput of a pool's threads, tasks per second, with
// 1 … n of them busy, when other pools use the stations too.
func (d *Demands) rates(p *poolDemand, arrivals float64) []float64 {
	n := mostThreads
	if c := p.pool.capacity(); c < mostThreads {
		n = int(c)
	}
	total := arrivals / p.runs // units of work per second
	var stations []closedStation
	ceiling := math.Inf(1)
	for _, s := range d.resources() {
		work, load := p.at(s.Of)
		if s.Of == "cpu" {
			work, load = work*d.background, load*d.background*d.speed
		}
		if load == 0 {
			continue
		}
		others := max(0, s.Demand-p.runs*load) * total / s.Capacity
		free := max(1-others, leastShare)
		ceiling = min(ceiling, s.Capacity*free/load)
		servers := s.Capacity * work / load // at idle speed: in use when the station gives all it can
		if s.Of == "cpu" {
			servers = s.Capacity / d.speed
		}
		// Others take servers away: a thread alone at many cores is as fast as without them.
		stations = append(stations, closedStation{demand: work, servers: servers * free})
	}
	stations = append(stations, closedStation{demand: p.delay, servers: math.Inf(1)})
	rates := closedThroughput(stations, n)
	for k := range rates {
		rates[k] = min(rates[k], ceiling)
	}
	return rates
}

// estimateClosed treats the pools as flow-equivalent stations of a closed
// network with the users' think time as a delay.
func (d *Demands) estimateClosed(e *Estimate) {
	if d.Users > mostUsers {
		b := d.Bounds()
		e.Throughput, e.Response = b.Throughput, b.Response
		e.Assumptions = append(e.Assumptions, "asymptotic bounds: the population is large")
		return
	}
	users := d.Users
	x := min(float64(users)/(d.Response+d.Think), d.Bounds().Throughput)
	for range 3 { // the pools' mutual disturbance depends on the throughput
		stations := []closedStation{{demand: d.Think + d.Away, servers: math.Inf(1)}}
		for i := range d.pools {
			p := &d.pools[i]
			if p.runs == 0 || p.busy() == 0 {
				continue
			}
			one, n := p.parts()
			rates := d.rates(&one, x*one.runs)
			for k := range rates {
				rates[k] /= one.runs
			}
			stations = append(stations, closedStation{rates: rates, copies: n})
		}
		all := closedThroughput(stations, users)
		next := all[users-1]
		if len(stations) <= 2 {
			x = next
			break
		}
		x = (x + next) / 2
	}
	e.Throughput = min(x, d.Bounds().Throughput)
	x = e.Throughput
	e.Response = max(float64(users)/x-d.Think, d.Response)
}

// estimateBatch spreads the program's work over its threads: the makespan is
// that of the slowest pool at the throughput that its threads reach together.
func (d *Demands) estimateBatch(e *Estimate, b Bounds) {
	e.Response = b.Response
	for i := range d.pools {
		p := &d.pools[i]
		if p.runs == 0 || p.busy() == 0 {
			continue
		}
		rates := d.rates(p, p.runs/b.Response)
		threads := len(rates)
		if p.runs < float64(threads) {
			threads = max(1, int(math.Round(p.runs)))
		}
		e.Response = max(e.Response, p.runs/rates[threads-1])
	}
	e.Throughput = 1 / e.Response
	e.Assumptions = append(e.Assumptions, "all threads of a pool busy until the end")
}
