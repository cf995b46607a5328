package widget

import (
	"strings"
	"testing"
)

func TestAVerdictIsOneSentenceThatOneTakesInAtAGlance(t *testing.T) {
	for _, c := range []struct{ text, head, rest string }{
		{"NO. 1 of 12 configurations within ±15 %. Worst: workers 5.", "NO. 1 of 12 configurations within ±15 %.", "Worst: workers 5."},
		{"YES, mostly. 9 of 10 configurations within ±15 %. R: mean |ε| 3.1 %.", "YES, mostly. 9 of 10 configurations within ±15 %.", "R: mean |ε| 3.1 %."},
		{"CPU limits throughput to 200 /s.", "CPU limits throughput to 200 /s.", ""},
		{"no full stop", "no full stop", ""},
		{strings.Repeat("word ", 19) + "here, " + strings.Repeat("more ", 10) + "end.", strings.Repeat("word ", 19) + "here …", strings.Repeat("more ", 10) + "end."},
	} {
		head, rest := headline(c.text)
		if head != c.head || rest != c.rest {
			t.Errorf("%q is divided into %q and %q, want %q and %q", c.text, head, rest, c.head, c.rest)
		}
		if n := len(strings.Fields(head)); n > mostWords+1 { // and the sign of an omission
			t.Errorf("%q has %d words", head, n)
		}
	}
}

// Whoever sees no colours tells them apart too.
func TestYesNoAndUnjudgedHaveDifferentMarks(t *testing.T) {
	seen := map[string]Mark{}
	for _, m := range []Mark{YesMark, PartlyMark, NoMark, UnjudgedMark} {
		name := m.sign().Name()
		_, shape, _ := strings.Cut(name, "_")
		if other, taken := seen[shape]; taken {
			t.Errorf("%s and %s have the mark %s", m, other, shape)
		}
		seen[shape] = m
	}
}
