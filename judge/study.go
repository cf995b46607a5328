package judge

import (
	"context"
	"fmt"
	"math"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/inputs"
	"tierscope/measure/table"
)

// What of the CPU time of the checks decides against what was assumed: the model must be so far off (trust.Spread), and
// another rule nearer by so much. Convention: the CPU time of a run varies by less than a tenth between runs.
const (
	doubtful = 0.2
	nearer   = 0.05
)

// Study is calibrate.Study, and what further runs say of the model. run: they are made anew, unless nothing but Build runs.
func Study(ctx context.Context, s *stage.Study, first, last stage.Stage, run bool) (*stage.Outcome, error) {
	o, err := calibrate.Study(ctx, s, first, last)
	if err != nil || o.Model == nil {
		return o, err
	}
	if first != stage.Build {
		var likely, asked []core.Parameter // otherwise only what was kept goes, which is of another recording
		if run {
			likely, asked = o.Report.Likely, append(inputs.Doubtful(o.Model), o.Report.Silent...)
		}
		if err := inputs.Try(ctx, s, likely, asked, func(fact string) { said(s, fact) }); err != nil {
			if ctx.Err() != nil {
				return o, ctx.Err()
			}
			o.Report.Trust.Assumptions = append(o.Report.Trust.Assumptions, fmt.Sprintf("no other amounts of work were tried: %v", err))
		}
	}
	if err := offer(ctx, s, o); err != nil {
		return o, err
	}
	if run && first != stage.Build {
		err := Record(ctx, s.Dir, s.Workload, o.Model, func(fact string) { said(s, fact) })
		switch {
		case ctx.Err() != nil:
			return o, ctx.Err()
		case err != nil: // the model is there all the same
			o.Report.Trust.Unchecked(fmt.Sprintf("the program could not be run with other settings: %v", err))
			return judged(ctx, s, o, false)
		}
	}
	return judged(ctx, s, o, run && first != stage.Build)
}

// offer gives the model of an outcome the parameters that trials show.
func offer(ctx context.Context, s *stage.Study, o *stage.Outcome) error {
	tried, err := inputs.Offer(ctx, s.Dir, o.Model, o.Report)
	if err != nil || !tried {
		return err
	}
	return s.Save(o)
}

func said(s *stage.Study, fact string) {
	if s.Report != nil {
		s.Report(analysis.Progress{Stage: string(stage.Build), Fact: "check: " + fact})
	}
}

// explains reports whether a rule that is so far from the checks tells how work is shared, where the present one is so far. What has no answer for
// them is no evidence against itself: the other one has to be right then. One that is wrong is off by the ratio of numbers of threads that
// were tried, of which one is twice another at least.
func explains(theirs, present float64) bool {
	if math.IsInf(present, 1) {
		return theirs < math.Ln2/2
	}
	return theirs < present-nearer
}

// judged compares the model of an outcome with the checks of the project, and tries the other rule of
// scaling where they are far apart. run: the checks that tell most are made as well.
func judged(ctx context.Context, s *stage.Study, o *stage.Outcome, run bool) (*stage.Outcome, error) {
	tables, err := recorded(s.Dir)
	if err != nil {
		return o, err
	}
	checks, err := compare(ctx, *o.Model, tables)
	if err != nil {
		o.Report.Trust.Unchecked(err.Error())
		return o, s.Save(o)
	}
	by := *s // the rule
	if checks, err = guessed(ctx, &by, o, checks, tables); err != nil {
		return o, err
	}
	if s.Options.Scaling == trail.ScalingAuto && trust.Spread(checks) > doubtful {
		for _, rule := range []trail.Scaling{trail.ScalingWeak, trail.ScalingStrong} {
			options := by.Options
			options.Scaling = rule
			better, theirs, err := otherwise(ctx, &by, o, options, checks, tables, trust.Spread)
			if err != nil {
				return o, err
			}
			if !better {
				continue
			}
			checks = theirs
			o.Report.Trust.Assumptions = append(o.Report.Trust.Assumptions, "with another number of threads the program was seen to do "+map[trail.Scaling]string{
				trail.ScalingWeak: "as much in every thread", trail.ScalingStrong: "the same work, divided among them"}[rule])
		}
	}
	if checks, err = sized(ctx, &by, o, checks, tables, run); err != nil {
		return o, err
	}
	hold := func() error {
		err := followCPU(ctx, *o.Model, tables, checks)
		calibrate.Hold(o.Model, o.Report.Evidence, checks)
		return err
	}
	err = hold()
	for i := 0; run && i < mostAdvised; i++ {
		t, failed := further(ctx, s.Dir, s.Workload, o.Model, i, func(fact string) { said(s, fact) })
		if failed != nil || t == nil {
			break // what was checked stays
		}
		more, failed := compare(ctx, *o.Model, []*table.Table{t})
		if failed != nil {
			break
		}
		tables, checks = append(tables, t), append(checks, more...)
		err = hold()
	}
	if len(checks) > 0 {
		calibrate.AwayAsChecked(ctx, o.Model, o.Report)
	}
	if err != nil {
		o.Report.Trust.Assumptions = append(o.Report.Trust.Assumptions, fmt.Sprintf("how much the CPU time matters is not known: %v", err))
	}
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	o.Report.Trust.Check(checks, calibrate.Within(o.Model, checks))
	return o, s.Save(o)
}
