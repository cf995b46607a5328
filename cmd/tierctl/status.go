package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/journal"
	"tierscope/project/work"
	"tierscope/simulation/experiment"
)

func newStatus(t *terminal) *cobra.Command {
	var format string
	var resume bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say how far campaigns, sweeps and studies are, and what they wait for",
		Long: `Status lists what takes long: the measurements, sweeps, captures and studies of this user, from any
terminal, those that run and those that were interrupted, with the command that goes on from there.

A campaign may be left alone: with --background it outlives its terminal; a disk that is full
is waited for; and after a restart of the machine "tierctl status --resume" goes on with what was
running then, such as from a line "@reboot tierctl status --resume" of crontab(5).`,
		Example: `  tierctl measure --background --model shop.tier --grid workers=1..16 --repeats 20
  tierctl status
  tierctl status --resume`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			all, broken := work.All()
			if broken != nil {
				fmt.Fprintln(t.err, "warning:", broken)
			}
			if resume {
				return resumeAll(t, all)
			}
			if format == "json" {
				if all == nil {
					all = []work.Work{}
				}
				return printJSON(t.out, all)
			}
			return printWork(t, all, time.Now())
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().BoolVar(&resume, "resume", false, "start again, in the background, what was killed or ended with the machine; not what you have interrupted")
	return cmd
}

// resumeAll starts what was stopped by nobody's wish.
func resumeAll(t *terminal, all []work.Work) error {
	var errs []error
	for _, w := range all {
		if !w.Killed() {
			continue
		}
		pid, messages, err := w.Start()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(t.out, "process %d goes on with: %s; its messages: %s\n", pid, typing(&w), messages)
	}
	return errors.Join(errs...)
}

func printWork(t *terminal, all []work.Work, now time.Time) error {
	if len(all) == 0 {
		fmt.Fprintln(t.err, "nothing that takes long was started, or it is over for long")
		return nil
	}
	out := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "STATE\tDONE\tTO GO\tLAST NEWS\tCOMMAND")
	for i := range all {
		w := &all[i]
		left := "–"
		if d := w.Left(now); d > 0 {
			left = "about " + experiment.Roughly(d)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", w.State, w.Far(), left, w.Updated.Local().Format("2006-01-02 15:04:05"), typing(w))
		if w.Problem != "" {
			fmt.Fprintf(out, "\t%s\n", w.Problem)
		}
	}
	return out.Flush()
}

// typing is what goes on with the work, as a shell reads it.
func typing(w *work.Work) string {
	words := []string{"tierctl"}
	for _, a := range w.Args {
		words = append(words, quoteShell(a))
	}
	return "cd " + quoteShell(w.Dir) + " && " + strings.Join(words, " ")
}

// lasting are the flags of commands that take long.
type lasting struct {
	background bool
	patience   time.Duration
	log        *work.Log
}

func (l *lasting) flags(cmd *cobra.Command) {
	l.leaving(cmd)
	cmd.Flags().DurationVar(&l.patience, "patience", 24*time.Hour, "how long to wait for room on a full disk, once something was saved")
}

func (l *lasting) leaving(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.background, "background", false, "go on without this terminal; tierctl status says how far it is")
}

// during does what takes long; who asks is told how far it is, in these units.
func (l *lasting) during(ctx context.Context, unit string, study func() error) error {
	l.log = work.Begin(unit, os.Args[1:])
	err := study()
	l.log.End(ctx, loud(err))
	return err
}

// tells returns what tells who asks, and the user in a line, how far a study is.
func (l *lasting) tells(t *terminal, line func(journal.Progress) string) func(journal.Progress) {
	return func(p journal.Progress) {
		l.log.Report(p.Done, p.Planned, p.Remaining)
		fmt.Fprintln(t.err, line(p))
	}
}

// leaves starts the command again without a terminal, if that is wanted, and reports whether it did.
func (l *lasting) leaves(t *terminal) (bool, error) {
	if !l.background {
		return false, nil
	}
	w, err := work.Here(os.Args[1:])
	if err != nil {
		return false, err
	}
	pid, messages, err := w.Start()
	if err == nil {
		fmt.Fprintf(t.out, "process %d goes on without this terminal; its messages: %s; how far it is: tierctl status\n", pid, messages)
	}
	return true, err
}

// waits returns what tells the user, and who asks, that the work pauses.
func (l *lasting) waits(t *terminal) func(why string) {
	return func(why string) {
		if why != "" {
			fmt.Fprintln(t.err, "waiting:", why)
		}
		l.log.Waits(why)
	}
}
