package native

import (
	"slices"
	"strings"
)

// option notes options that the program tells getopt(3) of and that take a value, as they are given: a name, -w/--workers with the letter
// that means the same, or the letters that a colon follows, but not those of the value that ends the others, -W.
func (d *decoder) option(of string, letter int64) {
	all := &d.trace.Options
	of = strings.TrimLeft(of, "+-:") // how it takes them
	if of == "" {
		return
	}
	if letter >= 0 {
		short, long := "-"+string(rune(letter)), "--"+of
		if i := slices.Index(*all, short); i >= 0 {
			(*all)[i] = short + "/" + long
		} else {
			*all = append(*all, long)
		}
		return
	}
	for i := range len(of) - 1 {
		if of[i] != ':' && of[i+1] == ':' && !strings.HasPrefix(of[i:], "W;") {
			*all = append(*all, "-"+of[i:i+1])
		}
	}
}
