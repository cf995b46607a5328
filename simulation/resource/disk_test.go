package resource

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation/des"
)

// diskLab drives one disk with an arrival process and keeps sums.
type diskLab struct {
	des.Engine
	disk     *Disk
	arrivals des.Stream
	rate     float64 // per second; 0: closed
	served   int
	wait     float64 // sums, seconds
	waitSq   float64
	response float64
	most     int32 // overtaken
	batch    []float64
	advance  float64 // of the elevator's head, in disks
	head     float64
}

const (
	labArrival des.Kind = iota
	labAlarm
)

// ring does what the alarm is for.
func (l *diskLab) ring() {
	r, complete := l.disk.Ring()
	if !complete {
		return
	}
	w := r.Wait.Seconds()
	l.served++
	l.wait += w
	l.waitSq += w * w
	l.response += w + r.Service.Seconds()
	l.most = max(l.most, r.Overtaken)
	l.batch = append(l.batch, w+r.Service.Seconds())
	if l.rate == 0 {
		l.disk.Submit(r.Owner, 0, 0)
		step := l.disk.queue.position - l.head
		if step < 0 {
			step++
		}
		l.advance += step
		l.head = l.disk.queue.position
	}
}

// open runs a disk with Poisson arrivals until n requests are served.
func open(t *testing.T, d core.Disk, rate float64, n int) *diskLab {
	t.Helper()
	l := &diskLab{rate: rate, arrivals: des.NewStream(1, 0, 77)}
	l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"read"}, des.NewStream(1, 0, 78), des.NewStream(1, 0, 79))
	l.Schedule(0, labArrival, 0)
	l.run(n)
	return l
}

// closed runs a disk with a constant population until n requests are served.
func closed(t *testing.T, d core.Disk, population, n int) *diskLab {
	t.Helper()
	l := &diskLab{}
	l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"read"}, des.NewStream(1, 0, 78), des.NewStream(1, 0, 79))
	for i := range population {
		l.disk.Submit(int32(i), 0, 0)
	}
	l.run(n)
	return l
}

func (l *diskLab) run(n int) {
	for l.served < n {
		ev, _ := l.Next()
		if ev.Kind == labAlarm {
			l.ring()
			continue
		}
		l.disk.Submit(0, 0, 0)
		l.After(l.arrivals.Round(1e9*l.arrivals.Exponential()/l.rate), labArrival, 0)
	}
}

// near says whether the mean response lies within its own 99.9 % batch means
// interval (40 batches, t = 3.56) of the truth: a correct disk fails one fresh
// seed in a thousand.
func (l *diskLab) near(t *testing.T, truth float64) {
	t.Helper()
	const batches = 40
	size := len(l.batch) / batches
	var sum, sq float64
	for b := range batches {
		mean := 0.0
		for _, x := range l.batch[b*size : (b+1)*size] {
			mean += x / float64(size)
		}
		sum += mean
		sq += mean * mean
	}
	mean := sum / batches
	half := 3.56 * math.Sqrt((sq/batches-mean*mean)/(batches-1))
	if math.Abs(mean-truth) > half || half > 0.05*truth {
		t.Errorf("mean response %.6g ± %.2g s, theory says %.6g s", mean, half, truth)
	}
}

func oneLaw(given core.LawCondition, rows ...core.ServiceRow) []core.ServiceLaw {
	return []core.ServiceLaw{{Given: given, Rows: rows}}
}

func exponential(mean float64) core.Distribution {
	return core.Distribution{Kind: core.Exponential, Mean: mean}
}

func constant(value float64) core.Distribution {
	return core.Distribution{Kind: core.Constant, Value: value}
}

// M/M/1: R = 1/(μ−λ), whatever the order of service as long as it does not
// depend on the service times.
func TestDepthOneWithExponentialServiceIsMM1InEveryOrder(t *testing.T) {
	t.Parallel()
	for _, order := range []core.DiskOrder{core.DiskFIFO, core.DiskRandom, core.DiskElevator} {
		d := core.Disk{Order: order, Service: oneLaw("", core.ServiceRow{Time: exponential(0.01)})}
		open(t, d, 70, 400_000).near(t, 1.0/30)
	}
}

