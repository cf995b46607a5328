package walks

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A thread comes to an empty list and waits until 60; another one comes at 30, takes before it what was brought at 20, and brings at 50
// what the first one gets. By the order in which they came the first would have the one of 20, and the second what itself brings.
func TestNobodyGetsWhatWasNotSentYet(t *testing.T) {
	t.Parallel()
	list := &trail.Resource{Kind: core.Channel}
	step := func(op trace.Op, from, to int64) trail.Step {
		return trail.Step{Node: &trail.Node{Op: op}, Lock: list, Start: from, End: to, Result: 1}
	}
	first := &trail.Sequence{Steps: []trail.Step{step(trace.OpReceive, 10, 60)}}
	second := &trail.Sequence{Steps: []trail.Step{step(trace.OpReceive, 30, 31), step(trace.OpSend, 50, 51)}}
	main := &trail.Sequence{Steps: []trail.Step{step(trace.OpSend, 20, 21)}}
	n := numbers{}
	n.number([]*thread{{steps: main}, {steps: first}, {steps: second}})
	if n[main][0] == 0 || n[main][0] != n[second][0] || n[second][1] != n[first][0] {
		t.Errorf("sent by main: %d, got by the second: %d, sent by it: %d, got by the first: %d", n[main][0], n[second][0], n[second][1], n[first][0])
	}
}
