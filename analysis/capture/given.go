package capture

import (
	"fmt"
	"maps"
	"os"
	"strings"

	"tierscope/analysis/regress"
)

// What a program is given are variables, too (Wu et al. 2010, §2.1: "obtained from files or command line arguments"): a program that
// reads its input to the end has no variable that says how much there will be.

// given are the numbers that vary among the inputs, and the sizes of the files that the program was given.
func (in Input) given(sizes map[string]float64) map[string]float64 {
	out := maps.Clone(sizes)
	if out == nil {
		out = map[string]float64{}
	}
	for name, value := range in.Given {
		out[givenName(name)] = value
	}
	return out
}

// givenName is the name of a variable that the program is given; the number of threads has another.
func givenName(name string) string {
	if name = strings.TrimLeft(name, "-"); name == regress.Threads {
		return "input " + name
	}
	return name
}

// sizes are those of the files that the program is given, in bytes, by the places of their names.
func (in Input) sizes() map[string]float64 {
	out := map[string]float64{}
	size := func(name, file string) {
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() {
			out[name] = float64(st.Size())
		}
	}
	for i, a := range in.Args {
		size(fmt.Sprintf("size of argument %d", i+1), a)
	}
	if in.Stdin != "" {
		size("size of standard input", in.Stdin)
	}
	return out
}
