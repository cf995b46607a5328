package simulation

import (
	"math"

	"tierscope/core"
)

// disciplineLaws are queueing stations whose queue is more than FIFO without
// limit: priorities, LIFO, blocking, impatience, and a thread for every task.
func disciplineLaws() []law {
	const R, D = "R class/task mean", "D class/task mean"
	h2 := core.Distribution{Kind: core.Hyperexponential, Weights: []float64{.8, .2}, Means: []float64{.5, 3}} // mean 1, E[S²] = 4
	urgent, normal := cobham(.2, .2, 1, 4)
	return []law{
		{"M/M/1 priority, urgent", priorities(.3, .4, exponential(1)), "R class/urgent mean", first(cobham(.3, .4, 1, 2)), "Cobham 1954"},
		{"M/M/1 priority, normal", priorities(.3, .4, exponential(1)), "R class/normal mean", second(cobham(.3, .4, 1, 2)), "Cobham 1954"},
		{"M/H2/1 priority, urgent", priorities(.2, .2, h2), "R class/urgent mean", urgent, "Cobham 1954"},
		{"M/H2/1 priority, normal", priorities(.2, .2, h2), "R class/normal mean", normal, "Cobham 1954"},
		{"M/D/1 LIFO ρ=0.7", queueing(station(.7, 1, core.Unbounded, constant(1)), func(q *core.Queue) { q.Discipline = core.LIFO }),
			R, pollaczek(.7, 1, 1), "the mean does not depend on an order that is blind to service times (Kleinrock 1965)"},
		{"M/M/1 whose full queue blocks the source", station(.7, 1, 3, exponential(1)), R, 1 / .3, "tasks held back wait just so"},
		{"M/M/2+M, exponential patience", queueing(station(2, 2, core.Unbounded, exponential(1)), func(q *core.Queue) { q.Patience = exponential(2) }),
			D, impatientLoss(2, 1, 2, 2), "Palm's Erlang A: birth–death process"},
		{"M/M/1+D, patience of 1.5 services", queueing(station(.8, 1, core.Unbounded, exponential(1)), func(q *core.Queue) { q.Patience = constant(1.5) }),
			D, barrer(.8, 1, 1.5), "Barrer 1957"},
		{"M/M/1+D, hand-over with a timeout", queueing(station(.8, 1, 0, exponential(1)), func(q *core.Queue) { q.WhenFull, q.FullTimeout = core.Timeout, 1.5 }),
			D, barrer(.8, 1, 1.5), "Barrer 1957: waiting to hand over is waiting"},
		{"a thread per task, at most 3", perTask(2.1, 3, 3, exponential(1)), R, mmcResponse(2.1, 1, 3), "Erlang C"},
		{"M/D/1 on a core that is cold after every pause", chilled(.4, 0), R, welch(.4, 1, 1), "Welch 1964: exceptional first service"},
		{"M/D/1 on a core that gets cold in time", chilled(.4, 2), R, welch(.4, 1-lst(.4, .5), 1-2*lst(.4, .5)+lst(.4, 1)), "Welch 1964"},
		{"M/D/1 on a core that searches before it is idle, R", searching(.4, 1), R, pollaczek(.4, 1, 1), "nobody waits for the search"},
		{"M/D/1 on a core that searches before it is idle, U", searching(.4, 1), "U cpu mean", .4 + .6*(1-math.Exp(-.4)), "idle times are exponential: ρ + (1−ρ)(1−exp(−λS))"},
		{"calls over a link of a network", linked(70), R, .05 + pollaczek(70, .01, 1e-4), "Pollaczek–Khinchine, and the latency"},
		{"3 × M/D/1: each of three threads has a queue", queueing(station(2.1, 3, core.Unbounded, constant(1)), ofThreads), R, pollaczek(.7, 1, 1), "of a Poisson process at random, each part is one"},
		{"3 × M/D/1, tasks in the queues", queueing(station(2.1, 3, core.Unbounded, constant(1)), ofThreads), "Q queue/q mean", 2.1 * (pollaczek(.7, 1, 1) - 1), "Little's law"},
		{"M/G/∞: a thread per task", perTask(3, 0, 1, core.Distribution{Kind: core.Lognormal, Mean: 1, CV: 2}), "N class/task mean", 3, "insensitivity: N = λS"},
	}
}

// linked is servers that each send a call of 10 kB over a link of 1 MB/s and a latency of 50 ms.
func linked(rate float64) core.Model {
	m := station(rate, 200, core.Unbounded, exponential(1))
	m.CPU.Cores = 1
	m.Disks = []core.Disk{{ID: "net", Bandwidth: 1e6, Latency: .05}}
	m.Graphs = []core.Graph{server("server", core.Fragment{Class: core.IOFragment, IO: &core.IO{
		Disk: "net", Requests: []core.RequestType{{Type: "write", Count: constant(1), Bytes: constant(10_000)}}}})}
	return m
}

