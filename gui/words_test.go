package gui

import (
	"path/filepath"
	"regexp"
	"strings"

	"tierscope/gui/probe"
)

// chance is what windows say differently at different times, and which of several runs is there first.
var chance = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|took [^·]+|run [0-9a-f]{8}|^select \d+ .*`)

// words are the texts that a window shows.
func words(w *Window) []string {
	var out []string
	for _, b := range probe.Boxes(w.Window) {
		out = append(out, strings.ReplaceAll(chance.ReplaceAllString(b.Kind+" "+b.Name, ""), filepath.Dir(w.Session.Path()), ""))
	}
	return out
}
