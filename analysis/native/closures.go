package native

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// closure is what compilers call a lambda of C++: gcc by its number in the function, clang by its number in the file.
var closure = regexp.MustCompile(`^(.*?)(::\{lambda\(.*?\)#\d+\}|::\$_\d+)`)

// threadBody is the lambda that a function of libstdc++ runs in a thread of std::thread or std::async:
//
//	std::thread::_State_impl<std::thread::_Invoker<std::tuple<work(int)::{lambda()#1}> > >::_M_run()
//
// which is work::{lambda()#1}. "": symbol is another one, or its type does not say which function it runs.
func threadBody(symbol string) string {
	const state, types = "_ZNSt6thread11_State_impl", "std::tuple<"
	if !strings.HasPrefix(symbol, state) {
		return ""
	}
	name := demangle.Filter(symbol)
	at := strings.LastIndex(name, types)
	if at < 0 {
		return ""
	}
	f := closure.FindStringSubmatch(name[at+len(types):])
	if f == nil {
		return ""
	}
	return withoutTypes(f[1]) + f[2]
}

// withoutTypes takes the types of a function's parameters, of its template's, and of its result off its name.
func withoutTypes(name string) string {
	var out strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '<' || c == '(':
			depth++
		case c == '>' || c == ')':
			depth--
		case depth == 0:
			out.WriteRune(c)
		}
	}
	words := strings.Fields(out.String())
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
