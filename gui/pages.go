package gui

import (
	"cmp"
	"runtime"

	"fyne.io/fyne/v2/theme"

	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/page/analyse"
	"tierscope/gui/page/diagnostics"
	"tierscope/gui/page/difference"
	"tierscope/gui/page/disk"
	"tierscope/gui/page/experiments"
	"tierscope/gui/page/explain"
	"tierscope/gui/page/help"
	"tierscope/gui/page/inputs"
	"tierscope/gui/page/ledger"
	"tierscope/gui/page/model"
	"tierscope/gui/page/optimise"
	"tierscope/gui/page/predictability"
	"tierscope/gui/page/prolongation"
	"tierscope/gui/page/regression"
	"tierscope/gui/page/results"
	"tierscope/gui/page/scenarios"
	"tierscope/gui/page/settings"
	"tierscope/gui/page/start"
	"tierscope/gui/page/tell"
	"tierscope/gui/page/timeline"
	"tierscope/gui/page/validate"
	"tierscope/gui/page/walks"
)

// Pages are all pages of the window, in the order of the rail; the first is
// where the window starts. open asks for a project.
func Pages(o Options, open func()) []page.Entry {
	return []page.Entry{
		{ID: start.ID, Title: "Home", Icon: theme.HomeIcon(), Hint: "samples, recent projects",
			New: func(h *page.Host) page.Page { return start.New(h, o.Samples, open) }},
		{ID: "analyse", Title: "Analyse", Group: page.Build, Icon: theme.ComputerIcon(), Hint: "make a model of a program",
			New: analyse.Keep(o.Target, "tierscope "+o.Version)},
		{ID: model.ID, Title: "Model", Group: page.Build, Icon: look.NetworkIcon.Resource(), Hint: "the three tiers of the model", New: model.New},
		{ID: scenarios.ID, Title: "Scenarios", Group: page.Ask, Icon: look.KnobsIcon.Resource(), Hint: "what if …", New: scenarios.New},
		{ID: "experiments", Title: "Experiments", Group: page.Ask, Icon: look.CellsIcon.Resource(), Hint: "sweeps over many configurations", New: experiments.New},
		{ID: "explain", Title: "Explain", Group: page.Ask, Icon: look.FunnelIcon.Resource(), Hint: "the bottleneck, with proof", New: explain.New},
		{ID: timeline.ID, Title: "Timeline", Group: page.Ask, Icon: look.LanesIcon.Resource(), Hint: "what every simulated thread does", New: timeline.New},
		{ID: disk.ID, Title: "Disk", Group: page.Ask, Icon: look.DiskIcon.Resource(), Hint: "service law, queue and cache hits", New: disk.New},
		{ID: "validate", Title: "Validate", Group: page.Judge, Icon: theme.ConfirmIcon(), Hint: "predicted against measured", New: validate.New},
		{ID: "results", Title: "Compare", Group: page.Judge, Icon: look.BarsIcon.Resource(), Hint: "results of all runs", New: results.New},
		{ID: optimise.ID, Title: "Optimise", Group: page.Judge, Icon: look.PeakIcon.Resource(), Hint: "the best configuration under limits", New: optimise.New},
		{ID: ledger.ID, Title: "Ledger", Group: page.Judge, Icon: theme.ListIcon(), Hint: "every run ever made", New: ledger.New},
		{ID: difference.ID, Title: "Builds", Group: page.Special, Icon: look.ChangesIcon.Resource(), Hint: "what changed between two builds, and what it costs", New: difference.New},
		{ID: prolongation.ID, Title: "Prolongation", Group: page.Special, Icon: look.DelayIcon.Resource(), Hint: "hidden dependencies between modules", New: prolongation.New},
		{ID: predictability.ID, Title: "Predictability", Group: page.Special, Icon: look.BetweenIcon.Resource(), Hint: "problem sizes whose time can be predicted", New: predictability.New},
		{ID: regression.ID, Title: "Regression", Group: page.Special, Icon: look.TrendIcon.Resource(), Hint: "behaviour of threads for other inputs", New: regression.New},
		{ID: inputs.ID, Title: "Inputs", Group: page.Special, Icon: look.InputIcon.Resource(), Hint: "the time for other inputs", New: inputs.New},
		{ID: walks.ID, Title: "Walks", Group: page.Special, Icon: look.StepsIcon.Resource(), Hint: "what each recorded thread did, move by move", New: walks.New},
		{ID: "report", Title: "Report", Group: page.Tell, Icon: theme.DocumentIcon(), Hint: "everything in one HTML file",
			New: func(h *page.Host) page.Page { return tell.New(h, o.Version) }},
		{ID: settings.ID, Title: "Settings", Group: page.More, Icon: theme.SettingsIcon(), Hint: "theme, scale, colours, wheel, keys, replications, precision, seed",
			New: func(h *page.Host) page.Page { return settings.New(h, cmp.Or(o.Cores, runtime.GOMAXPROCS(0)), o.Keys) }},
		{ID: help.ID, Title: "Help", Group: page.More, Icon: theme.HelpIcon(), Hint: "words and symbols", New: help.New},
		{ID: diagnostics.ID, Title: "Diagnostics", Group: page.Special, Icon: theme.InfoIcon(), Hint: "versions, self-test, report a problem",
			New: func(h *page.Host) page.Page { return diagnostics.New(h, o.Version) }},
	}
}
