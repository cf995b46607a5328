package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
)

// printJSON writes a value as indented JSON. A number that is not finite is null, as an
// empty field is in CSV and a dash in tables: JSON has none.
func printJSON(w io.Writer, v any) error {
	_, err := json.Marshal(v)
	if _, ok := errors.AsType[*json.UnsupportedValueError](err); ok {
		v = nullable(reflect.ValueOf(v))
	} else if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(v)
}

// nullable is a value as encoding/json would write it, with nil for the numbers that it
// cannot.
func nullable(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return v.Interface()
	}
	switch v.Kind() { //nolint:exhaustive // all other kinds are as they are
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return nullable(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Interface()
		}
		all := make([]any, v.Len())
		for i := range all {
			all[i] = nullable(v.Index(i))
		}
		return all
	case reflect.Map:
		if v.IsNil() || v.Type().Key().Kind() != reflect.String {
			return v.Interface()
		}
		all := map[string]any{}
		for key, element := range v.Seq2() {
			all[key.String()] = nullable(element)
		}
		return all
	case reflect.Struct:
		return members(v, nil)
	}
	return v.Interface()
}

// member is a key of a JSON object with its value; object keeps the order of the fields.
type member struct {
	key   string
	value any
}

type object []member

func members(v reflect.Value, all object) object {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct:
			all = members(v.Field(i), all)
			continue
		case !field.IsExported() || name == "-",
			strings.Contains(options, "omitempty") && empty(v.Field(i)), strings.Contains(options, "omitzero") && v.Field(i).IsZero():
			continue
		case name == "":
			name = field.Name
		}
		all = append(all, member{name, nullable(v.Field(i))})
	}
	return all
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Struct {
		return false
	}
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map || k == reflect.String || k == reflect.Array {
		return v.Len() == 0
	}
	return v.IsZero()
}

// MarshalJSON writes the keys in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
