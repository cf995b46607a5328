package core

import (
	"math"
	"runtime"

	"gonum.org/v1/gonum/floats"
)

// Where no node with few connections is left, as in a random graph, elimination by tables of
// neighbours fills them all: then a matrix is a hundred times faster.
const (
	denseWays = 1000 // ways through the least connected of the nodes that are looked at
	mostDense = 8192 // nodes of a matrix: half a gigabyte
)

// dense is the rest of an elimination in a matrix: p[i][j] is the transition from node i to node
// j. Nodes leave from the last to the first, so that below and left of the diagonal stands
// what eliminated has as out and in.
type dense struct {
	nodes             []int
	p                 [][]float64
	leave, mass, time []float64
}

// runDense takes out all nodes that are pending.
func (e *elimination) runDense() {
	n := len(e.pending)
	d := &dense{nodes: e.pending, p: make([][]float64, n), leave: make([]float64, n), mass: make([]float64, n), time: make([]float64, n)}
	e.dense, e.pending = d, nil
	column := make(map[int]int, n)
	for k, node := range d.nodes {
		column[node] = k
	}
	exit := make([]float64, n)
	all := make([]float64, n*n)
	for k, node := range d.nodes {
		d.p[k] = all[k*n : (k+1)*n]
		for to, p := range e.next[node] {
			d.p[k][column[to]] = p
		}
		d.mass[k], d.time[k], exit[k] = e.mass[node], e.time[node], e.exit[node]
	}
	for j := n - 1; j >= 0; j-- {
		runtime.Gosched() // what follows is nearly all assembly, which Go cannot interrupt: who waits for a signal or the time would wait for long
		out := d.p[j][:j]
		leave := exit[j] + floats.Sum(out)
		d.leave[j] = leave
		if leave == 0 {
			continue
		}
		for i := range j {
			if p := d.p[i][j] / leave; p > 0 {
				floats.AddScaled(d.p[i][:j], p, out)
				exit[i] += p * exit[j]
				d.time[i] += p * d.time[j]
			}
		}
		floats.AddScaled(d.mass[:j], d.mass[j]/leave, out)
	}
}

// counts adds the visits of the nodes, as elimination.counts.
func (d *dense) counts(v map[int]float64) {
	if d == nil {
		return
	}
	visits := make([]float64, len(d.nodes))
	for j, node := range d.nodes {
		sum := d.mass[j]
		for i := range j {
			if visits[i] > 0 && d.p[i][j] > 0 {
				sum += visits[i] * d.p[i][j]
			}
		}
		switch {
		case sum == 0:
		case d.leave[j] == 0:
			visits[j] = math.Inf(1)
		default:
			visits[j] = sum / d.leave[j]
		}
		if sum > 0 {
			v[node] = visits[j]
		}
	}
}

// remaining adds the times until absorption of the nodes, as chain.remaining.
func (d *dense) remaining(h map[int]float64) {
	if d == nil {
		return
	}
	times := make([]float64, len(d.nodes))
	for j, node := range d.nodes {
		sum := d.time[j]
		for k, p := range d.p[j][:j] {
			if p > 0 {
				sum += p * times[k]
			}
		}
		if d.leave[j] == 0 {
			sum = math.Inf(1)
		} else {
			sum /= d.leave[j]
		}
		times[j] = sum
		h[node] = sum
	}
}
