package regress

import (
	"fmt"
	"math"
	"slices"
)

// isTime reports whether a behaviour is the time that a thread takes, of which what it does
// are parts.
func isTime(name string) bool { return slices.Contains([]string{"time", "wall_s"}, name) }

const (
	mostParts = 3    // behaviours that a time is made of
	worthPart = 0.01 // of accuracy, that one more must add
)

// combineTimes predicts the time of whole threads by what else they are predicted to do, such as
// instructions, cache misses and synchronization, where that is more accurate: "the
// prediction accuracy of execution time can be improved by combining the individual prediction
// models of different behaviors" (Wu et al. 2010, §5).
func combineTimes(whole []Behaviour) {
	for i := range whole {
		b := &whole[i]
		if !isTime(b.Name) || b.Constant || len(b.Evaluation.Models) == 0 {
			continue
		}
		var parts []*Behaviour
		for k := range whole {
			p := &whole[k]
			if k != i && p.Program == b.Program && p.ThreadType == b.ThreadType && p.Acceptable() &&
				len(p.Samples) == len(b.Samples) && len(p.Evaluation.Models) == len(b.Evaluation.Models) {
				parts = append(parts, p)
			}
		}
		b.combineTime(parts)
	}
}

// combineTime takes the parts' models for the time if they are better together. Which parts, and with what
// coefficients, is learnt for each split from the runs that it fits, so what it predicts has not been seen.
func (b *Behaviour) combineTime(parts []*Behaviour) {
	splits := len(b.Evaluation.Models)
	e := Evaluation{Splits: make([]float64, splits)}
	for k := range splits {
		held := map[int]bool{}
		for _, p := range b.Evaluation.Predictions {
			held[p.Sample] = held[p.Sample] || p.Split == k
		}
		var train []int
		for i := range b.Samples {
			if !held[i] {
				train = append(train, i)
			}
		}
		m := b.sumOf(parts, train, func(p *Behaviour) Model { return p.Evaluation.Models[k] })
		if m == nil {
			return
		}
		n := 0.0
		for _, p := range b.Evaluation.Predictions {
			if p.Split != k {
				continue
			}
			p.Predicted = m.Predict(b.Samples[p.Sample].Variables, b.Samples[p.Sample].Threads)
			e.Predictions = append(e.Predictions, p)
			e.Splits[k] += accuracy(p.Measured, p.Predicted)
			n++
		}
		e.Splits[k] /= math.Max(1, n)
		e.HeldOut += e.Splits[k] / float64(splits)
		e.Models = append(e.Models, *m)
	}
	if splits == 0 || e.HeldOut < b.Evaluation.HeldOut+better {
		return
	}
	all := make([]int, len(b.Samples))
	for i := range all {
		all[i] = i
	}
	m := b.sumOf(parts, all, func(p *Behaviour) Model { return p.Selection.Model })
	if m == nil {
		return
	}
	b.take(*m, e, "what the thread does together predicts its time better")
}

// take replaces the model of a behaviour by a sum of models that is better on runs not seen.
func (b *Behaviour) take(sum Model, e Evaluation, why string) {
	why = fmt.Sprintf("%.3f on runs not seen: %s than a model of the whole, %.3f", e.HeldOut, why, b.Evaluation.HeldOut)
	for i := range b.Selection.Candidates {
		b.Selection.Candidates[i].Chosen = false
	}
	sum.CrossValidated, sum.Training = e.HeldOut, Accuracy(b.Samples, sum)
	b.Selection.Candidates = append(b.Selection.Candidates, Candidate{Model: sum, Why: why, Chosen: true})
	b.Selection.Model, b.Evaluation, b.Intervals = sum, e, nil
	b.Covered = e.coverage(b.Samples)
	b.Unmodelled = ""
	if !e.Modelled() {
		b.Unmodelled = fmt.Sprintf("accuracy %.3f on held-out runs is below %g", e.HeldOut, Acceptable)
	}
}

// sumOf is the time as a sum of behaviours, each with the seconds that one of it costs: forward
// selection by least squares of relative errors over the runs given. nil if no part has a positive cost.
func (b *Behaviour) sumOf(parts []*Behaviour, rows []int, model func(*Behaviour) Model) *Model {
	var chosen []int
	var costs []float64
	reached := 0.0
	for len(chosen) < mostParts {
		best, with := reached+worthPart, -1
		var of []float64
		for k := range parts {
			if slices.Contains(chosen, k) {
				continue
			}
			if c, a := b.cost(parts, append(slices.Clone(chosen), k), rows); c != nil && a > best {
				best, with, of = a, k, c
			}
		}
		if with < 0 {
			break
		}
		chosen, costs, reached = append(chosen, with), of, best
	}
	if len(chosen) == 0 {
		return nil
	}
	m := Model{Form: Sum, NonNegative: true}
	for i, k := range chosen {
		m.Parts = append(m.Parts, Part{Phase: parts[k].Name, Times: Model{Form: Linear, Coefficients: []float64{costs[i]}}, Model: model(parts[k])})
	}
	return &m
}

// cost fits the seconds that each of the chosen behaviours costs, as measured, and returns the
// accuracy on the same runs; nil unless all are positive.
func (b *Behaviour) cost(parts []*Behaviour, chosen, rows []int) (costs []float64, reached float64) {
	var x [][]float64
	var y, w []float64
	for _, i := range rows {
		t := b.Samples[i].Y
		if t <= 0 {
			continue
		}
		var row []float64
		for _, k := range chosen {
			row = append(row, parts[k].Samples[i].Y)
		}
		x, y, w = append(x, row), append(y, t), append(w, 1/t)
	}
	if len(x) <= len(chosen) {
		return nil, 0
	}
	costs = leastSquares(x, y, w)
	if costs == nil || slices.Min(costs) <= 0 {
		return nil, 0
	}
	for i, row := range x {
		sum := 0.0
		for j, v := range row {
			sum += costs[j] * v
		}
		reached += accuracy(y[i], sum) / float64(len(x))
	}
	return costs, reached
}
