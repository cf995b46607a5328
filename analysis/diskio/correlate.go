package diskio

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// Interval is the time of one operation or request, ns.
type Interval struct{ Start, End int64 }

// Track is the operations or requests of one thread, ascending.
type Track struct {
	Thread    int64
	Intervals []Interval
}

// edges is the signal of a track: +1 where an operation starts, −1 where it
// ends, each shared between the two nearest bins. The signal of Tarvo & Reiss
// 2014, §4.3.2, 1 during an operation and 0 otherwise, is useless when threads
// are in I/O nearly all of the time; edges remain. An operation shorter than a
// bin, such as a cache hit, nearly cancels itself.
func edges(intervals []Interval, from int64, bin float64, n int) []float64 {
	x := make([]float64, n)
	add := func(at int64, weight float64) {
		position := float64(at-from)/bin - 0.5
		k := int(math.Floor(position))
		part := position - float64(k)
		if k >= 0 && k < n {
			x[k] += weight * (1 - part)
		}
		if k+1 >= 0 && k+1 < n {
			x[k+1] += weight * part
		}
	}
	for _, v := range intervals {
		add(v.Start, 1)
		add(v.End, -1)
	}
	return x
}

// correlator computes normalised cross-correlations of signals by FFT.
type correlator struct {
	fft *fourier.FFT
	n   int
}

// newCorrelator takes signals of up to n samples and lags below n: it pads with
// zeros to the next length without a prime factor above 5, for which the FFT is
// fast.
func newCorrelator(n int) *correlator {
	for m := 2*n + 2; ; m++ {
		k := m
		for _, p := range []int{2, 3, 5} {
			for k%p == 0 {
				k /= p
			}
		}
		if k == 1 {
			return &correlator{fourier.NewFFT(m), m}
		}
	}
}

// spectrum is the transform of a signal with mean 0 and energy 1; nil for a
// constant signal.
func (c *correlator) spectrum(x []float64) []complex128 {
	mean := stat.Mean(x, nil)
	energy := 0.0
	for _, v := range x {
		energy += (v - mean) * (v - mean)
	}
	if energy == 0 {
		return nil
	}
	padded := make([]float64, c.n)
	for i, v := range x {
		padded[i] = (v - mean) / math.Sqrt(energy)
	}
	return c.fft.Coefficients(nil, padded)
}

// correlation returns the normalised cross-correlation, −1 … 1: element k is
// how alike u and b are when b is shifted by k bins to the right; negative
// shifts are at the end (c.at).
func (c *correlator) correlation(u, b []complex128, into []float64) []float64 {
	product := make([]complex128, len(u))
	for i := range u {
		product[i] = u[i] * cmplx.Conj(b[i]) / complex(float64(c.n), 0)
	}
	return c.fft.Sequence(into, product)
}

// at is the element of a correlation for a shift.
func (c *correlator) at(shift int) int {
	if shift < 0 {
		return shift + c.n
	}
	return shift
}
