package stage

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/project"
)

// Stage is a step of the analysis.
type Stage string

// Stages in their order.
const (
	Sample Stage = "sample"
	Scan   Stage = "scan"
	Trace  Stage = "trace"
	Build  Stage = "build"
)

// Stages lists all stages in their order.
func Stages() []Stage { return []Stage{Sample, Scan, Trace, Build} }

// Parse returns the stage with a name.
func Parse(name string) (Stage, error) {
	for _, s := range Stages() {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("stage %q does not exist; there are sample, scan, trace and build", name)
}

// Formats of the stage files.
var (
	WorkloadFormat = core.Format{Name: "tierscope-workload", Version: 1}
	SamplesFormat  = core.Format{Name: "tierscope-samples", Version: 1}
	FactsFormat    = core.Format{Name: "tierscope-facts", Version: 1}
	BuildFormat    = core.Format{Name: "tierscope-build", Version: 1}
	TrustFormat    = core.Format{Name: "tierscope-trust", Version: 1}
	SchemaFormat   = core.Format{Name: "tierscope-schema", Version: 1}
)

const schemaFile = "schema.json"

// workload is workload.json.
type workload struct {
	Target   string         `json:"target"`
	Workload trace.Workload `json:"workload"`
}

// buildLog is build.json.
type buildLog struct {
	Groups []trail.PoolReport `json:"groups"`
	// What the model was made of, and which model it is (see Mismatches).
	Made map[string]content `json:"made_of,omitempty"` // by name of the stage file
	Time string             `json:"created,omitempty"` // as in the model's provenance
}

// Study is the analysis of one program in a project folder.
type Study struct {
	Dir      string // of the project, name.tier
	Target   analysis.Target
	Workload trace.Workload
	Options  trail.Options
	Tool     string // name and version of the program that asks, for provenance
	Report   func(analysis.Progress)

	root string // where stage files are: the project, or what is pending in it; "": not chosen yet
}

// Outcome is what a study found.
type Outcome struct {
	Model  *core.Model   // nil when the last stage was not Build
	Report *trust.Report // of Build
	Trace  *trace.Trace
	// Reached is the last stage that was begun: where to go on after an error.
	Reached Stage
}

// path is where the study keeps a stage file.
func (s *Study) path(name string) string {
	root := s.root
	if root == "" {
		root = s.Dir
	}
	return filepath.Join(root, "analysis", name)
}

// Inputs reads what the stages before Build left in a project folder.
func Inputs(dir string) (trail.Input, error) {
	var in trail.Input
	_, w, err := Load(dir)
	if err != nil {
		return in, err
	}
	in.Workload = w
	s := &Study{Dir: dir}
	for _, stage := range []Stage{Sample, Scan, Trace} {
		if err := s.resume(stage, &in); err != nil {
			return in, fmt.Errorf("%s: %w", stage, err)
		}
	}
	return in, nil
}

// Load reads the workload that the model in a project folder was made of, or, if there is
// none yet, of the study that was begun.
func Load(dir string) (target string, w trace.Workload, err error) {
	if err := project.Complete(dir); err != nil {
		return "", w, err
	}
	return load(dir)
}

// LoadBegun is Load for taking up a study: of the one that was begun last, even if the
// model is still that of an earlier one.
func LoadBegun(dir string) (target string, w trace.Workload, err error) {
	if err := project.Complete(dir); err != nil {
		return "", w, err
	}
	if begun(dir) {
		dir = project.Pending(dir)
	}
	return load(dir)
}

func load(dir string) (target string, w trace.Workload, err error) {
	var f workload
	err = project.Load(filepath.Join(dir, "analysis", "workload.json"), WorkloadFormat, &f)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s has no analysis to take up; name a program", dir)
	}
	return f.Target, f.Workload, err
}

// Run runs the stages first to last. What earlier stages left is read from
// the project folder; what a stage leaves is there as soon as it is done, so
// that a failure of a later one costs nothing; the model is only in the outcome, until
// Save. In a project that has a model the files of the stages are pending until then, so
// that the model and what it was made of stay together. The outcome is not nil when the
// error is not.
func (s *Study) Run(ctx context.Context, first, last Stage) (*Outcome, error) {
	out := &Outcome{Reached: first}
	if err := s.begin(first); err != nil {
		return out, err
	}
	if first != Build {
		if err := s.Target.Check(ctx, s.Workload); err != nil {
			return out, err
		}
		s.Workload.Files = settings.Files(s.Workload)
		if err := s.saveWorkload(); err != nil {
			return out, err
		}
	}
	in := trail.Input{Workload: s.Workload}
	work, err := s.scratch()
	if err != nil {
		return out, err
	}
	running := false
	for _, stage := range Stages() {
		running = running || stage == first
		var err error
		if running {
			out.Reached = stage
			err = s.run(ctx, stage, work, &in, out)
		} else if err = s.resume(stage, &in); err != nil {
			if errors.Is(err, fs.ErrNotExist) { // such as a sample: the place that was looked at says nothing to its user
				err = fmt.Errorf("%s keeps none (%w)", s.Dir, fs.ErrNotExist)
			}
			err = fmt.Errorf("%w; make it anew with --from %s", err, stage)
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", stage, err)
		}
		if stage == last {
			break
		}
	}
	out.Trace = in.Trace
	return out, nil
}

