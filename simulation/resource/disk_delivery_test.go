package resource

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Welch 1964: a server of M/G/1 that takes D to begin after it was idle adds
// (2·D + λ·D²)/(2·(1 + λ·D)) to the mean wait, D constant.
func TestASetupTimeAddsToTheWaitAsWelchSays(t *testing.T) {
	t.Parallel()
	const rate, mean, setup = 60, 0.01, 0.02
	d := core.Disk{Setup: setup, Service: oneLaw("", core.ServiceRow{Time: exponential(mean)})}
	open(t, d, rate, 400_000).near(t, 1/(1/mean-rate)+(2*setup+rate*setup*setup)/(2*(1+rate*setup)))
}

// A request that is told complete when the server becomes idle stays for the rest of the
// busy period, which is (V + S)/(1 − ρ) if it finds the work V (M/G/1: Takács 1962), by
// PASTA E V = λ·E S²/(2·(1 − ρ)). A way back adds to that.
func TestDeliveryToAnIdleHostLastsTheRestOfTheBusyPeriod(t *testing.T) {
	t.Parallel()
	const rate, mean, back = 50, 0.01, 0.003
	const busy, work = rate * mean, rate * mean * mean / (1 - rate*mean)
	for _, order := range []core.DiskOrder{core.DiskFIFO, core.DiskRandom} {
		d := core.Disk{Order: order, Latency: back, Delivery: core.DeliverIdle, Service: oneLaw("", core.ServiceRow{Time: exponential(mean)})}
		open(t, d, rate, 800_000).near(t, (work+mean)/(1-busy)+back)
	}
}

// n threads in step at a device that takes W to begin, S for each of c at once and B to
// tell: all of them come back together after W + ⌈n/c⌉·S + B.
func TestThreadsOfADeviceThatTellsAllTogetherStayInStep(t *testing.T) {
	t.Parallel()
	const setup, service, back = 0.004, 0.005, 0.002
	for _, c := range []struct{ n, servers int }{{1, 1}, {2, 1}, {5, 1}, {16, 1}, {5, 2}, {3, 4}} {
		d := core.Disk{Setup: setup, Depth: c.servers, Latency: back, Delivery: core.DeliverIdle, Service: oneLaw("", core.ServiceRow{Time: constant(service)})}
		l := closed(t, d, c.n, 1000*c.n)
		want := setup + math.Ceil(float64(c.n)/float64(c.servers))*service + back
		if got := l.Now().Seconds() / 1000; math.Abs(got/want-1) > 1e-6 {
			t.Errorf("%d threads, %d servers: a round takes %.6f s, want %.6f s", c.n, c.servers, got, want)
		}
		if got := l.response / float64(l.served); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("%d threads, %d servers: wait and service are %.6f s, want %.6f s", c.n, c.servers, got, want)
		}
	}
}

// A lone thread whose requests take S and that pauses for P finds a device that falls asleep
// after A asleep if P > A, and then waits for the setup and for the waking up.
func TestOnlyALongPauseLetsADeviceFallAsleep(t *testing.T) {
	t.Parallel()
	const service, setup, back, after, wake = 0.005, 0.001, 0.002, 0.010, 0.004
	d := core.Disk{Setup: setup, Latency: back, Sleep: core.Sleep{After: after, Wake: wake}, Service: oneLaw("", core.ServiceRow{Time: constant(service)})}
	for _, c := range []struct{ pause, want float64 }{{0.009, setup + service + back}, {0.011, setup + wake + service + back}} {
		l := &diskLab{rate: 1}
		l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"read"}, des.NewStream(1, 0, 78), des.NewStream(1, 0, 79))
		for range 10 {
			l.Schedule(l.Now()+des.Time(1e9*c.pause), labArrival, 0)
			l.response = 0
			for l.response == 0 {
				if ev, _ := l.Next(); ev.Kind == labAlarm {
					l.ring()
				} else {
					l.disk.Submit(0, 0, 0)
				}
			}
			if math.Abs(l.response-c.want) > 1e-8 {
				t.Errorf("a request after a pause of %v s takes %v s, want %v s", c.pause, l.response, c.want)
			}
		}
	}
}
