package core_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"tierscope/core"
)

// largeModel is a web server whose worker has n computing fragments in a random
// order with branches and a lock around each tenth: the size of the naive call
// graph of Tomcat in Tarvo & Reiss 2014, Table 2, is 11 206.
func largeModel(n int) core.Model {
	r := rand.New(rand.NewPCG(1, 2))
	m := webServer()
	g := &m.Graphs[1]
	g.Fragment("got").Next = []core.Edge{{To: "f0", Probability: 1}}
	name := func(i int) string {
		if i >= n {
			return "enter"
		}
		return fmt.Sprintf("f%d", i)
	}
	for i := range n {
		f := core.Fragment{ID: name(i), Class: core.CPUFragment, Demand: core.Exp(1e-6), Group: fmt.Sprint("g", i%20)}
		switch {
		case i%10 == 3:
			f = core.Fragment{ID: name(i), Class: core.SyncFragment, Sync: &core.Sync{Lock: fmt.Sprint("M", i/10%50), Op: core.Enter}}
		case i%10 == 5 && i > 5:
			f = core.Fragment{ID: name(i), Class: core.SyncFragment, Sync: &core.Sync{Lock: fmt.Sprint("M", i/10%50), Op: core.Exit}}
		}
		f.Next = []core.Edge{{To: name(i + 1), Probability: 1}}
		if i%10 > 5 { // never out of a critical section
			f.Next = []core.Edge{{To: name(i + 1), Probability: .8}, {To: name(i - i%10 + 10*r.IntN(4) + 6), Probability: .2}}
			if f.Next[0].To == f.Next[1].To {
				f.Next = f.Next[:1]
				f.Next[0].Probability = 1
			}
		}
		if i == 5 {
			f = core.Fragment{ID: name(i), Class: core.SyncFragment, Sync: &core.Sync{Lock: "M0", Op: core.Exit}, Next: f.Next}
		}
		g.Fragments = append(g.Fragments, f)
	}
	for i := range min(50, n/10) {
		m.Locks = append(m.Locks, core.Lock{ID: fmt.Sprint("M", i), Kind: core.Mutex})
	}
	return m
}

func BenchmarkLargeModel(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		m := largeModel(n)
		if err := m.Validate(); err != nil {
			b.Fatal(err)
		}
		var file bytes.Buffer
		if err := core.Encode(&file, m); err != nil {
			b.Fatal(err)
		}
		for name, work := range map[string]func(){
			"validate": func() { _ = m.Validate() },
			"decode":   func() { _, _ = core.Decode(bytes.NewReader(file.Bytes())) },
			"hash":     func() { core.Hash(m) },
			"with":     func() { _, _ = m.With(map[string]float64{"workers": 8, "graphs/worker/groups/g3/scale": 2}) },
			"demands":  func() { m.Demands() },
		} {
			b.Run(fmt.Sprintf("%s/fragments=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					work()
				}
			})
		}
	}
}
