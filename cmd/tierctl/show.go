package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/core/quantity"
)

func newShow(t *terminal) *cobra.Command {
	var tier int
	var pool, file string
	var dot, asJSON, knobs bool
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Show a model as a table, as JSON, as a graph in DOT or as a picture",
		Example: "  tierctl show shop.tier\n  tierctl show shop.tier --svg network.svg\n  tierctl show shop.tier --pool worker --out worker.pdf\n" +
			"  tierctl show shop.tier --pool worker --dot\n  tierctl show shop.tier --knobs",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if tier < 0 || tier > 3 {
				return exit(exitUsage, fmt.Errorf("--tier %d: give 1 (queueing network), 2 (call graphs) or 3 (resources)", tier))
			}
			graphs := m.Graphs
			if pool != "" {
				g, err := graphOf(&m, pool)
				if err != nil {
					return exit(exitUsage, err)
				}
				graphs = []core.Graph{*g}
			}
			switch {
			case file != "":
				d, err := diagramOf(&m, graphs, tier, pool)
				if err != nil {
					return exit(exitUsage, err)
				}
				return draw(cmd.Context(), d, m.Name, file)
			case asJSON:
				return core.Encode(t.out, m)
			case knobs:
				return printKnobs(t.out, &m)
			case dot && (pool != "" || tier == 2):
				return dotGraphs(t.out, graphs)
			case dot:
				return dotNetwork(t.out, &m)
			}
			return describe(t.out, &m, graphs, tier, pool != "")
		},
	}
	cmd.Flags().IntVar(&tier, "tier", 0, "only this tier: 1 queueing network, 2 call graphs, 3 resources")
	cmd.Flags().StringVar(&pool, "pool", "", "only the call graph of this thread pool")
	cmd.Flags().BoolVar(&dot, "dot", false, "print a graph in the DOT language: the network, or the call graphs with --tier 2 or --pool")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the model as JSON")
	cmd.Flags().BoolVar(&knobs, "knobs", false, "list the parameters and every path that --set takes")
	cmd.Flags().StringVarP(&file, "out", "o", "", "draw the network, or the resources with --tier 3, or the call graph of --pool, into `FILE`: svg, pdf, png or eps")
	cmd.Flags().StringVar(&file, "svg", "", "the same as --out `FILE.svg`")
	cmd.MarkFlagsMutuallyExclusive("dot", "json", "knobs", "out", "svg")
	return cmd
}

func graphOf(m *core.Model, pool string) (*core.Graph, error) {
	names := ""
	for _, p := range m.Pools {
		if p.ID == pool {
			for i := range m.Graphs {
				if m.Graphs[i].ID == p.Graph {
					return &m.Graphs[i], nil
				}
			}
		}
		names += fmt.Sprintf(" %q", p.ID)
	}
	return nil, fmt.Errorf("--pool %q: no such pool; there is%s", pool, names)
}

func printKnobs(w io.Writer, m *core.Model) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(m.Parameters) > 0 {
		fmt.Fprintln(table, "PARAMETER\tDEFAULT\tRANGE\tUNIT\tFOLLOWS\tSETS")
		for _, p := range m.Parameters {
			targets := ""
			for i, target := range p.Targets {
				if i > 0 {
					targets += ", "
				}
				targets += target.Path
			}
			follows := ""
			if p.Follows != nil {
				follows = p.Follows.String()
			}
			fmt.Fprintf(table, "%s\t%g\t%g…%g\t%s\t%s\t%s\n", p.Name, p.Default, p.Min, p.Max, p.Unit, follows, targets)
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintln(table, "PATH\tVALUE\tUNIT")
	for _, k := range m.Knobs() {
		fmt.Fprintf(table, "%s\t%g\t%s\n", k.Path, k.Value, k.Unit)
	}
	return table.Flush()
}

func describe(w io.Writer, m *core.Model, graphs []core.Graph, tier int, onlyGraph bool) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	all := tier == 0 && !onlyGraph
	if all {
		fmt.Fprintf(table, "model\t%s\n", m.Name)
		for _, line := range [][2]string{{"program", m.Provenance.Program}, {"machine", m.Provenance.Machine}, {"made by", m.Provenance.Command}} {
			if line[1] != "" {
				fmt.Fprintf(table, "%s\t%s\n", line[0], line[1])
			}
		}
		fmt.Fprintln(table)
	}
	if all || tier == 1 {
		fmt.Fprintln(table, "TIER 1: QUEUEING NETWORK\t\t\t")
		for i := range m.Sources {
			s := &m.Sources[i]
			fmt.Fprintf(table, "source\t%s\t%s\t%s → %s\n", s.ID, s.Kind, load(s), s.To)
		}
		for _, q := range m.Queues {
			fmt.Fprintf(table, "queue\t%s\t%s\t%s\n", q.ID, or(string(q.Discipline), string(core.FIFO)), capacity(q))
		}
		for _, p := range m.Pools {
			fmt.Fprintf(table, "pool\t%s\t%s\t%s\n", p.ID, or(string(p.Kind), string(core.FixedPool)), threads(p))
		}
		for _, s := range m.Sinks {
			fmt.Fprintf(table, "sink\t%s\t\t\n", s.ID)
		}
		fmt.Fprintln(table)
	}
	if all || tier == 2 || onlyGraph {
		for i := range graphs {
			fmt.Fprintf(table, "TIER 2: CALL GRAPH %s\tENTRY %s\t\t\n", graphs[i].ID, graphs[i].Entry)
			for j := range graphs[i].Fragments {
				f := &graphs[i].Fragments[j]
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.Class, f.ID, summary(f), next(&graphs[i], f))
			}
			fmt.Fprintln(table)
		}
	}
	if all || tier == 3 {
		fmt.Fprintln(table, "TIER 3: RESOURCES\t\t\t")
		fmt.Fprintf(table, "cpu\t%d cores\t%s\t\n", m.CPU.Cores, or(string(m.CPU.Policy), string(core.EEVDF)))
		for _, d := range m.Disks {
			fmt.Fprintf(table, "disk\t%s\t%s\tdepth %d%s\n", d.ID, or(string(d.Order), string(core.DiskFIFO)), max(d.Depth, 1), waysOf(&d))
		}
		for _, l := range m.Locks {
			fmt.Fprintf(table, "lock\t%s\t%s\t%s\n", l.ID, l.Kind, l.Origin.Function)
		}
		for _, b := range m.Background {
			if len(b.Stages) > 0 {
				fmt.Fprintf(table, "background\t%s\t%s\tcomputing takes %.3g times as long at first\n", b.ID, quantity.Format(b.Work(), "s"), 1+b.Stages[0].Slowdown)
				continue
			}
			fmt.Fprintf(table, "background\t%s\tevery %s\t\n", b.ID, b.Trigger)
		}
	}
	return table.Flush()
}

// waysOf says how a disk begins and how it tells that requests are complete, where it does so
// in a way of its own.
func waysOf(d *core.Disk) string {
	text := ""
	for _, t := range []struct {
		name    string
		seconds float64
	}{{"setup", d.Setup}, {"asleep", d.Sleep.Wake}, {"latency", d.Latency}} {
		if t.seconds > 0 {
			text += ", " + t.name + " " + quantity.Format(t.seconds, "s")
		}
	}
	if d.Delivery == core.DeliverIdle {
		text += ", complete together"
	}
	return text
}
