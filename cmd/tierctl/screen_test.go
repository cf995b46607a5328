package main

import "testing"

// A terminal obeys escape sequences (ECMA-48), C1 controls, and marks of direction; a
// name in a model must not write to it.
func TestATerminalObeysNoNameInAModel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tb\n":               "a\tb\n",
		rewrite + "1 of 2":     rewrite + "1 of 2",
		"\x1b]0;owned\a":       `\u001b]0;owned\u0007`,
		"\x1b[2Jgone":          `\u001b[2Jgone`,
		"\u009b31mred":         `\u009b31mred`,
		"safe\u202egnp.exe":    `safe\u202egnp.exe`,
		"50 µs ≤ R, naïve 日本語": "50 µs ≤ R, naïve 日本語",
		"line\rover":           `line\u000dover`,
	} {
		if got := visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
