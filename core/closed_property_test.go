package core_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// closedNetwork is a closed system of one CPU and any number of disks, all exponential.
type closedNetwork struct {
	users, cores, threads int
	think, cpu            float64   // seconds
	disks                 []float64 // seconds per task at each
}

// micros draws a time of 0 or a number of microseconds: times below are no times of programs.
func micros(t *rapid.T, what string, most int) float64 {
	return 1e-6 * float64(rapid.IntRange(0, most).Draw(t, what))
}

func drawClosedNetwork(t *rapid.T, mostUsers, mostCores int) closedNetwork {
	demand := rapid.Float64Range(1e-3, 1)
	n := closedNetwork{
		users: rapid.IntRange(1, mostUsers).Draw(t, "users"),
		cores: rapid.IntRange(1, mostCores).Draw(t, "cores"),
		think: micros(t, "think", 3_000_000),
		cpu:   demand.Draw(t, "cpu"),
		disks: rapid.SliceOfN(demand, 0, 3).Draw(t, "disks"),
	}
	n.threads = n.users
	return n
}

// model has a thread for each user, unless there are fewer threads.
func (n closedNetwork) model(t *rapid.T) core.Model {
	m := closedSystem(n.users)
	m.Sources[0].Think = core.Const(n.think)
	m.Pools[0].Size = n.threads
	m.CPU.Cores = n.cores
	m.Disks = nil
	f := m.Graphs[0].Fragments
	out := f[4]
	f[2].Demand = core.Exp(n.cpu)
	f = f[:3:3]
	for i, d := range n.disks {
		id := fmt.Sprint("disk", i)
		f[len(f)-1].Next = []core.Edge{{To: id, Probability: 1}}
		f = append(f, core.Fragment{ID: id, Class: core.IOFragment, IO: &core.IO{Disk: id, Requests: []core.RequestType{{Type: "read", Count: core.Const(1)}}}})
		m.Disks = append(m.Disks, core.Disk{ID: id, Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: core.Exp(d)}}}}})
	}
	f[len(f)-1].Next = []core.Edge{{To: out.ID, Probability: 1}}
	m.Graphs[0].Fragments = append(f, out)
	if err := m.Validate(); err != nil {
		t.Fatalf("the model is not valid: %v", err)
	}
	return m
}

func (n closedNetwork) estimate(t *rapid.T) core.Estimate {
	m := n.model(t)
	d := m.Demands()
	return d.Estimate()
}

// total is the time of a task when nobody is in its way.
func (n closedNetwork) total() float64 {
	sum := n.cpu
	for _, d := range n.disks {
		sum += d
	}
	return sum
}

func (n closedNetwork) largest() float64 {
	most := n.cpu
	for _, d := range n.disks {
		most = max(most, d)
	}
	return most
}

// states adds up the weights of all states with k users: think^j/j! for j that
// think, D^j/Π min(i, c) for j at a station of c servers (Gordon & Newell 1967). Every
// state is counted one by one.
func (n closedNetwork) states(k int) float64 {
	demands, servers := append([]float64{n.cpu}, n.disks...), []int{n.cores}
	var count func(station, left int) float64
	count = func(station, left int) float64 {
		weight, sum := 1.0, 0.0
		if station == len(demands) {
			for j := 1; j <= left; j++ {
				weight *= n.think / float64(j)
			}
			return weight
		}
		c := 1
		if station < len(servers) {
			c = servers[station]
		}
		for j := 0; j <= left; j++ {
			if j > 0 {
				weight *= demands[station] / float64(min(j, c))
			}
			sum += weight * count(station+1, left-j)
		}
		return sum
	}
	return count(0, k)
}