// Kingman 1962: in M/M/1 random order of service has the mean wait of FIFO and
// E[W²] greater by the factor 1/(1−ρ/2).
func TestRandomOrderSpreadsTheWaitAsKingmanSays(t *testing.T) {
	t.Parallel()
	d := core.Disk{Service: oneLaw("", core.ServiceRow{Time: exponential(0.01)})}
	fifo := open(t, d, 60, 600_000)
	d.Order = core.DiskRandom
	random := open(t, d, 60, 600_000)
	if ratio := random.waitSq / fifo.waitSq; math.Abs(ratio-1/0.7) > 0.05 {
		t.Errorf("E[W²] grows by the factor %.3f, theory says %.3f", ratio, 1/0.7)
	}
}

// Erlang C: M/M/c with a = λ/μ has P(wait) = C(c, a) and R = C/(cμ−λ) + 1/μ.
func TestDepthDWithAConstantLawIsMMD(t *testing.T) {
	t.Parallel()
	const c, mean, rate = 4, 0.01, 320.0
	a := rate * mean
	sum, term := 0.0, 1.0
	for k := range c {
		sum += term
		term *= a / float64(k+1)
	}
	last := term / (1 - a/c)
	waits := last / (sum + last)
	d := core.Disk{Depth: c, Service: oneLaw("", core.ServiceRow{Time: exponential(mean)})}
	open(t, d, rate, 400_000).near(t, waits/(c/mean-rate)+mean)
}

// With a mean proportional to the number in flight the device is a processor
// sharing server: R = E[S]/(1−ρ), whatever the distribution (insensitivity).
func TestServiceProportionalToInFlightIsProcessorSharing(t *testing.T) {
	t.Parallel()
	laws := map[string]func(mean float64) core.Distribution{
		"constant":    constant,
		"exponential": exponential,
		"H2": func(mean float64) core.Distribution {
			return core.Distribution{Kind: core.Hyperexponential, Weights: []float64{0.9, 0.1}, Means: []float64{mean / 2, mean * 5.5}}
		},
	}
	for name, law := range laws {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := core.Disk{Depth: 1000, Service: oneLaw(core.InFlight,
				core.ServiceRow{X: 1, Time: law(0.001)}, core.ServiceRow{X: 1000, Time: law(1)})}
			open(t, d, 700, 1_000_000).near(t, 0.001/0.3)
		})
	}
}

// notes/kernel.md §3.1, /dev/vda: R(n) = 60 + 8.6·n µs fits the measured
// throughputs; the law between its two rows is that line, so the disk must
// reproduce the fit to rounding, and the measurement as well as the fit does.
func TestInFlightLawReproducesTheParallelDevice(t *testing.T) {
	t.Parallel()
	r := func(n float64) float64 { return (60 + 8.6*n) * 1e-6 }
	d := core.Disk{Depth: 128, Service: oneLaw(core.InFlight,
		core.ServiceRow{X: 1, Time: constant(r(1))}, core.ServiceRow{X: 64, Time: constant(r(64))})}
	measured := map[int]float64{1: 15.0e3, 2: 22.1e3, 4: 39.9e3, 8: 55.1e3, 16: 76.5e3, 32: 93.6e3, 64: 103e3}
	for n, iops := range measured {
		l := closed(t, d, n, 20_000)
		x := float64(l.served) / l.Now().Seconds()
		if fit := float64(n) / r(float64(n)); math.Abs(x/fit-1) > 0.01 {
			t.Errorf("%d in flight: %.0f IOPS, the law says %.0f", n, x, fit)
		}
		if math.Abs(x/iops-1) > 0.20 {
			t.Errorf("%d in flight: %.0f IOPS, measured %.0f", n, x, iops)
		}
	}
}

