package core_test

import (
	"fmt"
	"math"
	"testing"

	"tierscope/core"
)

// station is one pool of n threads that compute, in front of c cores.
func station(rate, service float64, threads, cores int) core.Model {
	m := closedSystem(1)
	m.Sources = []core.Source{{ID: "s", Kind: core.Poisson, Rate: rate, To: "q"}}
	m.Pools[0].Size = threads
	f := m.Graphs[0].Fragments
	f[2].Demand = core.Exp(service)
	f[2].Next = []core.Edge{{To: "out", Probability: 1}}
	m.Graphs[0].Fragments = append(f[:3:3], f[4])
	m.Disks = nil
	m.CPU.Cores = cores
	return m
}

// erlangC is the mean time in an M/M/c queue (Kleinrock 1975, §3.5).
func erlangC(arrivals, service float64, c int) float64 {
	a := arrivals * service
	term, sum := 1.0, 1.0
	for k := 1; k < c; k++ {
		term *= a / float64(k)
		sum += term
	}
	last := term * a / float64(c) / (1 - a/float64(c))
	wait := last / (sum + last)
	return service + wait*service/(float64(c)-a)
}

func TestEstimateOfOneStationIsErlangC(t *testing.T) {
	t.Parallel()
	for _, c := range []int{1, 2, 4, 16, 64} {
		for _, rho := range []float64{.1, .5, .8, .95, .99} {
			rate := rho * float64(c) / .02
			for _, m := range []core.Model{
				station(rate, .02, c, 100), // the threads are the servers
				station(rate, .02, 400, c), // the cores are the servers
			} {
				d := m.Demands()
				e := d.Estimate()
				near(t, fmt.Sprintf("R of %d servers at utilization %v", c, rho), e.Response/erlangC(rate, .02, c), 1, 1e-9)
				near(t, "X", e.Throughput, rate, 1e-9)
			}
		}
	}
}

// Threads with a queue each are as many servers with their share of the tasks, open or closed.
func TestEstimateTellsQueuesOfThreadsApart(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 16} {
		for _, rho := range []float64{.1, .5, .9} {
			m := station(rho*float64(n)/.02, .02, n, 100)
			m.Queues[0].Scope = core.PerThread
			d := m.Demands()
			near(t, fmt.Sprintf("R of %d queues at utilization %v", n, rho), d.Estimate().Response, .02/(1-rho), 1e-9)
		}
		for _, users := range []int{1, 3, 20} { // a balanced network of n stations: X = users/(users + n − 1)/S
			m := station(1, .02, n, 100)
			m.Sources = []core.Source{{ID: "s", Kind: core.Closed, Population: users, To: "q"}}
			m.Queues[0].Scope = core.PerThread
			d := m.Demands()
			want := float64(users) / float64(users+n-1) * float64(n) / .02
			near(t, fmt.Sprintf("X of %d users at %d queues", users, n), d.Estimate().Throughput, want, 1e-9)
		}
	}
}

// Time outside of the program adds to the response time of a task, for a user as
// much as thinking does, and needs nothing in the program.
func TestEstimateHasTheTimeOutside(t *testing.T) {
	t.Parallel()
	open := station(25, .02, 1, 100)
	open.Sources[0].Away = 1
	d := open.Demands()
	e := d.Estimate()
	near(t, "R of an open source", e.Response, .04+1, 1e-9)
	near(t, "X of an open source", e.Throughput, 25, 1e-9)
	near(t, "bound of R", d.Bounds().Response, .02+1, 1e-9)

	here, away := closedSystem(7), closedSystem(7)
	here.Sources[0].Think, away.Sources[0].Think = core.Const(3), core.Const(1)
	away.Sources[0].Away = 2
	dHere, dAway := here.Demands(), away.Demands()
	a, b := dHere.Estimate(), dAway.Estimate()
	near(t, "X of users who are away and think", b.Throughput, a.Throughput, 1e-9)
	near(t, "their R", b.Response, a.Response+2, 1e-9)
}

// With K places an M/M/1 queue loses (1−ρ)ρ^K / (1−ρ^(K+1)) of its tasks.
func TestEstimateOfAFullQueueLosesWhatTheoryLoses(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{30, 49, 80} {
		m := station(rate, .02, 1, 1)
		m.Queues[0].Capacity, m.Queues[0].WhenFull = 4, core.Drop
		d := m.Demands()
		e := d.Estimate()
		rho, k := rate*.02, 5.0
		lost := (1 - rho) * math.Pow(rho, k) / (1 - math.Pow(rho, k+1))
		near(t, "share lost", e.Lost, lost, 1e-9)
		near(t, "throughput", e.Throughput, rate*(1-lost), 1e-9)
	}
}

