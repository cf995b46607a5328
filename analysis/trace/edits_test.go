package trace

import (
	"slices"
	"testing"
)

// A thread's function calls parse, which calls lex; lex was edited, hash is new, and print does what it did.
func TestAnEditIsFoundBelowTheFunctionThatExecutesIt(t *testing.T) {
	t.Parallel()
	before := &Facts{Code: []Function{{Name: "worker", Code: "1", Calls: []int{1, 3}}, {Name: "parse", Code: "2", Calls: []int{2}}, {Name: "lex", Code: "3", Calls: []int{1}}, {Name: "print", Code: "4"}}}
	after := &Facts{Code: []Function{{Name: "hash", Code: "9"}, {Name: "worker", Code: "1", Calls: []int{2, 4}}, {Name: "parse", Code: "2", Calls: []int{3, 0}}, {Name: "lex", Code: "33", Calls: []int{2}}, {Name: "print", Code: "4"}}}
	edited := Edited(before, after)
	for function, want := range map[string][]string{"worker": {"lex", "hash"}, "lex": {"lex", "hash"}, "print": nil, "elsewhere": nil} {
		if got := edited(function); !slices.Equal(got, want) {
			t.Errorf("below %s %q were edited, want %q", function, got, want)
		}
	}
	if Edited(before, &Facts{}) != nil || Edited(nil, after) != nil {
		t.Error("edits are told of a program whose code nobody read")
	}
}
