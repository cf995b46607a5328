package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// checkKeys reports every key of a JSON object that the struct behind v does
// not have, and every key given twice, each with its path. Keys in extra are
// allowed at the top level. encoding/json would accept keys in any case and
// names neither paths nor doubles.
func checkKeys(data []byte, v any, extra ...string) error {
	c := keyChecker{decoder: json.NewDecoder(bytes.NewReader(data))}
	c.decoder.UseNumber()
	if err := c.value(reflect.TypeOf(v), "", extra); err != nil {
		return describe(data, err)
	}
	if _, err := c.decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("there is more text after the end of the document; remove it")
	}
	return errors.Join(c.defects...)
}

type keyChecker struct {
	decoder *json.Decoder
	defects []error
}

// value walks the next JSON value, which will be stored in type t; nil: any.
func (c *keyChecker) value(t reflect.Type, path string, extra []string) error {
	token, err := c.decoder.Token()
	if err != nil {
		return err
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && (t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler)) {
		t = nil
	}
	switch token {
	case json.Delim('{'):
		return c.object(t, path, extra)
	case json.Delim('['):
		var element reflect.Type
		if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			element = t.Elem()
		}
		for i := 0; c.decoder.More(); i++ {
			if err := c.value(element, fmt.Sprintf("%s[%d]", path, i), nil); err != nil {
				return err
			}
		}
		_, err = c.decoder.Token()
	}
	return err
}

func (c *keyChecker) object(t reflect.Type, path string, extra []string) error {
	var fields map[string]reflect.Type
	var element reflect.Type
	switch {
	case t == nil:
	case t.Kind() == reflect.Struct:
		fields = map[string]reflect.Type{}
		jsonFields(t, fields)
	case t.Kind() == reflect.Map:
		element = t.Elem()
	}
	seen := map[string]bool{}
	for c.decoder.More() {
		token, err := c.decoder.Token()
		if err != nil {
			return err
		}
		key := token.(string)
		at := key
		if path != "" {
			at = path + "." + key
		}
		if seen[key] {
			c.defects = append(c.defects, fmt.Errorf("%s: key is given twice; keep one", at))
		}
		seen[key] = true
		next := element
		if fields != nil {
			field, known := fields[key]
			if next = field; !known && !slices.Contains(extra, key) {
				names := make([]string, 0, len(fields))
				for name := range fields {
					names = append(names, name)
				}
				slices.Sort(names)
				c.defects = append(c.defects, fmt.Errorf("%s: unknown key; %s", at, suggest(key, names)))
			}
		}
		if err := c.value(next, at, nil); err != nil {
			return err
		}
	}
	_, err := c.decoder.Token()
	return err
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// jsonFields collects the keys of a struct type, those of embedded structs
// included.
func jsonFields(t reflect.Type, fields map[string]reflect.Type) {
	for field := range fieldsOf(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct:
			jsonFields(field.Type, fields)
		case !field.IsExported():
		case name == "":
			fields[field.Name] = field.Type
		default:
			fields[name] = field.Type
		}
	}
}

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// describe says where in the document a JSON error is, in words that do not
// need the source of this program.
func describe(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, column := position(data, syntax.Offset)
		return fmt.Errorf("line %d, column %d: not JSON: %w", line, column, err)
	case errors.As(err, &mismatch):
		line, column := position(data, mismatch.Offset)
		return fmt.Errorf("line %d, column %d: key %q holds a %s; expected %s", line, column, mismatch.Field, mismatch.Value, jsonWord(mismatch.Type))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the document ends too early; is the file complete?")
	}
	return err
}

func position(data []byte, offset int64) (line, column int) {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, len(before) - bytes.LastIndexByte(before, '\n')
}

func jsonWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number ≥ 0"
	default:
		return "a number"
	}
}