func nearly(t *rapid.T, what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-8*math.Abs(want)) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// X(N) = G(N−1)/G(N) (Buzen 1973), with G the sum over all states; what is busy is what
// is not empty: U = 1 − G without the station/G.
func TestEstimateOfAClosedNetworkIsTheProductForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawClosedNetwork(t, 10, 4)
		e := n.estimate(t)
		all := n.states(n.users)
		x := n.states(n.users-1) / all
		nearly(t, "throughput", e.Throughput, x)
		nearly(t, "response time", e.Response, float64(n.users)/x-n.think)
		for i := range n.disks {
			without := n
			without.disks = append(append([]float64{}, n.disks[:i]...), n.disks[i+1:]...)
			busy := 1 - without.states(n.users)/all
			if got := e.Utilization[fmt.Sprint("disk/disk", i)]; math.Abs(got-busy) > 1e-8 {
				t.Fatalf("utilization of disk %d is %v, want %v", i, got, busy)
			}
		}
	})
}

// Exact mean value analysis (Reiser & Lavenberg 1980) of single servers, up to
// populations whose states cannot be counted.
func TestEstimateOfSingleServersIsExactMVA(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawClosedNetwork(t, 150, 1)
		demands := append([]float64{n.cpu}, n.disks...)
		queue := make([]float64, len(demands))
		x := 0.0
		for users := 1; users <= n.users; users++ {
			r := n.think
			for k, d := range demands {
				r += d * (1 + queue[k])
			}
			x = float64(users) / r
			for k, d := range demands {
				queue[k] = x * d * (1 + queue[k])
			}
		}
		nearly(t, "throughput", n.estimate(t).Throughput, x)
	})
}

// Threads that compute on cores of their own are the servers of the machine repairman.
func TestThreadsOfAClosedSystemAreServers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawClosedNetwork(t, 12, 6)
		n.disks = nil
		threads := n
		threads.threads, threads.cores = n.cores, 100
		nearly(t, "throughput", threads.estimate(t).Throughput, n.states(n.users-1)/n.states(n.users))
	})
}

// Balanced job bounds (Zahorjan et al. 1982; Lazowska et al. 1984, table 5.2): of all
// networks with the same total and the same largest demand the balanced one is the fastest.
func TestEstimateStaysWithinTheBalancedJobBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawClosedNetwork(t, 100, 1)
		users, total, largest := float64(n.users), n.total(), n.largest()
		average := total / float64(1+len(n.disks))
		least := users / (total + n.think + (users-1)*largest/(1+n.think/(users*total)))
		most := min(1/largest, users/(total+n.think+(users-1)*average/(1+n.think/total)))
		if x := n.estimate(t).Throughput; x < least*(1-1e-9) || x > most*(1+1e-9) {
			t.Fatalf("throughput %v is not within the balanced job bounds %v…%v", x, least, most)
		}
	})
}

// More users, cores or threads never lower the throughput of a product-form network, and
// more work never raises it (Suri 1985, "A concept of monotonicity and its
// characterization for closed queueing networks").
func TestThroughputOfAClosedSystemIsMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawClosedNetwork(t, 40, 4)
		n.threads = rapid.IntRange(1, n.users).Draw(t, "threads")
		x := n.estimate(t).Throughput
		for what, change := range map[string]func(n *closedNetwork){
			"a user":   func(n *closedNetwork) { n.users++ },
			"a core":   func(n *closedNetwork) { n.cores++ },
			"a thread": func(n *closedNetwork) { n.threads++ },
		} {
			more := n
			change(&more)
			if got := more.estimate(t).Throughput; got < x*(1-1e-9) {
				t.Fatalf("%s more lowers the throughput from %v to %v", what, x, got)
			}
		}
		slower := n
		slower.disks = append([]float64{}, n.disks...)
		factor := rapid.Float64Range(1, 3).Draw(t, "factor")
		if i := rapid.IntRange(0, len(n.disks)).Draw(t, "station"); i < len(n.disks) {
			slower.disks[i] *= factor
		} else {
			slower.cpu *= factor
		}
		if got := slower.estimate(t).Throughput; got > x*(1+1e-9) {
			t.Fatalf("more work raises the throughput from %v to %v", x, got)
		}
	})
}
