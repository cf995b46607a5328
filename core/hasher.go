package core

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Hasher makes the hashes of models that differ in few elements from one, as its configurations do: what does
// not differ is laid out once. It may be used by several goroutines.
type Hasher struct {
	base   reflect.Value
	fields []hashedField
	parts  map[string]layout // of the document of base
	size   int               // of that document
}

// hashedField is a field of a Model.
type hashedField struct {
	key      string
	elements []layout // of an array of structs, as base has it
}

// NewHasher returns a Hasher for models that are like m. Like Hash it panics if a number of m is NaN or infinite.
func NewHasher(m Model) *Hasher {
	h := &Hasher{base: reflect.ValueOf(m), parts: map[string]layout{}}
	document := documentOf(m)
	for key, value := range document {
		h.parts[key] = mustLayOut(value).written(inDocument)
	}
	for i := range h.base.NumField() {
		key, _, _ := strings.Cut(h.base.Type().Field(i).Tag.Get("json"), ",")
		f := hashedField{key: key}
		if isArrayOfStructs(h.base.Field(i)) {
			elements, _ := document[f.key].([]any)
			for _, element := range elements {
				f.elements = append(f.elements, mustLayOut(element).written(inArray))
			}
		}
		h.fields = append(h.fields, f)
	}
	h.size = len(h.text(h.parts))
	return h
}

// Indents of the values of a document, and of the elements of those that are arrays.
const inDocument, inArray = 2, 4

// Hash is Hash(m).
func (h *Hasher) Hash(m Model) string {
	parts, is := maps.Clone(h.parts), reflect.ValueOf(m)
	for i, f := range h.fields {
		if reflect.DeepEqual(h.base.Field(i).Interface(), is.Field(i).Interface()) {
			continue
		}
		delete(parts, f.key)
		if part, ok := h.part(i, is.Field(i)); ok {
			parts[f.key] = part
		}
	}
	sum := sha256.Sum256(h.text(parts))
	return hex.EncodeToString(sum[:])
}

// part lays out field i of a model where it differs from base, and reports whether the document has it at all.
func (h *Hasher) part(i int, field reflect.Value) (layout, bool) {
	f, was := h.fields[i], h.base.Field(i)
	if len(f.elements) == 0 || field.Len() != was.Len() {
		value, ok := document(i, field)[f.key]
		return mustLayOut(value), ok
	}
	array := layout{open: '[', parts: slices.Clone(f.elements)}
	for j := range array.parts {
		if !reflect.DeepEqual(was.Index(j).Interface(), field.Index(j).Interface()) {
			array.parts[j] = mustLayOut(document(i, field.Slice(j, j+1))[f.key].([]any)[0])
		}
	}
	array.flatten()
	return array, true
}

// document is the document of a model that has nothing but field i.
func document(i int, field reflect.Value) map[string]any {
	var m Model
	reflect.ValueOf(&m).Elem().Field(i).Set(field)
	return documentOf(m)
}

func documentOf(m Model) map[string]any {
	d, err := ModelFormat.document(m)
	if err != nil {
		panic(fmt.Sprintf("core: Hash of a model that is not valid: %v", err))
	}
	return d
}

// mustLayOut is layOut of a part of a document, which can be laid out.
func mustLayOut(value any) layout {
	l, err := layOut(value)
	if err != nil {
		panic(fmt.Sprintf("core: Hash of a model that is not valid: %v", err))
	}
	return l
}

// text writes a document.
func (h *Hasher) text(parts map[string]layout) []byte {
	all := layout{open: '{'}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		all.keys, all.parts = append(all.keys, mustLayOut(key).flat), append(all.parts, parts[key])
	}
	var b bytes.Buffer
	b.Grow(h.size)
	all.write(&b, 0)
	b.WriteByte('\n')
	return b.Bytes()
}

func isArrayOfStructs(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}
