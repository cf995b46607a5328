package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// screen is a terminal that shows text as it is: names come from files and programs of
// others, and a terminal obeys what is in them.
type screen struct{ *os.File }

// output is standard output, which remembers that something could not be written: help and
// tables are printed without a look at that.
type output struct {
	*os.File
	failed error
}

// Write writes, and remembers the first error.
func (o *output) Write(text []byte) (int, error) {
	n, err := o.File.Write(text)
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// onScreen is w, made safe if it is a terminal. Files and pipes get every byte.
func onScreen(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		return screen{f}
	}
	if o, ok := w.(*output); ok && isTerminal(o.File) {
		return screen{o.File}
	}
	return w
}

// Write writes what visible makes of a text.
func (s screen) Write(text []byte) (int, error) {
	if _, err := s.File.WriteString(visible(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// rewrite is the one control sequence of ours: to the start of the line, and clear it.
const rewrite = "\r\033[K"

// visible is a text with escapes in the place of what a terminal would obey, and of marks
// that turn the direction of writing (Unicode TR 36, §2.5). Lines, tabs and our own
// sequence stay.
func visible(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, rewrite); ok {
			b.WriteString(rewrite)
			text = rest
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1: // part of a letter, or no text
			b.WriteByte(text[0])
		case r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
		text = text[n:]
	}
	return b.String()
}