// scratch is the folder in the user's cache where the stages of a study keep
// what they compile, so that a study that is taken up finds it.
func (s *Study) scratch() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return "", err
	}
	work := filepath.Join(base, "tierscope", "studies", fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:16])
	return work, os.MkdirAll(work, 0o755)
}

// Watch records one run more, of another workload, by what the stages have left. The error is ErrNoWatch if the front end
// cannot.
func (s *Study) Watch(ctx context.Context, w trace.Workload) (*trace.Trace, error) {
	target, ok := s.Target.(analysis.Watcher)
	if !ok {
		return nil, fmt.Errorf("%s: %w", s.Target.Name(), ErrNoWatch)
	}
	work, err := s.scratch()
	if err != nil {
		return nil, err
	}
	return target.Watch(ctx, w, work)
}

// ErrNoWatch says that a front end records no runs but that of the analysis.
var ErrNoWatch = errors.New("this front end records no further runs")

// run executes one stage and saves its result.
func (s *Study) run(ctx context.Context, stage Stage, work string, in *trail.Input, out *Outcome) (err error) {
	switch stage {
	case Sample:
		if in.Samples, err = s.sample(ctx, work, in); err != nil {
			return err
		}
		return project.Save(s.path("samples.json"), SamplesFormat, in.Samples)
	case Scan:
		if in.Facts, err = s.Target.Scan(ctx, s.Workload, in.Samples, work, s.Report); err != nil {
			return err
		}
		return project.Save(s.path("facts.json"), FactsFormat, in.Facts)
	case Trace:
		if in.Trace, err = s.Target.Trace(ctx, s.Workload, in.Samples, in.Facts, work, s.Report); err != nil {
			return err
		}
		if err = s.saveTrace(in.Trace); err == nil && !in.Trace.Marked.IsZero() {
			err = project.Save(s.path(schemaFile), SchemaFormat, in.Trace.Marked)
		}
		return err
	case Build:
		return s.build(*in, out)
	}
	return nil
}

func (s *Study) saveWorkload() error {
	return project.Save(s.path("workload.json"), WorkloadFormat, workload{s.Target.Name(), s.Workload})
}

// resume reads what a stage before the first one left. Samples and facts
// improve a model but are not needed for one.
func (s *Study) resume(stage Stage, in *trail.Input) (err error) {
	optional := func(err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	switch stage {
	case Sample:
		var v trace.Samples
		if err = project.Load(s.path("samples.json"), SamplesFormat, &v); err == nil {
			in.Samples = &v
		}
		return optional(err)
	case Scan:
		var v trace.Facts
		if err = project.Load(s.path("facts.json"), FactsFormat, &v); err == nil {
			in.Facts = &v
		}
		return optional(err)
	case Trace:
		if in.Trace, err = loadTrace(s.path("trace")); err != nil {
			return err
		}
		var v trace.Schema
		if err = project.Load(s.path(schemaFile), SchemaFormat, &v); err == nil {
			err = in.Trace.Obey(v)
		}
		return optional(err)
	case Build:
	}
	return nil
}

// build makes the model.
func (s *Study) build(in trail.Input, out *Outcome) error {
	m, r, err := analysis.Build(in, s.Options)
	if err != nil {
		return err
	}
	m.Name = strings.TrimSuffix(filepath.Base(s.Dir), project.Extension)
	m.Provenance.Tool = s.Tool
	m.Provenance.Command = strings.Join(append([]string{in.Workload.Program}, in.Workload.Args...), " ")
	m.Provenance.Created = time.Now().UTC().Format(time.RFC3339)
	out.Model, out.Report = m, r
	return nil
}

// Save keeps the model and the reports of an outcome of Build in the project. It
// reports a model that is not valid after it was saved, so that it can be looked at.
func (s *Study) Save(o *Outcome) error {
	m, r := o.Model, o.Report
	made, err := contents(s.path(""), true)
	if err != nil {
		return err
	}
	if err := s.commit(m, r, buildLog{r.Groups, made, m.Provenance.Created}); err != nil {
		return err
	}
	if s.Report != nil {
		nodes, naive := 0, 0
		for _, g := range r.Groups {
			nodes, naive = nodes+g.Nodes, naive+g.NaiveNodes
		}
		s.Report(analysis.Progress{Stage: string(Build), Done: 1, Fact: fmt.Sprintf("%d pools, %d queues, %d locks, %d code fragments of %d seen; trust %s",
			len(m.Pools), len(m.Queues), len(m.Locks), nodes, naive, r.Trust.Grade)})
	}
	if err := m.Validate(); err != nil {
		return fmt.Errorf("the model that was built is not valid, which is a defect of tierscope: %w", err)
	}
	return nil
}

// saveTrace writes the trace.
func (s *Study) saveTrace(t *trace.Trace) error {
	return project.WriteTo(s.path("trace"), func(w io.Writer) error { return trace.WriteTrace(w, t) })
}

func loadTrace(path string) (*trace.Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := trace.ReadTrace(f, runtimes.Of)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
