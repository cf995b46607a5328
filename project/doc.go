// Package project reads and writes project folders (name.tier): a directory of
// small JSON files that a person can read and a version control system can
// compare.
//
//	shop.tier/
//	  project.json           Manifest: name, default precision
//	  model/model.json       the three-tier model
//	  analysis/              stage outputs of the analysis, one file per stage
//	  scenarios/*.json       Scenario: named differences from the model
//	  experiments/*.json     grids, owned by simulation/experiment
//	  measured/*.csv         measurements, with map.json for their columns
//	  charts/*.json          chart recipes
//	  report.json            figures pinned to the report as they were, owned by gui/recipe
//	  names.json             what the analyst calls pools, locks and queues
//	  notes.md               the analyst's notes
//	  runs/ledger.d/         every run ever made, append-only, a file for each writer, owned by simulation/experiment
//	  view.json              state of the window, not for version control
//
// Every JSON file is a core.Format document: its version is checked, older
// ones are migrated, unknown keys are errors. Every write goes to a temporary
// file in the same directory, is synced, and then renamed, so that a crash or
// a full disk leaves the old file whole.
package project
