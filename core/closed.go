package core

import "math"

// closedStation is a station of a closed product-form network: either a demand
// per customer at a number of servers, or the rates of a flow-equivalent server
// with 1, 2, … customers (the last rate holds beyond).
type closedStation struct {
	demand  float64 // seconds per customer
	servers float64 // +Inf: a delay
	rates   []float64
	copies  int // of the station, each with its share of the customers; 0: one
}

// rate returns the customers per second that leave the station when k are
// there.
func (s closedStation) rate(k int) float64 {
	if s.rates != nil {
		return s.rates[min(k, len(s.rates))-1]
	}
	return min(float64(k), s.servers) / s.demand
}

// closedThroughput returns the throughput, in customers per second, of a closed
// network of load-dependent exponential stations with 1 … n customers. It folds
// one station after the other into a flow-equivalent server (Norton's theorem
// for queueing networks, Chandy, Herzog & Woo 1975), which for product-form
// networks is exact and equals Buzen's convolution; unlike that, it needs no
// normalizing constants and cannot overflow.
func closedThroughput(stations []closedStation, n int) []float64 {
	var x []float64
	for _, s := range stations {
		if s.rates == nil && s.demand == 0 {
			continue
		}
		rates := make([]float64, n)
		for k := 1; k <= n; k++ {
			rates[k-1] = s.rate(k)
		}
		for copies := max(s.copies, 1); copies > 0; copies /= 2 {
			switch {
			case copies%2 == 0:
			case x == nil:
				x = rates
			default:
				x = foldStations(x, rates)
			}
			if copies > 1 {
				rates = foldStations(rates, rates)
			}
		}
	}
	if x == nil {
		x = make([]float64, n)
		for k := range x {
			x[k] = math.Inf(1)
		}
	}
	return x
}

// foldStations returns the throughput of two stations in a cycle. With k
// customers, j of them at a, detailed balance gives
// p(j)·a(j) = p(j−1)·b(k−j+1), and the throughput is Σ p(j)·a(j).
func foldStations(a, b []float64) []float64 {
	x := make([]float64, len(a))
	for k := 1; k <= len(a); k++ {
		p, sum, flow := 1.0, 1.0, 0.0
		for j := 1; j <= k; j++ {
			p *= b[k-j] / a[j-1]
			sum += p
			flow += p * a[j-1]
			if sum > 1e200 {
				p, sum, flow = p*1e-200, sum*1e-200, flow*1e-200
			}
		}
		x[k-1] = flow / sum
	}
	return x
}
