package trace

// Samples is the result of stack sampling (§4.1): the call trie with the
// threads that were seen at each leaf, thread groups, library functions.
type Samples struct {
	Program string         `json:"program"`
	Threads []SampleThread `json:"threads"`
	Trie    []TrieNode     `json:"trie"` // node 0 is the root
	Groups  []ThreadGroup  `json:"groups"`
	Library []string       `json:"library"` // functions with more than one caller
}

// SampleThread is a thread that the sampler saw.
type SampleThread struct {
	ID      int64   `json:"id"`
	Start   string  `json:"start"`   // start function
	Created []Frame `json:"created"` // creation stack, innermost first
	Born    int64   `json:"born_ns"`
	Ended   int64   `json:"ended_ns,omitempty"`
}

// TrieNode is a node of the call trie.
type TrieNode struct {
	Parent int32           `json:"parent"` // −1 at the root
	Frame  Frame           `json:"frame"`
	Counts map[int64]int64 `json:"counts,omitempty"` // leaf: samples by thread
}

// ThreadGroup is a set of threads that have the same function.
type ThreadGroup struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind"` // fixed, per_task, per_connection, helper, timer, runtime
	Start    string  `json:"start"`
	Threads  []int64 `json:"threads"`
	MaxAlive int     `json:"max_alive"`
}
