package core

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sampling is what a recording leaves unknown of the times of a model because it has only so many of the tasks that
// will come: what would differ had it drawn its tasks again from those that it has, the bootstrap (Efron 1979). Tasks are
// drawn whole: what a request costs in one pool, waits for and causes in another stays together. For sums of what tasks
// take, the covariance that infinitely many draws would have is known without drawing (Efron 1982, ch. 6), and a few
// factors are that covariance. With costsTold other runs tell the CPU time of all tasks, and the recording only how
// it is divided.
//
// It is of programs that serve tasks as they come. One that ends by itself does the same tasks in every run.
func (m *Model) Sampling(w *Walks, costsTold bool) []Uncertain {
	s := sampleOf(m, w)
	covariance, freedom := s.covariance(costsTold)
	if covariance == nil {
		return nil
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		panic("core: a covariance without eigenvalues")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	wider := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(.975) / Normal95 // for a deviation that few tasks tell
	var out []Uncertain
	for k, variance := range slices.Backward(eigen.Values(nil)) {
		deviation := wider * math.Sqrt(max(variance, 0))
		if u := s.factor(deviation, mat.Col(nil, k, &vectors)); u.Deviation >= LeastDeviation {
			u.Name = fmt.Sprintf("how the %d tasks that were recorded differ from all that come", s.tasks())
			if len(out) > 0 {
				u.Name += fmt.Sprintf(", %d", len(out)+1)
			}
			out = append(out, u)
		}
	}
	return out
}

// timeKind is what the times of fragments are made of.
type timeKind int

const (
	notTimed timeKind = iota
	computing
	outside // delays
	devices // requests, by their number: what each costs is a law of the disk
)

// timeOf is the kind of a fragment's time. The delays of clocks are known.
func timeOf(f *Fragment) timeKind {
	switch f.Class {
	case CPUFragment:
		return computing
	case DelayFragment:
		if !f.Periodic && !f.Polled {
			return outside
		}
	case IOFragment:
		return devices
	case SyncFragment, InFragment, OutFragment, FetchFragment, NoFetchFragment, SpawnFragment, JoinFragment, LoopFragment, DispatchFragment:
	}
	return notTimed
}

// part is the times of one kind in one graph.
type part struct {
	graph string
	kind  timeKind
}

// sample is what the recorded tasks took.
type sample struct {
	parts   []part
	targets map[part][]string // paths of their fragments
	of      [][]float64       // of a task: its parts
	strata  []int32           // of a task: the graph in which it begins
}

func (s *sample) tasks() int { return len(s.of) }

// covariance of the logarithms of the times of all parts, and with how many degrees of freedom it is told; nil
// if nothing is known of it.
func (s *sample) covariance(costsTold bool) (covariance *mat.SymDense, freedom float64) {
	total := make([]float64, len(s.parts))
	sums, n := map[int32][]float64{}, map[int32]float64{}
	for i, x := range s.of {
		g := s.strata[i]
		if sums[g] == nil {
			sums[g] = make([]float64, len(s.parts))
		}
		n[g]++
		for k, v := range x {
			sums[g][k] += v
			total[k] += v
		}
	}
	freedom = float64(len(s.of) - len(n))
	if freedom < 1 || len(s.parts) == 0 {
		return nil, 0
	}
	cpu := 0.0
	for k, p := range s.parts {
		if p.kind == computing {
			cpu += total[k]
		}
	}
	covariance = mat.NewSymDense(len(s.parts), nil)
	off := mat.NewVecDense(len(s.parts), nil)
	for i, x := range s.of {
		g := s.strata[i]
		if n[g] < 2 {
			continue
		}
		computed := 0.0
		for k, v := range x {
			more := v - sums[g][k]/n[g]
			off.SetVec(k, more/total[k])
			if s.parts[k].kind == computing {
				computed += more / cpu
			}
		}
		for k, p := range s.parts {
			if costsTold && p.kind == computing {
				off.SetVec(k, off.AtVec(k)-computed)
			}
		}
		covariance.SymRankOne(covariance, n[g]/(n[g]-1), off)
	}
	return covariance, freedom
}

// factor loads on the fragments of all parts with the elements of a unit vector, times a deviation.
func (s *sample) factor(deviation float64, vector []float64) Uncertain {
	most := 0.0
	for _, v := range vector {
		if math.Abs(v) > math.Abs(most) {
			most = v
		}
	}
	u := Uncertain{Deviation: inParts(min(deviation*math.Abs(most), MostDeviation), 1e6)}
	for k, v := range vector {
		power := inParts(v/most, 1e3)
		if power == 0 {
			continue
		}
		for _, path := range s.targets[s.parts[k]] {
			u.Targets = append(u.Targets, Loading{Path: path, Power: power})
		}
	}
	return u
}

// inParts keeps what matters in a document.
func inParts(v, parts float64) float64 { return math.Round(v*parts) / parts }
