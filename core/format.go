package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Format is a versioned JSON file format. Every file of ours is one object
// {"format": Name, "version": n, …} with the keys of the value beside the
// envelope's two. A reader
//
//   - refuses another format, and a version newer than Version, naming both;
//   - brings older versions up to date with Migrations;
//   - reports keys that it does not know, with their path, instead of losing them.
//
// A writer gives the same bytes for the same value: sorted keys, shortest
// decimal form of every number, one object per line where it fits.
type Format struct {
	Name    string
	Version int
	// Migrations[i] turns the document of version i+1 into version i+2. There
	// are exactly Version−1 of them.
	Migrations []func(document map[string]any) error
}

// NewerVersionError says that a file was written by a later release.
type NewerVersionError struct {
	Format          string
	Found, Greatest int
}

// Error names both versions and the remedy.
func (e *NewerVersionError) Error() string {
	return fmt.Sprintf("%s version %d is newer than version %d, the newest that this program reads; update the program", e.Format, e.Found, e.Greatest)
}

// Decode reads one document from r into v, a pointer to a struct.
func (f Format) Decode(r io.Reader, v any) error {
	data, err := ReadBounded(r, mostDocument)
	if err != nil {
		return err
	}
	return f.Unmarshal(data, v)
}

// Unmarshal is Decode of bytes.
func (f Format) Unmarshal(data []byte, v any) error {
	var envelope struct {
		Format  *string      `json:"format"`
		Version *json.Number `json:"version"`
	}
	if err := json.Unmarshal(data, &envelope); err != nil {
		return describe(data, err)
	}
	if envelope.Format == nil || *envelope.Format != f.Name {
		found := "missing"
		if envelope.Format != nil {
			found = fmt.Sprintf("%q", *envelope.Format)
		}
		return fmt.Errorf("key \"format\" is %s; expected %q", found, f.Name)
	}
	if envelope.Version == nil {
		return fmt.Errorf("key \"version\" is missing; expected a number from 1 to %d", f.Version)
	}
	version, err := envelope.Version.Int64()
	if err != nil || version < 1 {
		return fmt.Errorf("key \"version\" is %s; expected a number from 1 to %d", *envelope.Version, f.Version)
	}
	if version > int64(f.Version) {
		return &NewerVersionError{Format: f.Name, Found: int(version), Greatest: f.Version}
	}
	if version < int64(f.Version) {
		if data, err = f.migrate(data, int(version)); err != nil {
			return err
		}
	}
	if err := checkKeys(data, v, "format", "version"); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return describe(data, err)
	}
	return nil
}

// migrate brings a document of an older version up to date.
func (f Format) migrate(data []byte, version int) ([]byte, error) {
	if err := checkKeys(data, nil); err != nil { // of keys given twice a map has one
		return nil, err
	}
	var document map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return nil, describe(data, err)
	}
	for ; version < f.Version; version++ {
		if err := f.Migrations[version-1](document); err != nil {
			return nil, fmt.Errorf("migration of %s from version %d to %d: %w", f.Name, version, version+1, err)
		}
	}
	document["version"] = f.Version
	return json.Marshal(document)
}

// Encode writes v, a struct, as one document.
func (f Format) Encode(w io.Writer, v any) error {
	data, err := f.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Marshal is Encode to bytes.
func (f Format) Marshal(v any) ([]byte, error) {
	document, err := f.document(v)
	if err != nil {
		return nil, err
	}
	l, err := layOut(document)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	l.write(&b, 0)
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// document returns the keys and values of the document of v, a struct.
func (f Format) document(v any) (map[string]any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var document map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	document["format"] = f.Name
	document["version"] = json.Number(fmt.Sprint(f.Version))
	return document, nil
}
