package session

import (
	"context"
	"slices"

	"tierscope/gui/background"
	"tierscope/gui/recipe"
	"tierscope/project"
)

// Charts returns the chart recipes that are pinned to the report.
func (s *Session) Charts() []recipe.Recipe { return s.charts }

// Pin keeps a chart for the report; one of the same name is replaced.
func (s *Session) Pin(r recipe.Recipe) {
	s.charts = append(slices.DeleteFunc(s.charts, func(c recipe.Recipe) bool { return c.Name() == r.Name() }), r)
	s.keepChart(r, recipe.SaveChart, "The chart is pinned, but could not be kept in the project.")
}

// Unpin takes a chart out of the report.
func (s *Session) Unpin(r recipe.Recipe) {
	s.charts = slices.DeleteFunc(s.charts, func(c recipe.Recipe) bool { return c.Name() == r.Name() })
	s.keepChart(r, recipe.RemoveChart, "The chart is unpinned, but could not be removed from the project.")
}

// keepChart changes the project's charts in the background.
func (s *Session) keepChart(r recipe.Recipe, change func(*project.Project, recipe.Recipe) error, trouble string) {
	p := s.project
	if p == nil {
		return // a model alone: the chart lives as long as the window
	}
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, change(p, r)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(Failure(trouble, err))
		}
	})
}
