package processor

import (
	"math"

	"tierscope/simulation/des"
)

// How far Linux looks for an idle core for a thread that wakes up falls as the cores are used more (SIS_UTIL in
// kernel/sched/fair.c, since 5.19): of n cores at n·(1 − (1.17 x)²), rounded down, where x is their mean utilization as
// per-entity load tracking knows it, with a half-life of 32 periods of 1024 µs; the balancer updates it at ticks. Of two cores used for
// 61 % of the time it looks at none: then a woken thread queues where it ran last although the other core is idle.
const (
	loadHalfLife  = 32 * 1024e3 // ns
	scanImbalance = 1.17        // imbalance_pct of cores that share a cache
)

// loads are the utilizations of the cores as the kernel tracks them.
type loads struct {
	cores []load
	at    des.Time // of their values
	far   int32    // how many cores are looked at
}

type load struct {
	value float64
	busy  des.Time // since then
	since des.Time // it has been running for; never: it is not
}

func newLoads(cores int) loads {
	l := loads{cores: make([]load, cores), far: int32(cores)}
	for i := range l.cores {
		l.cores[i].since = des.Never
	}
	return l
}

// starts notes that a core computes from now on.
func (l *load) starts(now des.Time) {
	if l.since == des.Never {
		l.since = now
	}
}

// stops notes that it does not.
func (l *load) stops(now des.Time) {
	if l.since != des.Never {
		l.busy += now - l.since
		l.since = des.Never
	}
}

// update brings the values up to now.
func (l *loads) update(now des.Time) {
	passed := float64(now - l.at)
	left, sum, n := math.Exp2(-passed/loadHalfLife), 0.0, float64(len(l.cores))
	for i := range l.cores {
		x := &l.cores[i]
		if x.since != des.Never {
			x.busy += now - x.since
			x.since = now
		}
		x.value = x.value*left + (1-left)*float64(x.busy)/passed
		x.busy = 0
		sum += x.value
	}
	used := scanImbalance * sum / n
	l.at, l.far = now, int32(n*(1-min(1, used*used)))
}

// scan looks for an idle core from the one behind c on, as far as the kernel does.
func (p *eevdf) scan(c int32) int32 {
	if p.idle.first() == None {
		return None
	}
	if now := p.Now(); now >= p.loads.at+p.tick {
		p.loads.update(now)
	}
	n := int32(len(p.cores))
	for i := range p.loads.far {
		if x := (c + 1 + i) % n; p.idle.has(x) {
			return x
		}
	}
	return None
}
