package target

import (
	"path/filepath"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/native"
)

// Guess is the front end for a program whose language nobody has named, by the file: a jar or the
// java command, an executable of this system or a script; otherwise a Go package.
func Guess(program string) string {
	switch {
	case strings.EqualFold(filepath.Ext(program), ".jar") || hotspot.Runs(program):
		return "java"
	case native.IsExecutable(program):
		return "native"
	}
	return Default
}

// Of returns the front end for a program whose language nobody has named.
func Of(program string) analysis.Target { return All()[Guess(program)] }
