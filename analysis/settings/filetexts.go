package settings

import (
	"encoding/json"
	"strings"
)

// parsers find the numbers of files of settings, by the end of their names.
var parsers = map[string]func(text string) []place{
	".json":       jsonNumbers,
	".properties": lineNumbers,
	".conf":       lineNumbers,
	".cfg":        lineNumbers,
	".ini":        lineNumbers,
	".toml":       lineNumbers,
	".env":        lineNumbers,
	".yaml":       lineNumbers,
	".yml":        lineNumbers,
}

func numbersIn(text, extension string) []place { return parsers[extension](text) }

// jsonNumbers finds the numbers of the objects of a JSON text; what is in lists has no name.
func jsonNumbers(text string) (out []place) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var in []level
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		top := level{list: true}
		if len(in) > 0 {
			top = in[len(in)-1]
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				in = append(in, level{path: top.of(), list: t == '[' || top.list && len(in) > 0})
				continue
			}
			in = in[:len(in)-1]
		case string:
			if !top.list && top.key == "" {
				in[len(in)-1].key = t
				continue
			}
		case json.Number:
			end := int(d.InputOffset())
			if !top.list {
				out = numberAt(out, text, top.of(), end-len(t.String()), end)
			}
		}
		if len(in) > 0 {
			in[len(in)-1].key = ""
		}
	}
}

// level is an object or list of a JSON text that is not over yet.
type level struct {
	path, key string
	list      bool // or in one
}

func (l level) of() string { return under(l.path, l.key) }

// under is a name with that of what it is in.
func under(of, name string) string {
	if of == "" || name == "" {
		return of + name
	}
	return of + "." + name
}

// lineNumbers finds the numbers of texts with a setting on each line: name = number, name: number, in sections [name] or, as in
// YAML, by their indentation below a name; what is in lists has no name.
func lineNumbers(text string) (out []place) {
	section, at := "", 0
	var outer []nest
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		content := strings.TrimSpace(line)
		if content == "" || strings.ContainsAny(content[:1], "#!;-") {
			continue
		}
		if strings.HasPrefix(content, "[") {
			section = strings.Trim(content, "[] \t")
			continue
		}
		sign := strings.IndexAny(content, "=:")
		if sign < 0 {
			continue
		}
		indent := strings.Index(line, content)
		for len(outer) > 0 && outer[len(outer)-1].indent >= indent {
			outer = outer[:len(outer)-1]
		}
		path := section
		if len(outer) > 0 {
			path = outer[len(outer)-1].path
		}
		name := under(path, strings.TrimSpace(content[:sign]))
		value, _, _ := strings.Cut(strings.TrimSpace(content[sign+1:]), " #")
		if value = strings.TrimSpace(value); value == "" {
			outer = append(outer, nest{indent, name})
			continue
		}
		from := begin + indent + sign + 1 + strings.Index(content[sign+1:], value)
		out = numberAt(out, text, name, from, from+len(value))
	}
	return out
}

// nest is a name that others are indented below.
type nest struct {
	indent int
	path   string
}
