package stage

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/project"
)

// The files of the stages and the model are one set: a model beside the workload of another
// one is a lie that nobody sees.

type file struct {
	stage Stage
	name  string
}

// files are those that a stage leaves, and the workload, which is there before all.
var files = []file{{"", "workload.json"}, {Sample, "samples.json"}, {Scan, "facts.json"}, {Trace, "trace"}, {Trace, schemaFile}, {Build, "build.json"}, {Build, "trust.json"}}

// begun reports whether a study was begun in a project that has a model.
func begun(dir string) bool {
	_, err := os.Stat(filepath.Join(project.Pending(dir), "analysis", "workload.json"))
	return err == nil
}

// giveUp removes what was begun, and first that by which it counts as such: who is killed meanwhile leaves nothing that could be taken up.
func giveUp(dir string) error {
	if err := os.Remove(filepath.Join(project.Pending(dir), "analysis", "workload.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(project.Pending(dir))
}

// Lock keeps others from analysing into the project until release is called.
func (s *Study) Lock() (release func(), err error) {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, err
	}
	file := filepath.Join(s.Dir, "analysis", "workload.json")
	if err := project.Within(s.Dir, file); err != nil {
		return nil, err
	}
	return project.Lock(file, "an analysis")
}

// begin chooses where the files of the stages go, and removes those of first and later
// stages there: they belong to what is analysed no more.
func (s *Study) begin(first Stage) error {
	if err := project.Complete(s.Dir); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "project.json")); err == nil {
		p, err := project.Open(s.Dir)
		if err == nil {
			err = p.Writable()
		}
		if err != nil {
			return err
		}
	}
	s.root = s.Dir
	_, err := os.Stat(filepath.Join(s.Dir, "model", "model.json"))
	hasModel := err == nil
	if !hasModel || first == Sample { // what was begun there is given up
		if err := giveUp(s.Dir); err != nil {
			return err
		}
	}
	if hasModel {
		s.root = project.Pending(s.Dir)
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	if err := project.Within(s.Dir, s.path("")); err != nil {
		return err
	}
	if err := os.MkdirAll(s.path(""), 0o755); err != nil {
		return err
	}
	if s.root != s.Dir && first != Sample && !begun(s.Dir) {
		if err := errors.Join(os.RemoveAll(s.path("")), os.MkdirAll(s.path(""), 0o755), s.takeOver(first)); err != nil { // of one who was killed there
			return err
		}
	}
	redone := false
	for _, f := range files {
		redone = redone || f.stage == first
		if !redone {
			continue
		}
		if err := os.Remove(s.path(f.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// takeOver puts the files of the stages before first into the pending set: those of the
// model that is there. The workload, by which a study counts as begun, is the last: who is killed before has begun nothing.
func (s *Study) takeOver(first Stage) error {
	before := slices.IndexFunc(files, func(f file) bool { return f.stage == first })
	for _, f := range slices.Concat(files[1:before], files[:1]) {
		from, to := filepath.Join(s.Dir, "analysis", f.name), s.path(f.name)
		err := os.Link(from, to) // nobody writes into a file: it is replaced
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			err = copyFile(from, to)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return project.WriteTo(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// commit makes the files of the stages, the reports and the model those of the project,
// all or none, and makes the folder a project if it was not one.
func (s *Study) commit(m *core.Model, r *trust.Report, log buildLog) error {
	next := project.Pending(s.Dir)
	manifest := project.Manifest{Name: m.Name, Created: m.Provenance.Created, Tool: s.Tool}
	save := func(format core.Format, v any, elements ...string) error {
		return project.Save(filepath.Join(slices.Concat([]string{next}, elements)...), format, v)
	}
	err := errors.Join(
		save(BuildFormat, log, "analysis", "build.json"),
		save(TrustFormat, r.Trust, "analysis", "trust.json"),
		save(core.ModelFormat, m, "model", "model.json"))
	if _, there := os.Stat(filepath.Join(s.Dir, "project.json")); errors.Is(there, fs.ErrNotExist) {
		err = errors.Join(err, save(project.ManifestFormat, manifest, "project.json"))
	}
	if err != nil {
		return err
	}
	return project.Commit(s.Dir)
}

// content identifies a file.
type content struct {
	Size   int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// contents identifies the files that a model in the folder would be made of.
func contents(dir string, hashes bool) (map[string]content, error) {
	all := map[string]content{}
	for _, f := range files {
		if f.stage == Build {
			continue
		}
		c, err := contentOf(filepath.Join(dir, f.name), hashes || f.stage != Trace)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[f.name] = c
	}
	return all, nil
}

func contentOf(path string, hash bool) (c content, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	c.Size = info.Size()
	if hash {
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return c, err
		}
		c.SHA256 = fmt.Sprintf("%x", h.Sum(nil))
	}
	return c, nil
}

// Mismatches says which files of a project do not belong to its model, each with what to
// do about it: somebody replaced them, one by one. Of the trace, which may be large, only
// the size is compared. A model that no analysis made, and files that are not there, are
// no mismatch.
func Mismatches(dir string) []string {
	if project.OnlyFiles(dir) != nil { // whoever opens the project is told
		return nil
	}
	var log buildLog
	if project.Load(filepath.Join(dir, "analysis", "build.json"), BuildFormat, &log) != nil || len(log.Made) == 0 {
		return nil
	}
	var out []string
	const remedy = "put back what belongs together, or make the model anew: tierctl build --out %s"
	there, err := contents(filepath.Join(dir, "analysis"), false)
	if err != nil {
		return []string{err.Error()}
	}
	for _, f := range files {
		made, had := log.Made[f.name]
		now, has := there[f.name]
		if now.SHA256 == "" {
			made.SHA256 = ""
		}
		if had && has && made != now {
			out = append(out, fmt.Sprintf("analysis/%s is not what the model was made of; "+remedy, f.name, dir))
		}
	}
	if m, err := project.LoadModel(dir); err == nil && m.Provenance.Created != log.Time {
		out = append(out, fmt.Sprintf("the model is not the one that the analysis beside it made (%s, it made one at %s); "+remedy, m.Provenance.Created, log.Time, dir))
	}
	return out
}
