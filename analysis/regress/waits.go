package regress

import (
	"math"
	"slices"
)

// isWait reports whether a behaviour is the time that a thread spends waiting for others.
func isWait(name string) bool { return slices.Contains([]string{"sync", "sync_s"}, name) }

// isWork reports whether a behaviour is a time that waiting may be a share of.
func isWork(name string) bool { return slices.Contains([]string{"cpu", "cpu_s"}, name) || isTime(name) }

// combineWaits predicts how long threads wait as a share of how long they work: of threads that meet at barriers each waits for
// the slowest, which is a share of the work whatever that follows. What the share follows, such as the number of threads, is less
// than what both do, so fewer runs tell it.
func combineWaits(whole []Behaviour, o Options) {
	for i := range whole {
		b := &whole[i]
		if !isWait(b.Name) || b.Constant || len(b.Evaluation.Models) == 0 {
			continue
		}
		var best Evaluation
		var of *Behaviour
		for k := range whole {
			p := &whole[k]
			if p.Program != b.Program || p.ThreadType != b.ThreadType || !isWork(p.Name) || !p.Acceptable() ||
				len(p.Samples) != len(b.Samples) || len(p.Evaluation.Models) != len(b.Evaluation.Models) {
				continue
			}
			if e, ok := b.evaluateShare(p, o); ok && e.HeldOut > best.HeldOut {
				best, of = e, p
			}
		}
		if of == nil || best.HeldOut < b.Evaluation.HeldOut+better {
			continue
		}
		if share, err := Fit(b.shares(of, func(int) bool { return true }), o); err == nil {
			b.take(sumOfOne(of.Name, share, of.Selection.Model), best, "as a share of "+of.Name+" it is predicted better")
		}
	}
}

// shares are what the behaviour is of another one, in the runs wanted.
func (b *Behaviour) shares(of *Behaviour, wanted func(sample int) bool) (out []Sample) {
	for i, s := range b.Samples {
		if work := of.Samples[i].Y; wanted(i) && work > 0 {
			s.Y /= work
			out = append(out, s)
		}
	}
	return out
}

// evaluateShare is how well shares of another behaviour predict this one: in each split both are learnt from the same runs, of
// which none is predicted.
func (b *Behaviour) evaluateShare(of *Behaviour, o Options) (Evaluation, bool) {
	splits := len(b.Evaluation.Models)
	e := Evaluation{Splits: make([]float64, splits)}
	for k := range splits {
		held := map[int]bool{}
		for _, p := range b.Evaluation.Predictions {
			if p.Split == k {
				held[p.Sample] = true
			}
		}
		share, err := Fit(b.shares(of, func(i int) bool { return !held[i] }), o)
		if err != nil {
			return e, false
		}
		m := sumOfOne(of.Name, share, of.Evaluation.Models[k])
		for _, p := range b.Evaluation.Predictions {
			if p.Split == k {
				p.Predicted = m.Predict(b.Samples[p.Sample].Variables, b.Samples[p.Sample].Threads)
				e.Predictions = append(e.Predictions, p)
				e.Splits[k] += accuracy(p.Measured, p.Predicted) / math.Max(1, float64(len(held)))
			}
		}
		e.HeldOut += e.Splits[k] / float64(splits)
		e.Models = append(e.Models, m)
	}
	return e, true
}

// sumOfOne is the product of two models.
func sumOfOne(name string, times, model Model) Model {
	return Model{Form: Sum, NonNegative: true, Parts: []Part{{Phase: name, Times: times, Model: model}}}
}
