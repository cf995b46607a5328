package native

import (
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// shares is what a thread of each kind computes on average, in ns of CPU.
func shares(t *trace.Trace) map[string]float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for i := range t.Threads {
		th := &t.Threads[i]
		if th.Creator < 0 || len(th.Records) == 0 {
			continue
		}
		kind := startOf(t, th).kind
		sum[kind] += float64(th.Records[len(th.Records)-1].CPU)
		n[kind]++
	}
	for kind := range sum {
		sum[kind] /= n[kind]
	}
	return sum
}

// divided returns, of the threads of which there are more with the next number, whether they share a fixed amount of work, so that each
// computes less, or each brings its own. Where the number is one more than there are of them, who starts them has a share too. What is nearer
// to the one than to the other is taken for it. sure: none is as far from both as to lie in the middle half between them.
func (c counts) divided(next counts, uses []trace.SettingUse, value int, share, then map[string]float64) (how []trace.SettingUse, sure bool) {
	sure = true
	for _, at := range c.spots(trace.UseSpawn) {
		i := slices.IndexFunc(uses, func(u trace.SettingUse) bool { return u.Kind == trace.UseSpawn && u.Frame == at.at })
		if i < 0 || share[at.kind] == 0 || then[at.kind] == 0 {
			continue
		}
		threads, _ := c.alike(at)
		if more, _ := next.alike(at); more <= threads { // others are started at the same place
			continue
		}
		follows := uses[i].Value
		less := follows.At(float64(value)) / follows.At(float64(value+1)) // of a fixed amount, to that of one's own, which is 1
		if follows.Factor == 1 && follows.Offset == -1 {
			less = float64(value) / float64(value+1)
		}
		use := trace.SettingUse{Kind: trace.UseOwn, Frame: at.at}
		nearer := math.Log(then[at.kind]/share[at.kind])/math.Log(less) - 0.5 // 0.5: they share it all
		if nearer > 0 {
			use.Kind = trace.UseDivisor
		}
		sure = sure && math.Abs(nearer) >= 0.25
		if !slices.Contains(how, use) {
			how = append(how, use)
		}
	}
	return how, sure
}

// least is what each kind computes in that of two runs in which it computes less: what disturbs a run only adds.
func least(a, b map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for kind, ns := range a {
		if out[kind] = ns; b[kind] > 0 {
			out[kind] = min(ns, b[kind])
		}
	}
	return out
}
