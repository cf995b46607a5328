package scan

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// A lock or channel is called what the text calls it: a variable, or a field with its type.
// What a function returned, a literal, and fields that are set by their order have no name.
func TestLocksAndChannelsAreCalledWhatTheTextCallsThem(t *testing.T) {
	t.Parallel()
	dir := "testdata/names"
	var got []string
	for _, s := range facts(t, dir).Sites {
		if s.Op == trace.OpMake.String() && s.Kind != "channel" { // locks have no constructor
			continue
		}
		if w := fmt.Sprintf("%d %s %s", s.Frame.Line, s.Op, cmp.Or(s.Name, "-")); !slices.Contains(got, w) {
			got = append(got, w)
		}
	}
	slices.Sort(got)
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("the scan says\n%q\nand the text\n%q", got, want)
	}
}
