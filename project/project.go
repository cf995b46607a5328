package project

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tierscope/core"
)

// Extensions of project folders and of bundles, projects in one file.
const (
	Extension       = ".tier"
	BundleExtension = ".tierz"
)

// ManifestFormat is the format of project.json.
var ManifestFormat = core.Format{Name: "tierscope-project", Version: 1}

// Manifest is project.json: what a project is called and how exact its runs
// are unless they say otherwise.
type Manifest struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Created     string  `json:"created,omitempty"`   // RFC 3339
	Tool        string  `json:"tool,omitempty"`      // name and version of the maker
	Precision   float64 `json:"precision,omitempty"` // relative half-width that runs ask for; 0: the simulator's default
}

// Project is an open project folder. It holds no open files and caches
// nothing, so that the window and the command line can work on one folder.
type Project struct {
	Dir      string
	Manifest Manifest
	// ReadOnly says why nothing may be written: a later release of the
	// program wrote the folder. "" when it may.
	ReadOnly string
}

// Create makes a new project folder at dir with the given model. It fails if
// dir exists and is not an empty directory.
func Create(dir string, manifest Manifest, model core.Model) (*Project, error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s: exists and is not empty; choose another name", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; choose another name", err)
	}
	if manifest.Name == "" {
		manifest.Name = strings.TrimSuffix(filepath.Base(dir), Extension)
	}
	err := build(dir, ".create-", func(part string) error {
		return errors.Join(
			Save(filepath.Join(part, "model", "model.json"), core.ModelFormat, model),
			WriteFile(filepath.Join(part, ".gitignore"), []byte("view.json\nruns/data/\n"+pendingFolder+"/\n")),
			Save(filepath.Join(part, "project.json"), ManifestFormat, manifest))
	})
	if err != nil {
		return nil, err
	}
	return &Project{Dir: dir, Manifest: manifest}, nil
}

// Open opens a project folder. One written by a later release opens read-only
// as far as it can be understood; any other defect of project.json is an
// error. The parts are read, and their defects reported, when they are asked
// for: a broken scenario does not keep the model from opening.
func Open(dir string) (*Project, error) {
	p := &Project{Dir: dir}
	if err := Complete(dir); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; is the path right?", err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is a file; a project is a folder that ends in %s", dir, Extension)
	}
	if err := OnlyFiles(dir); err != nil {
		return nil, err
	}
	var newer *core.NewerVersionError
	err = Load(p.Path("project.json"), ManifestFormat, &p.Manifest)
	switch {
	case errors.As(err, &newer):
		p.Manifest.Name = strings.TrimSuffix(filepath.Base(dir), Extension)
		p.ReadOnly = newer.Error()
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: has no project.json, so it is not a project; make one with: tierctl convert MODEL.json %s", dir, dir)
	case err != nil:
		return nil, err
	}
	return p, nil
}

// Path returns the path of a part of the project: Path("model", "model.json").
func (p *Project) Path(elements ...string) string {
	return filepath.Join(append([]string{p.Dir}, elements...)...)
}

// LedgerPath is where simulation/experiment keeps every run ever made.
func (p *Project) LedgerPath() string { return p.Path("runs", "ledger.d") }

// ReadOnlyError says why a project cannot be written to.
type ReadOnlyError struct{ Dir, Reason string }

// Error names the folder and the reason.
func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("%s is read-only: %s", e.Dir, e.Reason)
}

// Writable returns a ReadOnlyError if the project may not be written to.
func (p *Project) Writable() error {
	if p.ReadOnly != "" {
		return &ReadOnlyError{Dir: p.Dir, Reason: p.ReadOnly}
	}
	return nil
}

// MayWrite returns an error if a file of the project may not be written: a
// ReadOnlyError, or an OutsideError.
func (p *Project) MayWrite(path string) error {
	if err := p.Writable(); err != nil {
		return err
	}
	return Within(p.Dir, path)
}

// Model reads and validates the model.
func (p *Project) Model() (core.Model, error) { return LoadModel(p.Path("model", "model.json")) }

// SaveModel writes the model, valid or not: an editor saves its user's work.
func (p *Project) SaveModel(m core.Model) error {
	return p.Save(core.ModelFormat, m, "model", "model.json")
}

// SaveManifest writes project.json.
func (p *Project) SaveManifest() error { return p.Save(ManifestFormat, p.Manifest, "project.json") }

// Save writes one document of the project.
func (p *Project) Save(format core.Format, v any, elements ...string) error {
	if err := p.MayWrite(p.Path(elements...)); err != nil {
		return err
	}
	return Save(p.Path(elements...), format, v)
}

// Load reads one document of the project.
func (p *Project) Load(format core.Format, v any, elements ...string) error {
	return Load(p.Path(elements...), format, v)
}

// Notes returns notes.md, "" when there is none.
func (p *Project) Notes() (string, error) {
	data, err := ReadFile(p.Path("notes.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// SaveNotes writes notes.md.
func (p *Project) SaveNotes(text string) error {
	if err := p.MayWrite(p.Path("notes.md")); err != nil {
		return err
	}
	return WriteFile(p.Path("notes.md"), []byte(text))
}

// LoadModel reads and validates the model of a file, of a project folder, or of a
// bundle. The error names the file and lists every defect.
func LoadModel(path string) (core.Model, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if err := errors.Join(Complete(path), OnlyFiles(path)); err != nil {
			return core.Model{}, err
		}
		path = filepath.Join(path, "model", "model.json")
	}
	f, err := openModel(path)
	if err != nil {
		return core.Model{}, err
	}
	defer f.Close()
	m, err := core.Decode(f)
	if err != nil {
		return core.Model{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// openModel opens the file of a model, in a bundle too.
func openModel(path string) (io.ReadCloser, error) {
	if filepath.Ext(path) != BundleExtension {
		return os.Open(path)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s: not a bundle: %w", path, err)
	}
	f, err := archive.Open("model/model.json")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: has no model: %w", path, err), archive.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{f, archive}, nil
}
