package trail

// Disjoint reports whether no pool counts in both.
func Disjoint(a, b map[*Pool]int64) bool {
	for g := range a {
		if b[g] > 0 {
			return false
		}
	}
	return true
}

// TaskFlow is what the threads of a pool do with the tasks that they fetch.
type TaskFlow struct {
	Passes map[*Node]bool // c_out fragments that send the fetched task on
	Keeps  bool           // a fetched task ends in this group
}

// PassesOn reports whether a c_out fragment, or what it is a copy of, sends the fetched
// task on.
func (f TaskFlow) PassesOn(n *Node) bool {
	for ; n != nil; n = n.Copied {
		if f.Passes[n] {
			return true
		}
	}
	return false
}
