package regress

// Executions is the behaviour of a phase that says how often a thread executes it. The
// other behaviours of phases are those of one execution.
const Executions = "executions"

// Part is a phase of a thread in a model of the whole: what one execution does, times how
// often it is executed; or another behaviour, times what one of it costs.
type Part struct {
	Phase string `json:"phase"` // or the name of the other behaviour
	Times Model  `json:"times"`
	Model Model  `json:"model"`
}

// better is by how much the phases together must predict the whole thread more
// accurately than a model of it to be worth their number.
const better = 0.01

// combine predicts behaviours of whole threads by their phases, where that is more
// accurate: "whole-thread predictions can be made by combining the simple models of
// phases, providing higher accuracy" (Wu et al. 2010, §4.2).
func combine(whole, phases []Behaviour) {
	type thread struct{ program, kind string }
	executions := map[thread]map[string]*Behaviour{}
	for i := range phases {
		p := &phases[i]
		if p.Name == Executions {
			key := thread{p.Program, p.ThreadType}
			if executions[key] == nil {
				executions[key] = map[string]*Behaviour{}
			}
			executions[key][p.Phase] = p
		}
	}
	for i := range whole {
		b := &whole[i]
		times := executions[thread{b.Program, b.ThreadType}]
		if len(times) == 0 || b.Constant {
			continue
		}
		var parts []*Behaviour
		for k := range phases {
			if p := &phases[k]; p.Name == b.Name && p.Program == b.Program && p.ThreadType == b.ThreadType {
				parts = append(parts, p)
			}
		}
		if len(parts) == len(times) {
			b.combine(parts, times)
		}
	}
}

// combine takes the phases' models for the whole thread if they are better together.
// Splits are the same for all, so what a split's models predict has not been seen by any.
func (b *Behaviour) combine(parts []*Behaviour, times map[string]*Behaviour) {
	splits := len(b.Evaluation.Models)
	if splits == 0 {
		return
	}
	sum := Model{Form: Sum}
	for _, p := range parts {
		t := times[p.Phase]
		for _, of := range []*Behaviour{p, t} {
			if of == nil || len(of.Samples) != len(b.Samples) || len(of.Evaluation.Models) != splits {
				return
			}
		}
		sum.Parts = append(sum.Parts, Part{p.Phase, t.Selection.Model, p.Selection.Model})
	}
	e := Evaluation{Splits: make([]float64, splits)}
	counts := make([]float64, splits)
	for _, p := range b.Evaluation.Predictions {
		of := b.Samples[p.Sample]
		p.Predicted = 0
		for _, part := range parts {
			p.Predicted += times[part.Phase].Evaluation.Models[p.Split].Predict(of.Variables, of.Threads) * part.Evaluation.Models[p.Split].Predict(of.Variables, of.Threads)
		}
		e.Predictions = append(e.Predictions, p)
		e.Splits[p.Split] += accuracy(p.Measured, p.Predicted)
		counts[p.Split]++
	}
	for k := range splits {
		if counts[k] > 0 {
			e.Splits[k] /= counts[k]
		}
		e.HeldOut += e.Splits[k] / float64(splits)
		m := Model{Form: Sum}
		for _, part := range parts {
			m.Parts = append(m.Parts, Part{part.Phase, times[part.Phase].Evaluation.Models[k], part.Evaluation.Models[k]})
		}
		e.Models = append(e.Models, m)
	}
	if e.HeldOut < b.Evaluation.HeldOut+better {
		return
	}
	b.take(sum, e, "the phases together predict the thread better")
}
