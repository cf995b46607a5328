package trail

import (
	"tierscope/analysis/trace"
)

// NodeName is a readable name of a node: what it does, and where.
func NodeName(n *Node) string {
	name := n.Op.String()
	if n.Virtual != "" {
		name = n.Virtual
	}
	if n.Place == (trace.Frame{}) {
		return name
	}
	return name + " " + trace.ShortPlace(n.Place)
}
