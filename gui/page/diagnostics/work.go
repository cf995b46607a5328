package diagnostics

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tierscope/gui/background"
	"tierscope/project/work"
	"tierscope/simulation/experiment"
)

// showWork shows how far campaigns and sweeps of this user are, whoever started them.
func (p *Page) showWork() {
	background.Start(p.host.Session.Runner, func(context.Context, func(struct{})) ([]work.Work, error) { return work.All() }, nil,
		func(all []work.Work, err error) { p.work.SetText(standing(all, err, time.Now())) })
}

// standing is what tierctl status prints, in sentences.
func standing(all []work.Work, err error, now time.Time) string {
	var lines []string
	for i := range all {
		w := &all[i]
		line := fmt.Sprintf("%s: %s", w.State, w.Far())
		if left := w.Left(now); left > 0 {
			line += ", about " + experiment.Roughly(left) + " to go"
		}
		if w.Problem != "" {
			line += " (" + w.Problem + ")"
		}
		lines = append(lines, fmt.Sprintf("%s: tierctl %s, in %s", line, strings.Join(w.Args, " "), w.Dir))
	}
	if err != nil {
		lines = append(lines, err.Error())
	}
	if len(lines) == 0 {
		return "None."
	}
	return strings.Join(lines, "\n")
}
