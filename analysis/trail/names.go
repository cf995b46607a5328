package trail

import (
	"tierscope/analysis/trace"
)

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
