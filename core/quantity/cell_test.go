package quantity

import "testing"

// What a spreadsheet would compute is text there; numbers stay numbers; and we read what
// we wrote.
func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "@SUM(A1)": "'@SUM(A1)", "-workers": "'-workers", "+1+2": "'+1+2",
		"+2|A1": "'+2|A1", "+3.0 %": "+3.0 %", "-1.5": "-1.5", "+Inf": "+Inf", "-3e-9": "-3e-9", "": "", "workers": "workers", "'quoted'": "'quoted'", "1=2": "1=2",
	} {
		got := Cells([]string{text})[0]
		if got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
		if back := Uncell(got); back != text {
			t.Errorf("%q is read back as %q", text, back)
		}
	}
}