// notes/kernel.md §3.3, slow disk with 5 ms per request behind a loop device:
// R = 5.5 / 11.2 / 21.6 / 47.7 ms at 1 / 2 / 4 / 8 threads.
func TestDepthOneReproducesTheSlowDisk(t *testing.T) {
	t.Parallel()
	d := core.Disk{Service: oneLaw("", core.ServiceRow{Time: constant(0.0055)})}
	for n, measured := range map[int]float64{1: 5.5e-3, 2: 11.2e-3, 4: 21.6e-3, 8: 47.7e-3} {
		l := closed(t, d, n, 1000)
		if r := l.response / float64(l.served); math.Abs(r/measured-1) > 0.1 {
			t.Errorf("%d threads: response %.4f s, measured %.4f s", n, r, measured)
		}
	}
}

// A one-way elevator over N waiting requests: those at distance x ahead of the
// head have gathered for (1−x) of a revolution, so with a step v per service
// N = ∫(1−x)/v dx = 1/(2v). Nobody waits for more than one revolution, which
// has 2N services.
func TestElevatorMovesHalfTheMeanGapAndStarvesNobody(t *testing.T) {
	t.Parallel()
	const n = 100
	d := core.Disk{Order: core.DiskElevator, Service: oneLaw("", core.ServiceRow{Time: constant(0.001)})}
	l := closed(t, d, n+1, 100_000)
	step := l.advance / float64(l.served)
	if math.Abs(step*2*n-1) > 0.03 {
		t.Errorf("mean step %.5f of the disk with %d waiting, theory says %.5f", step, n, 1.0/(2*n))
	}
	if l.most > 3*n {
		t.Errorf("a request was overtaken %d times; a revolution has about %d services", l.most, 2*n)
	}
}

// One server, service S, latency L on the way, both constant: a lone thread takes S + L,
// and n of them go round in max(n·S, S + L), for the server need not wait for the way.
func TestALatencyOverlapsWithTheServiceOfOthers(t *testing.T) {
	t.Parallel()
	const service, latency = 0.005, 0.008
	d := core.Disk{Latency: latency, Service: oneLaw("", core.ServiceRow{Time: constant(service)})}
	for n := 1; n <= 6; n++ {
		l := closed(t, d, n, 20_000)
		got, want := l.Now().Seconds()/float64(l.served)*float64(n), max(float64(n)*service, service+latency)
		if math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%d threads go round in %.6f s, want %.6f s", n, got, want)
		}
	}
}

// M/M/1 with a way of L: R = 1/(μ−λ) + L.
func TestALatencyAddsToTheResponseOfAnOpenLoad(t *testing.T) {
	t.Parallel()
	d := core.Disk{Latency: 0.02, Service: oneLaw("", core.ServiceRow{Time: exponential(0.01)})}
	open(t, d, 70, 400_000).near(t, 1.0/30+0.02)
}

// Between two rows the mean is linear, outside the nearest row holds; bytes
// add their cost, a faster disk divides all.
func TestServiceLawInterpolatesBetweenRows(t *testing.T) {
	t.Parallel()
	l := newLaw(&core.ServiceLaw{Rows: []core.ServiceRow{
		{X: 0, Time: constant(0.010), PerByte: 1e-6},
		{X: 4, Time: constant(0.002), PerByte: 2e-6},
		{X: 6, Time: constant(0.004)},
	}}, 0.5)
	random := des.NewStream(1, 1, 1)
	for _, c := range []struct {
		x     int
		bytes float64
		want  float64 // seconds at normal speed
	}{
		{0, 0, 0.010}, {1, 0, 0.008}, {3, 0, 0.004}, {4, 0, 0.002}, {5, 0, 0.003}, {6, 0, 0.004}, {99, 0, 0.004},
		{0, 1000, 0.011}, {2, 1000, 0.006 + 0.0015}, {4, 1000, 0.004},
	} {
		if got := l.draw(c.x, c.bytes, &random) * 1e-9 * 2; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("x = %d, %v bytes: %v s, want %v s", c.x, c.bytes, got, c.want)
		}
	}
}

// Each type has its own law, and types without one share that of type "".
func TestRequestTypesFindTheirLaws(t *testing.T) {
	t.Parallel()
	laws := []core.ServiceLaw{{Type: "write"}, {Type: ""}, {Type: "read"}}
	for name, want := range map[string]int32{"write": 0, "read": 2, "flush": 1, "metadata": 1} {
		if got := lawFor(laws, name); got != want {
			t.Errorf("type %q uses law %d, want %d", name, got, want)
		}
	}
}

