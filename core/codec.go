package core

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// ModelFormat is the file format of a Model. A file of every version ever
// written is kept in testdata/models and must open.
var ModelFormat = Format{Name: "tierscope-model", Version: 2, Migrations: []func(map[string]any) error{
	func(map[string]any) error { return nil }, // 1 → 2: a model may have walks
}}

// Decode reads a model and validates it. The error lists every defect.
func Decode(r io.Reader) (Model, error) {
	m, err := DecodeUnchecked(r)
	if err != nil {
		return Model{}, err
	}
	return m, m.Validate()
}

// DecodeUnchecked reads a model that need not be valid, for an editor that
// shows the defects. Everything else takes Decode.
func DecodeUnchecked(r io.Reader) (Model, error) {
	var m Model
	if err := ModelFormat.Decode(r, &m); err != nil {
		return Model{}, err
	}
	return m, nil
}

// Encode writes a model; equal models give equal bytes.
func Encode(w io.Writer, m Model) error { return ModelFormat.Encode(w, m) }

// Hash returns the content hash of a model in hexadecimal: SHA-256 of what
// Encode writes. It panics if a number of m is NaN or infinite, which Validate
// reports.
func Hash(m Model) string {
	data, err := ModelFormat.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("core: Hash of a model that is not valid: %v", err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
