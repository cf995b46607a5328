package corpus

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// Fingerprint is what Build makes of a recording, as the documents that a
// project keeps of it. They name neither tool nor time: equal models and
// reports are equal bytes.
type Fingerprint struct {
	model, trust []byte
	grade        string
}

// Where the documents are in a project folder, and the model beside a recording.
const (
	modelPlace = "model/model.json"
	trustPlace = "analysis/trust.json"
	keptPlace  = modelPlace + ".gz"
)

// noModel stands in hashes.txt where the grade of a model would.
const noModel = "none"

// Build builds the model of an input and takes its fingerprint. Of a trace that
// gives no valid model, the error takes the place of the model.
func Build(in trail.Input) (Fingerprint, error) {
	m, r, err := analysis.Build(in, trail.Options{})
	if errors.Is(err, trail.ErrNoModel) {
		says, err := json.Marshal(map[string]string{"error": err.Error()})
		return Fingerprint{model: says, trust: []byte("{}"), grade: noModel}, err
	}
	if err != nil {
		return Fingerprint{}, err
	}
	if err := walked(m); err != nil {
		return Fingerprint{}, err
	}
	return Of(*m, r.Trust)
}

// walked asks whether the walks of a model, if it has any, are what its graphs are made of.
func walked(m *core.Model) error {
	if len(m.Walks) == 0 {
		return nil
	}
	w, err := core.UnpackWalks(m.Walks)
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range m.Departures(w) {
		errs = append(errs, errors.New("the walks are not those of the model: "+d.String()))
	}
	return errors.Join(errs...)
}

// Of takes the fingerprint of a model and its trust report. Of the walks the document has a hash: they are
// as large as the recording that is beside it.
func Of(m core.Model, trust trust.Trust) (Fingerprint, error) {
	if err := m.Validate(); err != nil {
		return Fingerprint{}, fmt.Errorf("the model is not valid: %w", err)
	}
	m.Provenance.Tool, m.Provenance.Command, m.Provenance.Created = "", "", ""
	if m.Walks != nil {
		sum := sha256.Sum256(m.Walks)
		m.Walks = sum[:]
	}
	model, err := core.ModelFormat.Marshal(m)
	if err != nil {
		return Fingerprint{}, err
	}
	report, err := stage.TrustFormat.Marshal(trust)
	return Fingerprint{model: model, trust: report, grade: trust.Grade}, err
}

// Hashes is what hashes.txt has of it: the first 64 bits of the SHA-256 sums of
// model and report, and the grade.
func (f Fingerprint) Hashes() string {
	short := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:8])
	}
	return fmt.Sprintf("%s %s %s", short(f.model), short(f.trust), f.grade)
}

// Write puts the documents into a project folder.
func (f Fingerprint) Write(dir string) error { return f.write(dir, modelPlace, f.model) }

func (f Fingerprint) write(dir, place string, model []byte) error {
	var errs []error
	for place, data := range map[string][]byte{place: model, trustPlace: f.trust} {
		to := filepath.Join(dir, place)
		errs = append(errs, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
	}
	return errors.Join(errs...)
}

// Keep puts the documents beside the recording, the model compressed.
func (f Fingerprint) Keep(name string) error {
	dir, err := Dir(name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(f.model)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	return f.write(dir, keptPlace, b.Bytes())
}

// Kept reads the documents beside a recording.
func Kept(name string) (Fingerprint, error) {
	dir, err := Dir(name)
	if err != nil {
		return Fingerprint{}, err
	}
	trust, err := os.ReadFile(filepath.Join(dir, trustPlace))
	if err != nil {
		return Fingerprint{}, err
	}
	packed, err := os.ReadFile(filepath.Join(dir, keptPlace))
	if err != nil {
		return Fingerprint{}, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return Fingerprint{}, fmt.Errorf("%s: %w", filepath.Join(dir, keptPlace), err)
	}
	model, err := io.ReadAll(z)
	return Fingerprint{model: model, trust: trust}, err
}

// Difference says where model and report first differ from those of want, a
// line for each; empty if they do not.
func (f Fingerprint) Difference(want Fingerprint) string {
	var lines []string
	for _, d := range []struct {
		place     string
		want, got []byte
	}{{modelPlace, want.model, f.model}, {trustPlace, want.trust, f.trust}} {
		var w, g any
		if err := errors.Join(json.Unmarshal(d.want, &w), json.Unmarshal(d.got, &g)); err != nil {
			lines = append(lines, fmt.Sprintf("%s: %v", d.place, err))
		} else if difference := firstDifference("", w, g); difference != "" {
			lines = append(lines, d.place+difference)
		}
	}
	return strings.Join(lines, "\n")
}

// firstDifference is the path to the first value in which two decoded JSON
// documents differ, with both values; empty if there is none.
func firstDifference(path string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		keys := maps.Clone(w)
		maps.Copy(keys, g)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if d := firstDifference(path+"/"+key, w[key], g[key]); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		for i := range min(len(w), len(g)) {
			if d := firstDifference(fmt.Sprintf("%s/%d", path, i), w[i], g[i]); d != "" {
				return d
			}
		}
		if len(w) == len(g) {
			return ""
		}
		return fmt.Sprintf("%s: %d elements, want %d", path, len(g), len(w))
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s: %s, want %s", path, shown(got), shown(want))
}

// shown is a JSON value, shortened to what fits a line.
func shown(v any) string {
	const width = 120
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if len(text) > width {
		return string(text[:width]) + "…"
	}
	return string(text)
}