// Overtaken is what the word says: later arrivals dispatched earlier, counted
// one by one; the elevator serves upwards from its head, then from the bottom.
func TestOvertakenCountsLaterArrivalsDispatchedEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := diskQueue{order: rapid.SampledFrom([]core.DiskOrder{core.DiskFIFO, core.DiskRandom, core.DiskElevator}).Draw(t, "order")}
		q.random = des.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0)
		var waiting, gone []int32
		next := int32(0)
		for _, arrive := range rapid.SliceOfN(rapid.Bool(), 20, 200).Draw(t, "arrivals") {
			if arrive || len(waiting) == 0 {
				q.push(next, 0)
				waiting = append(waiting, next)
				next++
				continue
			}
			request, overtaken, _ := q.pop()
			want, found := int32(0), false
			for _, g := range gone {
				if g > request {
					want++
				}
			}
			for i, w := range waiting {
				if w == request {
					waiting, found = append(waiting[:i:i], waiting[i+1:]...), true
					break
				}
			}
			gone = append(gone, request)
			if !found || overtaken != want || q.len() != len(waiting) {
				t.Fatalf("request %d (waiting: %t) overtaken by %d, want %d; %d wait, want %d",
					request, found, overtaken, want, q.len(), len(waiting))
			}
			if q.order == core.DiskFIFO && overtaken != 0 {
				t.Fatal("overtaken in FIFO order")
			}
		}
	})
}

// A disk that serves one request at a time in order is simulated without the heaps and
// clocks that others need; it must do the same.
func TestASimpleDiskIsADiskLikeAnother(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		time := func(name string) core.Distribution {
			mean := rapid.Float64Range(1e-4, 1e-2).Draw(t, name)
			return rapid.SampledFrom([]core.Distribution{exponential(mean), constant(mean)}).Draw(t, name+" law")
		}
		given := rapid.SampledFrom([]core.LawCondition{"", core.Overtaken, core.InFlight}).Draw(t, "given")
		row := func(name string) []core.ServiceRow {
			first, perByte := rapid.IntRange(0, 1).Draw(t, name+" first"), rapid.Float64Range(0, 1e-7).Draw(t, name+" per byte")
			return []core.ServiceRow{{X: first, Time: time(name), PerByte: perByte}, {X: first + rapid.IntRange(1, 3).Draw(t, name+" step"), Time: time(name + " beyond")}}
		}
		d := core.Disk{Speed: rapid.SampledFrom([]float64{0, 0.5, 3}).Draw(t, "speed"), Service: []core.ServiceLaw{
			{Type: "read", Given: given, Rows: row("read")}, {Given: core.Overtaken, Rows: row("any")},
		}}
		disk := func() *diskLab {
			l := &diskLab{}
			l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"read", "write"}, des.NewStream(1, 0, 78), des.NewStream(1, 0, 79))
			return l
		}
		a, b := disk(), disk()
		between := given == core.InFlight && d.Service[0].Rows[0].X == 0 && d.Service[0].Rows[1].X > 1
		if between != (a.disk.simple == nil) {
			t.Fatalf("%t that one request at a time is served by a mixture of two rows, but simple is %v", between, a.disk.simple)
		}
		b.disk.simple = nil
		for i := range int32(rapid.IntRange(1, 60).Draw(t, "steps")) {
			if rapid.Bool().Draw(t, "submit") {
				kind, bytes := rapid.Int32Range(0, 1).Draw(t, "kind"), rapid.Float64Range(0, 1e6).Draw(t, "bytes")
				a.disk.Submit(i, kind, bytes)
				b.disk.Submit(i, kind, bytes)
				continue
			}
			_, something := a.Next()
			if _, other := b.Next(); something != other {
				t.Fatal("only one of the disks is busy")
			}
			if !something {
				continue
			}
			x, _ := a.disk.Ring()
			y, _ := b.disk.Ring()
			early := max(a.Now()-b.Now(), b.Now()-a.Now()) > des.Time(i) // a clock in means rounds to a nanosecond
			if early || x.Owner != y.Owner || given != core.InFlight && x != y {
				t.Fatalf("at %d %+v, want at %d %+v", a.Now(), x, b.Now(), y)
			}
		}
	})
}

