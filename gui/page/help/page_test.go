package help

import (
	"testing"

	"tierscope/gui/page/pagetest"
)

func TestTypingFindsWordsSymbolsAndExplanations(t *testing.T) {
	_, p := pagetest.Open[*Page](t, New)
	if got := len(p.list.Objects); got != len(glossary) {
		t.Errorf("%d terms are shown, want all %d", got, len(glossary))
	}
	for text, word := range map[string]string{"PCG": "probabilistic call graph", "climbs steeply": "saturation, knee", "ε": "prediction error"} {
		p.find.SetText(text)
		if len(p.list.Objects) == len(glossary) || !pagetest.Says(p.list, word) {
			t.Errorf("%q does not find %q", text, word)
		}
	}
	p.find.SetText("xyzzy")
	if !pagetest.Says(p.list, "No word of the glossary contains this.") {
		t.Error("a search without hits shows nothing")
	}
	p.find.SetText("")
	if got := len(p.list.Objects); got != len(glossary) {
		t.Errorf("after clearing the field %d terms are shown, want all", got)
	}
}
