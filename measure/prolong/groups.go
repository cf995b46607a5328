package prolong

import (
	"slices"
	"strings"
)

// setKey names a set of at least two modules, "" for fewer.
func setKey(group []string, keep func(string) bool) string {
	kept := slices.DeleteFunc(slices.Clone(group), func(m string) bool { return !keep(m) })
	if len(kept) < 2 {
		return ""
	}
	slices.Sort(kept)
	return strings.Join(kept, "\x00")
}
