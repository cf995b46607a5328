package settings

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/trace"
)

// A program may be told by a file that one of its arguments names: the numbers of that are settings, too.
//
//	-config app.json   {"workers": 3, "cache": {"size": 200}}    argument 2 file workers, argument 2 file cache.size
//
// It is told another number by a copy of the file, which the argument names then. What a file says of files that are beside
// it, by relative paths, a copy elsewhere does not.

// mostOfFile is how long a file of settings is at most, in bytes, and how many numbers are in it: one with more is data.
// Convention, sensitivity none.
const (
	mostOfFile  = 64 << 10
	mostNumbers = 100
)

// Files returns the numbers in the files of settings that arguments of a workload name; nil: there are none.
func Files(w trace.Workload) map[string]float64 {
	var out map[string]float64
	for i, a := range w.Args {
		_, _, text, ok := fileOf(w, a)
		if !ok {
			continue
		}
		found := numbersIn(text, filepath.Ext(a))
		if len(found) > mostNumbers {
			continue
		}
		if out == nil {
			out = map[string]float64{}
		}
		for _, n := range found {
			out[fmt.Sprintf("%s%d%s%s", argument, i+1, trace.InFile, n.key)] = n.value
		}
	}
	return out
}

// fileOf returns the file of settings that an argument names, what stands before its name, and its text.
func fileOf(w trace.Workload, a string) (before, path, text string, ok bool) {
	if parsers[filepath.Ext(a)] == nil {
		return
	}
	path = a
	if flag, value, joined := strings.Cut(a, "="); joined {
		before, path = flag+"=", value
	}
	from := path
	if !filepath.IsAbs(from) {
		from = filepath.Join(w.Dir, from)
	}
	info, err := os.Stat(from)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostOfFile {
		return
	}
	all, err := os.ReadFile(from)
	return before, path, string(all), err == nil
}

// IsInFile reports whether a setting, by its name or the template that says how it is given, is a number in a file.
func IsInFile(name string) bool { return IsArgument(name) && strings.Contains(name, trace.InFile) }

// EditFile returns the place among the arguments of the file that a setting is in, what stands before its name there, the name, and
// its text with another number; how is the template of the setting.
func EditFile(w trace.Workload, how string, value float64) (word int, before, path, text string, err error) {
	name, _, _ := strings.Cut(how, " {")
	number, key, named := strings.Cut(strings.TrimPrefix(name, argument), trace.InFile)
	n, err := strconv.Atoi(number)
	if err != nil || !named || n < 1 || n > len(w.Args) {
		return 0, "", "", "", fmt.Errorf("%q: the run has %d arguments; write, for a file that the second one names, \"argument 2 file KEY {value}\"", how, len(w.Args))
	}
	before, path, text, ok := fileOf(w, w.Args[n-1])
	if !ok {
		return 0, "", "", "", fmt.Errorf("%q: argument %d, %s, names no file of settings that can be read", how, n, w.Args[n-1])
	}
	found := numbersIn(text, filepath.Ext(path))
	i := slices.IndexFunc(found, func(x place) bool { return x.key == key })
	if i < 0 {
		return 0, "", "", "", fmt.Errorf("%s has no number %q", path, key)
	}
	return n - 1, before, path, text[:found[i].from] + strconv.FormatFloat(value, 'f', -1, 64) + text[found[i].to:], nil
}

// place is a number in a text.
type place struct {
	key      string // of the number, with those of what it is in before it: "cache.size"
	value    float64
	from, to int // in the text, in bytes
}

// numberAt adds the number that stands between two places of a text, if it is one, and what it is called is a word.
func numberAt(out []place, text, key string, from, to int) []place {
	v := number(text[from:to])
	if math.IsNaN(v) || key == "" || strings.ContainsAny(key, " \t{}") {
		return out
	}
	return append(slices.DeleteFunc(out, func(p place) bool { return p.key == key }), place{key, v, from, to})
}