// One operation is one served request in the closed disk of the benchmark
// network, or one of 64 in flight.
func BenchmarkDisk(b *testing.B) {
	for _, depth := range []int{1, 64} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			l := &diskLab{}
			d := core.Disk{Depth: depth, Service: oneLaw(core.InFlight,
				core.ServiceRow{X: 1, Time: exponential(0.001)}, core.ServiceRow{X: 64, Time: exponential(0.01)})}
			l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"read"}, des.NewStream(1, 0, 78), des.NewStream(1, 0, 79))
			for i := range 64 {
				l.disk.Submit(int32(i), 0, 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				l.Next()
				l.ring()
				l.batch = l.batch[:0]
			}
		})
	}
}

// Shortest seek first: of the waiting requests the nearest to the head goes next,
// and a law given the distance sees how far that is. With one request at a time
// in the disk the distance between two uniform places is 1/3 on average; with many
// waiting it is shorter.
func TestTheNearestRequestIsServedFirstAndItsDistanceCounts(t *testing.T) {
	t.Parallel()
	const perDisk = 0.030 // seconds for a move across the whole disk
	d := core.Disk{Order: core.DiskNearest, Service: oneLaw(core.Distance,
		core.ServiceRow{X: 0, Time: constant(1e-9)}, core.ServiceRow{X: 1000, Time: constant(perDisk)})}
	mean := func(population int) float64 {
		l := closed(t, d, population, 20_000)
		return l.Now().Seconds() / 20_000
	}
	// The law between its rows is the first row's, scaled to the mean there.
	if alone := mean(1); math.Abs(alone-perDisk/3) > 0.02*perDisk/3 {
		t.Errorf("alone a request takes %.5f s, want %.5f s", alone, perDisk/3)
	}
	if crowd := mean(16); crowd > 0.35*perDisk/3 {
		t.Errorf("among 16 a request takes %.5f s: not the nearest first", crowd)
	}
}

// Requests that all go to one place need no move.
func TestPositionsOfTheModelAreUsed(t *testing.T) {
	t.Parallel()
	d := core.Disk{Position: core.Const(0.25), Service: oneLaw(core.Distance,
		core.ServiceRow{X: 0, Time: constant(0.001)}, core.ServiceRow{X: 1000, Time: constant(1)})}
	l := closed(t, d, 1, 1000)
	if got := l.Now().Seconds(); math.Abs(got-1) > 0.3 { // the first one moves by 250 thousandths
		t.Errorf("1000 requests took %.3f s, want 1.000 s and the first move", got)
	}
}

// Inodes lie in tables of their own: a stat() and a read() in turns move the head
// from one to the other and back, by 0.8 of the disk, 10 ms each; only the first
// request, from the beginning of the disk to 0.1, takes 3 ms.
func TestRequestsOfATypeGoToPlacesOfTheirOwn(t *testing.T) {
	t.Parallel()
	move := func(kind string, place float64) core.ServiceLaw {
		return core.ServiceLaw{Type: kind, Given: core.Distance, Position: constant(place),
			Rows: []core.ServiceRow{{X: 0, Time: constant(0.002)}, {X: 1000, Time: constant(0.012)}}}
	}
	d := core.Disk{Position: constant(0.5), Service: []core.ServiceLaw{move("metadata", 0.1), move("read", 0.9)}}
	l := &diskLab{rate: 1} // nothing comes by itself
	l.disk = NewDisk(&l.Engine, l.NewAlarm(labAlarm, 0), d, []string{"metadata", "read"}, des.NewStream(1, 0, 1), des.NewStream(1, 0, 2))
	for i, want := range []float64{0.003, 0.010, 0.010, 0.010} {
		before := l.response
		l.disk.Submit(0, int32(i%2), 0)
		l.Next()
		l.ring()
		if got := l.response - before; math.Abs(got-want) > 1e-9 {
			t.Errorf("request %d took %g s, want %g", i, got, want)
		}
	}
}
