package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"tierscope/core"
)

// shapes are fixed for each class of fragment; colour is left to the reader.
var shapes = map[core.FragmentClass]string{
	core.CPUFragment: "box", core.IOFragment: "cylinder", core.SyncFragment: "hexagon", core.InFragment: "invhouse",
	core.OutFragment: "house", core.FetchFragment: "point", core.NoFetchFragment: "point", core.DelayFragment: "octagon",
	core.LoopFragment: "doubleoctagon", core.SpawnFragment: "cds", core.JoinFragment: "cds", core.DispatchFragment: "diamond",
}

// dotGraphs prints call graphs, each as a cluster when there are several.
func dotGraphs(w io.Writer, graphs []core.Graph) error {
	var b strings.Builder
	b.WriteString("digraph model {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n")
	for i := range graphs {
		g := &graphs[i]
		fmt.Fprintf(&b, "  subgraph %q {\n    label=%s;\n", "cluster_"+strconv.Itoa(i), quote(g.ID))
		for j := range g.Fragments {
			f := &g.Fragments[j]
			id := func(name string) string { return quote(g.ID + "\x00" + name) }
			fmt.Fprintf(&b, "    %s [shape=%s, label=%s];\n", id(f.ID), shapes[f.Class], quote(f.ID+"\n"+summary(f)))
			for _, s := range g.Successors(f) {
				style := ""
				if s.Probability == 0 {
					style = ", style=dashed"
				}
				label := fmt.Sprintf("%.3g", s.Probability)
				if f.Loop != nil {
					if label = ""; s.To == f.Loop.Body {
						label = fmt.Sprintf("× %.4g", f.Loop.Count.Expectation())
					}
				}
				fmt.Fprintf(&b, "    %s -> %s [label=%s%s];\n", id(f.ID), id(s.To), quote(label), style)
			}
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotNetwork prints tier 1: who sends tasks to whom.
func dotNetwork(w io.Writer, m *core.Model) error {
	var b strings.Builder
	b.WriteString("digraph network {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n")
	for i := range m.Sources {
		s := &m.Sources[i]
		fmt.Fprintf(&b, "  %s [shape=circle, label=%s];\n", quote("source "+s.ID), quote(s.ID+"\n"+load(s)))
		fmt.Fprintf(&b, "  %s -> %s;\n", quote("source "+s.ID), quote(s.To))
	}
	for _, q := range m.Queues {
		fmt.Fprintf(&b, "  %s [shape=rect, label=%s];\n", quote(q.ID), quote(q.ID+"\n"+capacity(q)))
	}
	for _, s := range m.Sinks {
		fmt.Fprintf(&b, "  %s [shape=doublecircle];\n", quote(s.ID))
	}
	for _, p := range m.Pools {
		fmt.Fprintf(&b, "  %s [shape=rect, style=rounded, label=%s];\n", quote("pool "+p.ID), quote(p.ID+"\n"+threads(p)))
		drawn := map[string]bool{}
		edge := func(from, to string) {
			if line := fmt.Sprintf("  %s -> %s;\n", quote(from), quote(to)); !drawn[line] {
				drawn[line] = true
				b.WriteString(line)
			}
		}
		if p.Kind == core.TaskPool {
			edge(p.From, "pool "+p.ID)
		}
		g, err := graphOf(m, p.ID)
		if err != nil {
			return err
		}
		for _, f := range g.Fragments {
			switch {
			case f.In != nil:
				edge(f.In.Queue, "pool "+p.ID)
			case f.Out != nil:
				edge("pool "+p.ID, f.Out.To)
			case f.Spawn != nil:
				edge("pool "+p.ID, "pool "+f.Spawn.Pool)
			}
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quote writes a DOT string; DOT knows only the escape of the quote itself and
// reads \n as a line break.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x00", "/").Replace(s) + `"`
}
