package trail_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tierscope/analysis/trail"
)

// step does something in a random program: it executes a node, or goes round in a loop, each time of another length.
type step struct {
	node        *trail.Node
	body        []step
	often       float64 // how probable it is that it is done
	least, most int     // rounds
}

// program returns random steps, loops in each other up to a depth. Operations may stand at several places.
func program(random *rand.Rand, nodes []*trail.Node, depth int) (out []step) {
	for range 1 + random.IntN(3) {
		s := step{often: 1, node: nodes[random.IntN(len(nodes))]}
		if random.IntN(4) == 0 {
			s.often = random.Float64()
		}
		if depth > 0 && random.IntN(2) == 0 {
			s.body = program(random, nodes, depth-1)
			s.least = 1 + random.IntN(3)
			s.most = s.least + random.IntN(3)
		}
		out = append(out, s)
	}
	return out
}

// run appends what a thread executes.
func run(random *rand.Rand, steps []step, to []trail.Step) []trail.Step {
	for _, s := range steps {
		switch {
		case random.Float64() > s.often:
		case s.body == nil:
			to = append(to, trail.Step{Node: s.node})
		default:
			for range s.least + random.IntN(s.most-s.least+1) {
				to = run(random, s.body, to)
			}
		}
	}
	return to
}

// What is in a loop is in the loop around it, and no round of that ends within it.
func TestLoopsNest(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 1))
		var nodes []*trail.Node
		for i := range 3 + random.IntN(6) {
			nodes = append(nodes, &trail.Node{Key: fmt.Sprint(i)})
		}
		p := program(random, nodes, 3)
		var qs []*trail.Sequence
		for range 1 + random.IntN(3) {
			q := &trail.Sequence{Steps: []trail.Step{{Node: &trail.Node{Key: "begin"}}}}
			q.Steps = append(run(random, p, q.Steps), trail.Step{Node: &trail.Node{Key: "end"}})
			qs = append(qs, q)
		}
		for _, outermost := range trail.FindLoops(qs) {
			for _, l := range outermost.All() {
				for _, in := range l.Inner {
					nested(t, seed, l, in)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// nested checks that a loop is within another one. Behind the other one it may go round, too; across its end it does not.
func nested(t *testing.T, seed uint64, l, in *trail.Loop) {
	t.Helper()
	for n := range in.Members {
		if !l.Members[n] {
			t.Errorf("seed %d: operation %s is in loop %s, and not in loop %s around it", seed, n.Key, in.Header.Key, l.Header.Key)
		}
	}
	for _, e := range in.Entries {
		for _, o := range l.Entries {
			for k, h := range o.Heads {
				past := o.Past
				if k+1 < len(o.Heads) {
					past = o.Heads[k+1]
				}
				if o.Seq == e.Seq && e.First < past && past < e.Past {
					t.Errorf("seed %d: loop %s goes round from %d to %d, and a round of loop %s around it from %d to %d", seed, in.Header.Key, e.First, e.Past, l.Header.Key, h, past)
				}
			}
		}
	}
}