// Exact mean value analysis (Reiser & Lavenberg 1980) of think time 1 s, CPU
// .2 s, disk .5 s: R_k(n) = D_k·(1 + Q_k(n−1)), X(n) = n/(Z + ΣR_k).
func TestEstimateOfAClosedNetworkIsExactMVA(t *testing.T) {
	t.Parallel()
	demand := []float64{.2, .5}
	queue := []float64{0, 0}
	for n := 1; n <= 60; n++ {
		var r [2]float64
		for k := range demand {
			r[k] = demand[k] * (1 + queue[k])
		}
		x := float64(n) / (1 + r[0] + r[1])
		for k := range demand {
			queue[k] = x * r[k]
		}
		m := closedSystem(n)
		d := m.Demands()
		e := d.Estimate()
		near(t, fmt.Sprintf("X of %d users", n), e.Throughput/x, 1, 1e-9)
		near(t, fmt.Sprintf("R of %d users", n), e.Response/(r[0]+r[1]), 1, 1e-9)
	}
}

func TestEstimateStaysWithinTheBounds(t *testing.T) {
	t.Parallel()
	m := webServer()
	for workers := 1.0; workers <= 64; workers *= 2 {
		for _, rate := range []float64{1, 10, 60, 120, 180, 199, 300} {
			c, err := m.With(map[string]float64{"workers": workers, "rate": rate})
			if err != nil {
				t.Fatal(err)
			}
			d := c.Demands()
			b, e := d.Bounds(), d.Estimate()
			if e.Throughput > b.Throughput*(1+1e-9) || e.Response < b.Response*(1-1e-9) {
				t.Errorf("%g workers, %g tasks/s: estimate X %v R %v is better than the bounds X %v R %v",
					workers, rate, e.Throughput, e.Response, b.Throughput, b.Response)
			}
			for of, u := range e.Utilization {
				if u < 0 || u > 1 || math.IsNaN(u) {
					t.Errorf("%g workers, %g tasks/s: utilization of %s is %v", workers, rate, of, u)
				}
			}
		}
	}
}

// The window draws the estimate of a whole curve within one frame.
func BenchmarkEstimate(b *testing.B) {
	m := webServer()
	b.ReportAllocs()
	for b.Loop() {
		d := m.Demands()
		d.Estimate()
	}
}

// For one thread the wait is λ·E S²/(2(1−ρ)), whatever the law of the service
// time S (Pollaczek 1930, Khinchine 1932).
func TestEstimateOfOneThreadIsPollaczekKhinchine(t *testing.T) {
	t.Parallel()
	const mean, rate = .02, 40.0
	for _, law := range []core.Distribution{core.Const(mean), core.ErlangK(4, mean), core.Hyper2(mean, 4),
		{Kind: core.Uniform, Max: 2 * mean}, {Kind: core.Lognormal, Mean: mean, CV: 2}} {
		m := station(rate, mean, 1, 4)
		m.Graphs[0].Fragment("work").Demand = law
		d := m.Demands()
		want := mean + rate*(law.Variance()+mean*mean)/(2*(1-rate*mean))
		near(t, fmt.Sprintf("R of %s service times", law.Kind), d.Estimate().Response/want, 1, 1e-9)
	}
}

// The service time of a task that takes different ways varies with them. With
// one worker of Figure 1 it is .5 + exp 2 + (with probability .25) two times exp 10 ms:
// mean 7.5, variance 4 + .25·(200 + 400) − 25 = 129 ms², c² = 129/7.5². At 100 tasks per
// second, ρ = .75, R = 7.5 + 3·(1+c²)/2·7.5 = 44.5 ms, and .1 ms in the acceptor, whose queue
// (ρ = .01, exponential) adds another percent of that; it takes half a percent of the cores too.
func TestEstimateKnowsThatTasksTakeDifferentWays(t *testing.T) {
	t.Parallel()
	m, err := webServer().With(map[string]float64{"workers": 1, "rate": 100})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Demands()
	want := .0075 + 3*(1+129/56.25)/2*.0075 + .0001/.99
	near(t, "R of one worker", d.Estimate().Response/want, 1, .01)
}
