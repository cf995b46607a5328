package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"tierscope/analysis/diskio"
	"tierscope/core/quantity"
	"tierscope/measure/table"
)

// span is a median with its interval of about 96 % over the rounds.
type span struct{ median, lo, hi float64 }

func over(rounds []float64) span {
	if len(rounds) == 0 {
		return span{math.NaN(), math.NaN(), math.NaN()}
	}
	var s span
	s.median, s.lo, s.hi, _ = table.MedianInterval(rounds)
	return s
}

func (s span) in(unit string) string { return quantity.Interval(s.median, s.lo, s.hi, unit) }

// miss is how far a prediction is from what was measured, with its interval.
func (s span) miss(predicted float64) span {
	return span{predicted/s.median - 1, predicted/s.hi - 1, predicted/s.lo - 1}
}

func (s span) percent() string {
	return fmt.Sprintf("%+.1f [%+.0f, %+.0f] %%", 100*s.median, 100*s.lo, 100*s.hi)
}

// inside and outside report whether the whole of an interval around 0 is.
func (s span) inside(within float64) bool  { return -within <= s.lo && s.hi <= within }
func (s span) outside(within float64) bool { return s.hi < -within || s.lo > within }

// steadiness is how fast the load learnt from was throughout a trial.
type steadiness struct {
	rounds, from, agree int     // rounds; threads; rounds within the limit of the median
	median, least, most float64 // reads per second
	within              float64
}

func steady(from int, base []float64, within float64) steadiness {
	all := slices.Sorted(slices.Values(base))
	s := steadiness{rounds: len(all), from: from, within: within}
	if len(all) == 0 {
		return s
	}
	s.least, s.median, s.most = all[0], over(all).median, all[len(all)-1]
	for _, x := range all {
		if math.Abs(x/s.median-1) <= within {
			s.agree++
		}
	}
	return s
}

// held reports whether it was one disk that the model was learnt from and compared with. One
// round may have met a time in which the machine stood still, as for the intervals.
func (s steadiness) held() bool { return s.rounds > 0 && s.agree >= s.rounds-1 }

func (s steadiness) String() string {
	x := func(v float64) string { return quantity.Format(v, "1/s") }
	return fmt.Sprintf("%d threads read in between in %d rounds, %d of them within ±%.3g %% of %s, all between %s and %s",
		s.from, s.rounds, s.agree, 100*s.within, x(s.median), x(s.least), x(s.most))
}

// outcome is what a trial says about predictions.
type outcome struct {
	steadiness
	inside, outside []string // threads whose predictions are, R and X
	undecided       []string
}

// judgeTrial says which predictions are within a share of what was measured, intervals included, and
// whether it was one disk: base is the reads per second of the load learnt from in every round.
func judgeTrial(from int, base []float64, rows []prediction, within float64) outcome {
	o := outcome{steadiness: steady(from, base, within)}
	for i := range rows {
		p := &rows[i]
		x, r := p.X.miss(p.simulatedX), p.R.miss(p.simulatedR)
		name := fmt.Sprint(p.threads)
		switch {
		case x.inside(within) && r.inside(within):
			o.inside = append(o.inside, name)
		case x.outside(within) || r.outside(within):
			o.outside = append(o.outside, name)
		default:
			o.undecided = append(o.undecided, name)
		}
	}
	return o
}

// sentence says it in words. A disk that changed meanwhile is no measure of a model.
func (o outcome) sentence() string {
	limit := fmt.Sprintf("±%.3g %%", 100*o.within)
	if !o.held() {
		return fmt.Sprintf("UNDECIDED: the disk did not stay as it was: %s. The load that was learnt from and those that are compared are not of one disk. "+
			"Repeat it when nothing else uses disk or host, with --warm if a cache below the disk fills, or with more --seconds if these are few reads; the ratios above have what all loads share divided out.",
			o.steadiness)
	}
	text := fmt.Sprintf("The disk held still: %s.", o.steadiness)
	list := func(what string, threads []string) string {
		if len(threads) == 0 {
			return ""
		}
		return fmt.Sprintf(" %s %s for %s threads.", what, limit, strings.Join(threads, ", "))
	}
	switch {
	case len(o.outside) > 0:
		text = "NO. " + text
	case len(o.undecided) > 0:
		text = "UNDECIDED. " + text
	default:
		text = "YES. " + text
	}
	return text + list("IOPS and R are predicted within", o.inside) + list("They are beyond", o.outside) + list("The intervals reach across", o.undecided)
}

func (o outcome) exit() error {
	var v verdicts
	v.add(o.held() && len(o.outside) > 0, !o.held() || len(o.undecided) > 0)
	return v.exit()
}

// printRatios prints every loop against the load learnt from just before and after it, measured and predicted.
func printRatios(w *tabwriter.Writer, trial *diskio.Trial, rows []prediction, base float64) {
	fmt.Fprintf(w, "THREADS\tIOPS / IOPS OF %d JUST BEFORE AND AFTER\tPREDICTED\tε\t\n", trial.Plain.Threads)
	for i := range rows {
		p := &rows[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t\n", p.threads, p.beside.in(""), quantity.Format(p.simulatedX/base, ""), p.beside.miss(p.simulatedX/base).percent())
	}
}
