package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/analysis/journal"
	"tierscope/analysis/predictability"
	"tierscope/core/quantity"
)

func newBalance(t *terminal) *cobra.Command {
	var platforms, from []string
	var format string
	p := predictability.BalancePlan{Plan: predictability.Plan{Runtime: predictability.Java}}
	cmd := &cobra.Command{
		Use:   "balance --from STUDY=GHZ … | --platform NAME=GHZ[,FACTOR[,OPTIONS]] … -- java OPTIONS MAIN ARGS WITH {n}",
		Short: "Balance jobs over machines: by the calibrated model, by clock frequency, by the true times",
		Long: `Balance emulates platforms on this machine: a platform takes FACTOR times as long as this machine,
and may run the JVM with other options (an old JVM: -XX:TieredStopAtLevel=1). It calibrates each at small
sizes, measures the true times of larger ones, and assigns random sets of jobs, longest first, each to
where it would end first. It prints the utilization Σ s_k/(m·s_max) of Zhang et al., also with jobs
assigned as they come, and with calibrations at other sizes (their figure 4).

With --from the platforms are other machines: each STUDY is the --out of "tierctl predictability java" or
go on one of them, best with --check, whose larger sizes are the true times.`,
		Example: `  tierctl predictability balance --from server.json=2.6 --from laptop.json=1.8 --jobs-from 400 --jobs-to 800
  tierctl predictability balance --platform opteron=1.6,1 --platform athlon=0.8,2 \
      --platform pentium=1.86,0.86,-XX:TieredStopAtLevel=1 --jobs-from 400 --jobs-to 800 -- java -cp classes BoxedLu {n}`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(from) == 0 && len(args) < 2 {
				return exit(exitUsage, errors.New("which program? Give its command behind --, or studies of other machines with --from"))
			}
			for _, text := range from {
				path, clock, ok := cutLast(text, "=")
				ghz, err := strconv.ParseFloat(clock, 64)
				if !ok || err != nil || !(ghz > 0) {
					return exit(exitUsage, fmt.Errorf("--from %q: want STUDY=GHZ, such as laptop.json=1.8", text))
				}
				study, err := readStudy(path)
				if err != nil {
					return exit(exitInput, err)
				}
				p.Studies = append(p.Studies, study)
				p.Platforms = append(p.Platforms, predictability.Platform{Name: path, Frequency: ghz, Factor: 1})
			}
			if len(from) > 0 && len(platforms) > 0 {
				return exit(exitUsage, errors.New("--from and --platform: platforms are measured elsewhere or emulated here, not both"))
			}
			for _, text := range platforms {
				platform, err := parsePlatform(text)
				if err != nil {
					return exit(exitUsage, err)
				}
				p.Platforms = append(p.Platforms, platform)
			}
			if p.From < 1 || p.To <= p.From {
				return exit(exitUsage, fmt.Errorf("--jobs-from %d --jobs-to %d: give sizes, the second larger", p.From, p.To))
			}
			p.Plan.Command = args
			p.Plan.Report = func(p journal.Progress) { fmt.Fprintln(t.err, p.Fact) }
			b, err := predictability.FindBalance(cmd.Context(), p)
			if err != nil {
				return exit(exitInput, err)
			}
			if format == "json" {
				return printJSON(t.out, b)
			}
			for i, platform := range b.Platforms {
				fmt.Fprintf(t.out, "%s: %.3g × (%.3g + %s) s, misses times by %s\n", platform.Name, platform.Factor, b.Fixed[i], b.Costs[i], quantity.Share(b.Errors[i]))
			}
			kind := "EMULATED platforms"
			if len(from) > 0 {
				kind = "machines"
			}
			fmt.Fprintf(t.out, "%d sets of %d jobs of sizes %d to %d on %d %s; mean utilization Σ s_k/(m·s_max):\n", b.Sets, b.Jobs, b.From, b.To, len(b.Platforms), kind)
			fmt.Fprintf(t.out, "  by clock frequency   %.3f\n  by calibrated model  %.3f (5…95 %%: %.3f…%.3f; it misses times by %s on average)\n  … as jobs come       %.3f (the shortest queue, as in the paper)\n  by the true times    %.3f\n",
				b.Frequency, b.Model, b.Lower, b.Upper, quantity.Share(b.Error), b.InOrder, b.Perfect)
			if b.Predicted {
				fmt.Fprintln(t.out, "warning: a study has no larger sizes that were checked (--check): its predictions are taken for the true times")
			}
			if len(b.Calibrations) > 0 {
				fmt.Fprintln(t.out, "calibrated from size  utilization predicted  actual")
			}
			for _, c := range b.Calibrations {
				fmt.Fprintf(t.out, "  %-20d%-23.3f%.3f\n", c.From, c.Predicted, c.Actual)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&from, "from", nil, "study of another machine with its clock frequency: `STUDY=GHZ`; repeatable")
	flags.StringArrayVar(&platforms, "platform", nil, "`NAME=GHZ[,FACTOR[,OPTIONS]]`, repeatable")
	flags.IntVar(&p.From, "jobs-from", 0, "smallest size of a job")
	flags.IntVar(&p.To, "jobs-to", 0, "largest size of a job")
	flags.IntVar(&p.Jobs, "jobs", 30, "jobs of a set")
	flags.IntVar(&p.Sets, "sets", 300, "random sets")
	flags.IntVar(&p.Plan.Repeats, "repeats", 5, "runs of each size")
	flags.Uint64Var(&p.Seed, "seed", 0, "of the sizes of the jobs")
	flags.StringVar(&format, "format", "table", "table or json")
	return cmd
}

// cutLast cuts at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// parsePlatform reads NAME=GHZ[,FACTOR[,OPTIONS]].
func parsePlatform(text string) (predictability.Platform, error) {
	name, rest, ok := strings.Cut(text, "=")
	parts := strings.SplitN(rest, ",", 3)
	p := predictability.Platform{Name: name, Factor: 1}
	var err error
	if p.Frequency, err = strconv.ParseFloat(parts[0], 64); err != nil || !ok || !(p.Frequency > 0) {
		return p, fmt.Errorf("--platform %q: want NAME=GHZ[,FACTOR[,OPTIONS]], such as athlon=0.8,2", text)
	}
	if len(parts) > 1 {
		if p.Factor, err = strconv.ParseFloat(parts[1], 64); err != nil || !(p.Factor > 0) {
			return p, fmt.Errorf("--platform %q: the factor %q is not a number above 0", text, parts[1])
		}
	}
	if len(parts) > 2 {
		p.Options = strings.Fields(parts[2])
	}
	return p, nil
}
