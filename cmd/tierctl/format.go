package main

import (
	"fmt"
	"slices"
	"strings"
)

// checkFormat returns an error unless the text of --format is one of the formats.
func checkFormat(text string, formats ...string) error {
	if slices.Contains(formats, text) {
		return nil
	}
	last := len(formats) - 1
	if last == 0 {
		return exit(exitUsage, fmt.Errorf("--format %q: give %s", text, formats[0]))
	}
	return exit(exitUsage, fmt.Errorf("--format %q: give %s or %s", text, strings.Join(formats[:last], ", "), formats[last]))
}