func first(a, _ float64) float64  { return a }
func second(_, b float64) float64 { return b }

// queueing changes the queue of a station.
func queueing(m core.Model, change func(*core.Queue)) core.Model {
	m.Queues = append([]core.Queue(nil), m.Queues...)
	change(&m.Queues[0])
	return m
}

// ofThreads gives each thread a queue.
func ofThreads(q *core.Queue) { q.Scope = core.PerThread }

// chilled is M/D/1 with service time 1 that takes twice as long on a core that has
// gone cold.
func chilled(rate, after float64) core.Model {
	m := station(rate, 1, core.Unbounded, constant(1))
	m.CPU.Cold = &core.Cold{Slowdown: 1, Work: 1, After: after}
	return m
}

// searching is M/D/1 with service time 1 on a core that searches for work after each
// busy period.
func searching(rate, search float64) core.Model {
	m := station(rate, 1, core.Unbounded, constant(1))
	m.CPU.Cold = &core.Cold{Search: search}
	return m
}

// lst is E[exp(−sτ)] of the idle times τ of M/G/1, which are exponential.
func lst(rate, s float64) float64 { return rate / (rate + s) }

// welch is the mean response time of M/G/1 with service time 1, and 1 + X for
// whoever finds the server idle: λE[S²]/(2(1−ρ)) + λ(E[S₀²] − E[S²])/(2(1 − ρ + ρ₀))
// of waiting (Welch 1964), and a busy period begins with probability
// (1−ρ)/(1 − ρ + ρ₀).
func welch(rate, mean, square float64) float64 {
	rho, rho0 := rate, rate*(1+mean)
	wait := rate/(2*(1-rho)) + rate*(2*mean+square)/(2*(1-rho+rho0))
	return wait + 1 + mean*(1-rho)/(1-rho+rho0)
}

// priorities is one server with urgent and normal tasks, without preemption.
func priorities(urgent, normal float64, service core.Distribution) core.Model {
	m := queueing(station(1, 1, core.Unbounded, service), func(q *core.Queue) { q.Discipline = core.Priority })
	m.Classes = []core.Class{{ID: "normal"}, {ID: "urgent", Priority: 5}}
	m.Sources = []core.Source{
		{ID: "u", Kind: core.Poisson, Class: "urgent", To: "q", Rate: urgent},
		{ID: "n", Kind: core.Poisson, Class: "normal", To: "q", Rate: normal},
	}
	return m
}

// cobham is the mean response times of M/G/1 with two non-preemptive
// priorities and equal services: W₁ = W₀/(1−ρ₁), W₂ = W₁/(1−ρ₁−ρ₂), where
// W₀ = λE[S²]/2 is the rest of the service that an arrival finds (Cobham 1954).
func cobham(rate1, rate2, mean, square float64) (urgent, normal float64) {
	rest := (rate1 + rate2) * square / 2
	rho1, rho := rate1*mean, (rate1+rate2)*mean
	return mean + rest/(1-rho1), mean + rest/((1-rho1)*(1-rho))
}

// impatientLoss is the share of tasks that leave M/M/c+M: with k tasks in the
// system they leave served at rate min(k, c)/S and impatient at (k−c)⁺/patience.
func impatientLoss(rate, service float64, c int, patience float64) float64 {
	p, sum, lost := 1.0, 1.0, 0.0
	for k := 1; k < 1000; k++ {
		leave := float64(max(0, k-c)) / patience
		p *= rate / (float64(min(k, c))/service + leave)
		sum += p
		lost += p * leave
	}
	return lost / sum / rate
}

// barrer is the share of tasks that M/M/1 loses when each waits at most for a
// constant time to be served (Barrer 1957): ρ(1−ρ)d/(1−ρ²d), d = e^(−(1−ρ)μτ).
func barrer(rate, service, patience float64) float64 {
	rho := rate * service
	d := math.Exp(-(1 - rho) * patience / service)
	return rho * (1 - rho) * d / (1 - rho*rho*d)
}

// perTask starts a thread for every task, at most limit at once, which computes
// if there are cores for all of them, and sleeps otherwise.
func perTask(rate float64, limit, cores int, service core.Distribution) core.Model {
	m := station(rate, cores, core.Unbounded, service)
	m.Pools[0] = core.Pool{ID: "server", Graph: "server", Kind: core.TaskPool, From: "q", Limit: limit}
	g := &m.Graphs[0]
	g.Fragments = g.Fragments[2:]
	g.Entry, g.Fragments[1].Next = "work0", nil
	if limit == 0 {
		g.Fragments[0] = core.Fragment{ID: "work0", Class: core.DelayFragment, Delay: service, Next: to("out")}
	}
	return m
}
