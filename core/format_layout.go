package core

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// lineWidth is the length up to which an object or array stays on one line, so
// that a diff of two models shows one line per element that changed.
const lineWidth = 120

// layOut writes a decoded JSON value with sorted keys.
func layOut(b *bytes.Buffer, value any, indent int) error {
	flat, err := flatJSON(value)
	if err != nil {
		return err
	}
	if indent > 0 && indent+len(flat) <= lineWidth {
		b.Write(flat)
		return nil
	}
	newline := "\n" + strings.Repeat("  ", indent/2+1)
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			b.WriteString("{}")
			return nil
		}
		for i, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(separator(i, '{'))
			b.WriteString(newline)
			name, err := flatJSON(key)
			if err != nil {
				return err
			}
			b.Write(name)
			b.WriteString(": ")
			if err := layOut(b, v[key], indent+2); err != nil {
				return err
			}
		}
		b.WriteString(newline[:len(newline)-2] + "}")
	case []any:
		if len(v) == 0 {
			b.WriteString("[]")
			return nil
		}
		for i, element := range v {
			b.WriteString(separator(i, '['))
			b.WriteString(newline)
			if err := layOut(b, element, indent+2); err != nil {
				return err
			}
		}
		b.WriteString(newline[:len(newline)-2] + "]")
	default:
		b.Write(flat)
	}
	return nil
}

func separator(i int, open byte) string {
	if i == 0 {
		return string(open)
	}
	return ","
}

// flatJSON is value on one line, with sorted keys and without HTML escapes.
func flatJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
