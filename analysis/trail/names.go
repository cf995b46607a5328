package trail

import (
	"fmt"

	"tierscope/analysis/trace"
)

// Numbered returns a name that used has not yet, and counts it there: of several that are equal all but the first have their number.
func Numbered(used map[string]int, name string) string {
	used[name]++
	if n := used[name]; n > 1 {
		return Numbered(used, fmt.Sprintf("%s #%d", name, n))
	}
	return name
}

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
