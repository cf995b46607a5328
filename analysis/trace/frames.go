package trace

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"tierscope/core"
)

// ShortPlace is function and line as names show them. The line is in the text, and so is the function: a
// compiler's "func2" changes its number with every literal that is written above it.
func ShortPlace(f Frame) string {
	function, _ := Enclosing(f.Function)
	return fmt.Sprintf("%s:%d", ShortFunction(function), f.Line)
}

// Place is "function:line".
func Place(f Frame) string { return fmt.Sprintf("%s:%d", f.Function, f.Line) }

// Spot is the place of an operation, told apart from others of its line.
func Spot(f Frame) string { return fmt.Sprintf("%s@%d", Place(f), f.At) }

// ShortFunction returns the function without package path and, for package
// main, without "main."; of a method value of Go ("(*pool).work-fm") the method.
func ShortFunction(f string) string {
	f = strings.TrimSuffix(f[strings.LastIndexByte(f, '/')+1:], "-fm")
	if s := strings.TrimPrefix(f, "main."); s != "" {
		f = s
	}
	return f
}

// compilers are the names that compilers give to functions that have none in the text, and
// the function of the text that they stand in.
var compilers = []struct {
	name *regexp.Regexp
	in   string
}{
	{regexp.MustCompile(`^(.*?)(?:::\{lambda\([^{}]*\)#\d+\}|::\$_\d+)+(?:::operator\(\))?$`), "$1"}, // g++, clang++
	{regexp.MustCompile(`^(.*?)(?:::\{\{?closure(?:#\d+)?\}\}?)+$`), "$1"},                           // rustc
	{regexp.MustCompile(`^(.*)\._omp_fn\.\d+$`), "$1"},                                               // gcc, OpenMP
	{regexp.MustCompile(`^(.*?)(?:\.(?:func|gowrap|deferwrap)\d+|-range\d+|\.\d+)+$`), "$1"},         // Go
	{regexp.MustCompile(`^(.*)\.lambda\$(\w+)\$\d+$`), "$1.$2"},                                      // javac
}

// Closure is a function without a name of which nobody knows in which one it stands.
const Closure = "{{closure}}"

// Enclosing returns the function of the text that a function stands in which has no name
// there, such as main.main for main.main.func2; f itself and false if it has one.
func Enclosing(f string) (function string, unnamed bool) {
	for _, c := range compilers {
		if c.name.MatchString(f) {
			return c.name.ReplaceAllString(f, c.in), true
		}
	}
	return f, false
}

// InnermostFrame is the call of the operation; the zero value of a site without calls.
func InnermostFrame(s Site) Frame {
	if len(s.Frames) == 0 {
		return Frame{}
	}
	return s.Frames[0]
}

// PlaceOf is the place that an element of a model stems from.
func PlaceOf(o core.Origin) Frame { return Frame{Function: o.Function, File: o.File, Line: o.Line} }

// FramesAt returns the calls that led to a site, the innermost first; none if it
// is not known.
func FramesAt(sites []Site, site int32) []Frame {
	if site < 0 || int(site) >= len(sites) {
		return nil
	}
	return sites[site].Frames
}

// UserFrame is the innermost frame outside the standard library, or the
// innermost one of all.
func UserFrame(frames []Frame) Frame {
	for _, f := range frames {
		if !f.Std {
			return f
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return Frame{}
}

// SamePlace compares places of two front ends' making: by line and file name,
// as one may know the full path and the other not.
func SamePlace(a, b Frame) bool {
	return a.Line == b.Line && a.Line > 0 && path.Base(a.File) == path.Base(b.File)
}

// SameText reports whether two places stand in one function of the text.
func SameText(a, b Frame) bool {
	f, _ := Enclosing(a.Function)
	g, _ := Enclosing(b.Function)
	return f == g
}
