package trace

import "slices"

// CallTrie lets the call trie of samples grow (§4.1).
type CallTrie struct {
	samples *Samples
	child   map[call]int32
}

// call is a step down the trie.
type call struct {
	parent int32
	frame  Frame
}

// NewCallTrie gives samples a trie that has its root only.
func NewCallTrie(s *Samples) *CallTrie {
	s.Trie = []TrieNode{{Parent: -1}}
	return &CallTrie{samples: s, child: map[call]int32{}}
}

// Leaf returns the node of a stack, innermost frame first; 0 of an empty one.
func (t *CallTrie) Leaf(frames []Frame) int32 {
	at := int32(0)
	for _, f := range slices.Backward(frames) {
		key := call{at, f}
		next, ok := t.child[key]
		if !ok {
			next = int32(len(t.samples.Trie))
			t.samples.Trie = append(t.samples.Trie, TrieNode{Parent: at, Frame: f})
			t.child[key] = next
		}
		at = next
	}
	return at
}

// Count adds n looks at a thread that was at a node.
func (t *CallTrie) Count(node int32, thread, n int64) {
	x := &t.samples.Trie[node]
	if x.Counts == nil {
		x.Counts = map[int64]int64{}
	}
	x.Counts[thread] += n
}

// Add adds n looks at a thread that had a stack, innermost frame first; none if it was empty.
func (t *CallTrie) Add(thread int64, stack []Frame, n int64) {
	if len(stack) > 0 {
		t.Count(t.Leaf(stack), thread, n)
	}
}
