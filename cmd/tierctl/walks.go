package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/core/quantity"
)

func newWalks(t *terminal) *cobra.Command {
	var format, pool string
	var top int
	cmd := &cobra.Command{
		Use:   "walks MODEL",
		Short: "Show what the recorded threads did, by the shape of what they did for a task",
		Long: `walks shows what the threads of the recorded run did. The walk of a thread is cut into
episodes, from where it takes a task to where it takes the next (in a pool without tasks,
where it receives something from another thread); those that go through the same
fragments have one shape. Times are CPU times and delays, without waits for other threads.

A model has walks if it was made of a batch program's recording.`,
		Example: "  tierctl walks shop.tier\n  tierctl walks shop.tier --pool worker --top 0 --format json",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			report, err := walksOf(t.err, args[0], &m, pool, top)
			if err != nil {
				return err
			}
			if format == "json" {
				return printJSON(t.out, report)
			}
			return report.print(t.out)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().StringVar(&pool, "pool", "", "this pool only")
	cmd.Flags().IntVar(&top, "top", 10, "so many shapes of each pool, those that took the most time; 0: all")
	return cmd
}

// walksReport is what walks prints.
type walksReport struct {
	Departures []string     `json:"departures,omitempty"` // where the model was edited since
	Pools      []poolReport `json:"pools"`
}

type poolReport struct {
	Pool     string        `json:"pool"`
	Threads  int           `json:"threads"`
	Episodes int64         `json:"episodes"`
	Takes    []string      `json:"takes,omitempty"`
	Time     float64       `json:"time_s"`
	Shapes   []shapeReport `json:"shapes"`
	Others   int           `json:"other_shapes,omitempty"`
}

type shapeReport struct {
	Episodes int64         `json:"episodes"`
	CPU      float64       `json:"cpu_s"`   // of all
	Delay    float64       `json:"delay_s"` // of all
	Longest  episodeReport `json:"longest"`
	Path     []string      `json:"path"`
	says     string        // the operations of the path
}

type episodeReport struct {
	Thread int     `json:"thread"` // of the walks, in the order in which threads were started
	Move   int     `json:"move"`   // of the thread, from 0
	Task   int64   `json:"task,omitempty"`
	CPU    float64 `json:"cpu_s"`
	Delay  float64 `json:"delay_s"`
}

// walksOf reads the walks of a model; what does not hold for it any more is a warning.
func walksOf(warn io.Writer, path string, m *core.Model, pool string, top int) (*walksReport, error) {
	if len(m.Walks) == 0 {
		return nil, exit(exitNotApplicable, fmt.Errorf("%s: the model has no walks: it was not made of the recording of a batch program, or by an older version; record the program again with tierctl analyze", path))
	}
	w, err := core.UnpackWalks(m.Walks)
	if err != nil {
		return nil, exit(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	var r walksReport
	for _, d := range m.Departures(w) {
		r.Departures = append(r.Departures, d.String())
		fmt.Fprintln(warn, "warning: the model was edited since:", d)
	}
	for _, s := range m.Shapes(w) {
		if pool != "" && s.Pool != pool {
			continue
		}
		p := poolReport{Pool: s.Pool, Threads: s.Threads, Episodes: s.Episodes, Takes: s.Takes}
		for i, x := range s.Shapes {
			p.Time += inSeconds(x.Time())
			if top > 0 && i >= top {
				p.Others++
				continue
			}
			p.Shapes = append(p.Shapes, shapeReport{Episodes: x.Episodes, CPU: inSeconds(x.Busy), Delay: inSeconds(x.Away), Path: x.Path, says: x.Says(widest),
				Longest: episodeReport{x.Longest.Thread, x.Longest.First, x.Longest.Task, inSeconds(x.Longest.Busy), inSeconds(x.Longest.Away)}})
		}
		r.Pools = append(r.Pools, p)
	}
	if len(r.Pools) == 0 {
		return nil, exit(exitUsage, errors.New("--pool "+pool+": no thread of such a pool was recorded; tierctl walks without --pool lists them"))
	}
	return &r, nil
}

// inSeconds is a time in ns as files have it.
func inSeconds(ns int64) float64 { return float64(ns) * 1e-9 }

func (r *walksReport) print(w io.Writer) error {
	for i, p := range r.Pools {
		if i > 0 {
			fmt.Fprintln(w)
		}
		begins := "what each thread did"
		if len(p.Takes) > 0 {
			begins = "from " + strings.Join(p.Takes, " or ") + " to the next"
		}
		fmt.Fprintf(w, "%s: %s, %s: %s\n", p.Pool, quantity.Plural(p.Threads, "thread"), quantity.Plural(int(p.Episodes), "episode"), begins)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  EPISODES\tTIME\tMEAN\tLONGEST\tIN THREAD\tDOES")
		for _, s := range p.Shapes {
			time, share := s.CPU+s.Delay, 0.0
			if p.Time > 0 {
				share = time / p.Time
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%d, move %d\t%s\n", quantity.Count(s.Episodes), quantity.Share(share),
				quantity.Format(time/float64(s.Episodes), "s"), quantity.Format(s.Longest.CPU+s.Longest.Delay, "s"), s.Longest.Thread, s.Longest.Move, s.says)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if p.Others > 0 {
			fmt.Fprintf(w, "  and %s; --top 0 shows all\n", quantity.Plural(p.Others, "other shape"))
		}
	}
	return nil
}

// widest is how many characters of a path a table shows.
const widest = 100
