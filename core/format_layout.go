package core

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// lineWidth is the length up to which an object or array stays on one line, so
// that a diff of two models shows one line per element that changed.
const lineWidth = 120

// layout is a decoded JSON value on its way to text: on one line if that is
// short, otherwise its parts.
type layout struct {
	flat  []byte // nil: longer than a line
	text  []byte // of one that is longer: what write writes where it stands, or nil
	open  byte   // '{' or '[' of a value with parts
	keys  [][]byte
	parts []layout
}

// layOut returns the layout of a value, with sorted keys and without HTML
// escapes.
func layOut(value any) (layout, error) {
	var l layout
	switch v := value.(type) {
	case map[string]any:
		l.open = '{'
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name, err := scalar(key)
			if err != nil {
				return layout{}, err
			}
			part, err := layOut(v[key])
			if err != nil {
				return layout{}, err
			}
			l.keys = append(l.keys, name)
			l.parts = append(l.parts, part)
		}
	case []any:
		l.open = '['
		for _, element := range v {
			part, err := layOut(element)
			if err != nil {
				return layout{}, err
			}
			l.parts = append(l.parts, part)
		}
	default:
		text, err := scalar(v)
		return layout{flat: text}, err
	}
	l.flatten()
	return l, nil
}

// flatten puts the parts on one line if they fit.
func (l *layout) flatten() {
	length := 2
	for i, part := range l.parts {
		if part.flat == nil {
			return
		}
		length += len(part.flat) + 1
		if l.keys != nil {
			length += len(l.keys[i]) + 1
		}
	}
	if length > lineWidth {
		return
	}
	line := append(make([]byte, 0, length), l.open)
	for i, part := range l.parts {
		if i > 0 {
			line = append(line, ',')
		}
		if l.keys != nil {
			line = append(append(line, l.keys[i]...), ':')
		}
		line = append(line, part.flat...)
	}
	l.flat = append(line, l.closing())
}

func (l *layout) closing() byte { return l.open + 2 } // of '[' and '{' in ASCII

// write writes the value; what is indented too far for its line is broken. The
// document itself is always broken.
func (l *layout) write(b *bytes.Buffer, indent int) {
	if l.flat != nil && (l.open == 0 || len(l.parts) == 0 || indent > 0 && indent+len(l.flat) <= lineWidth) {
		b.Write(l.flat)
		return
	}
	if l.text != nil {
		b.Write(l.text)
		return
	}
	newline := func(indent int) {
		b.WriteByte('\n')
		for range indent {
			b.WriteByte(' ')
		}
	}
	for i := range l.parts {
		b.WriteByte(map[bool]byte{true: l.open, false: ','}[i == 0])
		newline(indent + 2)
		if l.keys != nil {
			b.Write(l.keys[i])
			b.WriteString(": ")
		}
		l.parts[i].write(b, indent+2)
	}
	newline(indent)
	b.WriteByte(l.closing())
}

// written is the layout of a value that stands at an indent and need not be walked again.
func (l layout) written(indent int) layout {
	if l.flat != nil {
		return l
	}
	var b bytes.Buffer
	l.write(&b, indent)
	return layout{text: b.Bytes()}
}

// scalar writes a value without parts.
func scalar(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
