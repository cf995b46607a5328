// Package cmd_test checks who may know whom.
package cmd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rule says what the packages under a path may import of ours and of others,
// besides the standard library. The reason is part of the rule: whoever wants
// to widen it should have a better one.
type rule struct {
	path   string // of the package, or of a tree when it ends in /...
	ours   []string
	others []string
	reason string
}

const gonum, fyne = "gonum.org/v1/gonum/...", "fyne.io/fyne/v2/..."

// The more specific rule wins: the longest path that matches.
var rules = []rule{
	{"core", nil, []string{gonum},
		"the model is a document: plain data that everybody shares, so it knows nobody"},
	{"core/quantity", nil, nil,
		"numbers with units look the same on every screen, table and figure"},
	{"core/robust", nil, nil,
		"one median for everybody, also for those that know no model"},
	{"core/eta", nil, nil,
		"how long campaigns and sweeps still take, whatever they run"},
	{"project", []string{"core", "project/scratch"}, nil,
		"a folder of documents; it stores what others own without knowing it"},
	{"project/scratch", nil, nil,
		"names of temporary files, so that the next process removes what a killed one left"},
	{"project/work", []string{"core", "project", "project/scratch"}, nil,
		"how far long commands are, for the command line and the window"},

	{"simulation/des", nil, nil,
		"the engine knows events, not threads: it can be tested against theory alone"},
	{"simulation/output", nil, []string{gonum},
		"estimates with intervals are statistics, whatever is simulated"},
	{"simulation/variate", []string{"core", "simulation/des"}, []string{gonum},
		"compiles the laws of the model into samplers on the engine's random streams"},
	{"simulation/processor", []string{"core", "simulation/des", "simulation/variate"}, nil,
		"the CPU is one shared resource among others"},
	{"simulation/resource", []string{"core", "simulation/des", "simulation/variate"}, nil,
		"locks and disks are simulated by their semantics, without knowing call graphs"},
	{"simulation/timeline", []string{"core", "simulation/des"}, nil,
		"records what happened; nothing depends on whether it does"},
	{"simulation", []string{"core", "core/quantity", "simulation/des", "simulation/output", "simulation/variate", "simulation/processor",
		"simulation/resource", "simulation/timeline"}, []string{gonum},
		"from model to results; never from programs to models"},
	{"simulation/...", []string{"core", "core/eta", "core/quantity", "project", "simulation/..."}, []string{gonum},
		"what runs many simulations (experiments, explanations, searches) is made of single ones"},

	{"analysis/regress/...", []string{"analysis/regress/..."}, []string{gonum},
		"statistics of profile tables, useful without a simulator"},
	{"analysis/factor/...", []string{"analysis/factor/...", "core/robust"}, []string{gonum},
		"statistics of prolongation runs, useful without a simulator"},
	{"analysis/golang/probe/...", nil, nil,
		"is linked into the program under study: standard library only"},
	{"analysis/java/classfile", nil, nil,
		"class files as the JVM specification has them, useful without an analysis"},
	{"analysis/targettest", []string{"core", "analysis", "analysis/trace", "analysis/trail"}, nil,
		"the exam of all front ends; imported by their tests only"},
	{"analysis/corpus", []string{"core", "project", "analysis", "analysis/stage", "analysis/trail", "analysis/trust"}, nil,
		"the recordings of testdata/traces and what Build makes of them; imported by tests and by cmd/sensitivity only"},
	{"analysis/java/agent", nil, nil,
		"the source of the agent and how it is compiled"},
	{"analysis/native", []string{"project/scratch", "core", "core/quantity", "core/robust", "project", "analysis/..."}, []string{"golang.org/x/...", "github.com/ianlancetaylor/demangle"},
		"a front end; the names of C++ and Rust are mangled"},
	{"analysis/native/recorder", []string{"analysis/trace"}, nil,
		"the source of the recorder and how it is compiled"},
	{"analysis/java/hotspot", []string{"analysis/trace"}, []string{"golang.org/x/..."},
		"what is known of the JVM itself; measuring a server needs it as analysing one does"},
	{"analysis/diskio", []string{"core", "core/robust", "project/scratch"}, []string{gonum, "golang.org/x/...", "github.com/cilium/ebpf/..."},
		"from the kernel's events to the disk of a model"},
	{"analysis/runtimes", []string{"core", "analysis/trace", "analysis/java/hotspot"}, nil,
		"what is known of run-time systems, as data; whoever reads older traces or measures needs it without a front end"},
	{"analysis/trace", []string{"core", "core/quantity", "core/robust", "analysis/diskio"}, []string{gonum},
		"the format of a recording: everybody reads it, it knows nobody"},
	{"analysis/trail", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/diskio"}, []string{gonum},
		"the one representation of what threads did; the passes are above it"},
	{"analysis/pools", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail"}, []string{gonum},
		"which threads form a pool, who starts and awaits them"},
	{"analysis/normalise", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/pools"}, []string{gonum},
		"records in the place of records, before there are sequences"},
	{"analysis/ownership", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail"}, []string{gonum},
		"whose object it is: the program's, a pool's, a call's, a task's"},
	{"analysis/tasks", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/ownership"}, []string{gonum},
		"what a task is and where it goes"},
	{"analysis/guards", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail"}, []string{gonum},
		"why a branch is taken: a stop flag, a barrier, an empty or full place, a count"},
	{"analysis/waits", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/diskio"}, []string{gonum},
		"what threads wait for that is not in the program: devices, clients, clocks"},
	{"analysis/demand", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/pools"}, []string{gonum},
		"what a computation costs without company, cold cores, interpreters and probes"},
	{"analysis/pcg", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/ownership"}, []string{gonum},
		"the reduced probabilistic call graph"},
	{"analysis/walks", []string{"core", "analysis/trace", "analysis/trail"}, nil,
		"what each thread did, as the graphs are counted"},
	{"analysis/settings", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/demand", "analysis/normalise", "analysis/pcg", "analysis/tasks"}, []string{gonum},
		"which flag drives which numbers of the model"},
	{"analysis/assemble", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/demand", "analysis/settings", "analysis/waits", "analysis/walks"}, []string{gonum},
		"counts become a core.Model"},
	{"analysis/trust", []string{"core", "core/quantity", "core/robust", "analysis/trace", "analysis/trail", "analysis/demand", "analysis/diskio"}, []string{gonum},
		"how far the model can be relied on"},
	{"analysis/...", []string{"core", "core/eta", "core/quantity", "core/robust", "project/...", "analysis/..."},
		[]string{gonum, "golang.org/x/..."},
		"from program to model; never simulates"},

	{"calibrate", []string{"core", "core/quantity", "core/robust", "analysis", "analysis/stage", "analysis/trace", "analysis/trust", "simulation"}, []string{gonum},
		"simulates what an analysis made and makes it repeat its run: above both, which do not know each other"},

	{"judge", []string{"core", "core/quantity", "project", "analysis", "analysis/java/hotspot", "analysis/runtimes", "analysis/stage", "analysis/trace", "analysis/trail", "analysis/trust", "calibrate", "inputs", "measure", "measure/advise", "measure/table", "measure/validate", "simulation"}, nil,
		"holds a new model against a few runs of its program: above all of them"},

	{"inputs", []string{"core", "core/robust", "project", "analysis", "analysis/pcg", "analysis/regress", "analysis/settings", "analysis/stage", "analysis/trace", "analysis/trail", "analysis/trust", "calibrate", "measure", "measure/table", "simulation"}, []string{gonum},
		"analyses, measures and simulates at several inputs: above all of them"},

	{"measure/...", []string{"core", "core/eta", "core/quantity", "core/robust", "project/...", "analysis", "analysis/settings", "analysis/trace", "analysis/runtimes", "analysis/execution", "analysis/golang/goroot", "analysis/java/hotspot", "measure/...", "simulation", "simulation/output"},
		[]string{gonum, "github.com/tsenart/vegeta/v12/...", "golang.org/x/..."},
		"runs the real program and compares with predictions"},

	{"measure/accuracy", []string{"analysis/runtimes", "core", "core/quantity", "core/robust", "project", "measure/advise", "measure/validate"}, []string{gonum},
		"result files of validations and the tables of docs made of them"},

	{"measure/prolong", []string{"core", "analysis/factor", "analysis/prolong", "simulation/prolong"}, nil,
		"prolongs the program and its model alike and compares"},

	{"gui/graphlayout", nil, nil,
		"coordinates of a graph, whatever it shows; Graphviz itself is a program of its own"},
	{"gui/graphlayout/layouttest", []string{"gui/graphlayout"}, nil,
		"the layout program for tests; imported by them only"},
	{"gui/...", []string{"core", "core/quantity", "inputs", "project/...", "simulation/...", "analysis/...", "calibrate", "judge", "measure/...", "gui/..."},
		[]string{fyne, gonum, "gonum.org/v1/plot/...", "golang.org/x/...", "codeberg.org/go-fonts/...", "codeberg.org/go-pdf/..."},
		"shows values that a test or tierctl can produce; the only place of Fyne, but not of its driver"},

	{"cmd/target", []string{"analysis", "analysis/trace", "analysis/execution", "analysis/golang", "analysis/java", "analysis/java/hotspot", "analysis/native", "measure/load"}, nil,
		"the list of front ends, shared by both programs"},
	{"cmd/tierctl", []string{"cmd/target", "core", "core/quantity", "core/robust", "inputs", "judge", "project", "project/scratch", "project/work", "simulation/...", "analysis/...", "calibrate", "measure/...",
		"gui/chart", "gui/diagram", "gui/figure", "gui/graphlayout", "gui/paint", "gui/palette", "gui/recipe", "gui/report", "gui/vector"},
		[]string{"github.com/spf13/cobra/...", "github.com/spf13/pflag", "golang.org/x/...", gonum, "gonum.org/v1/plot/..."},
		"the command-line twin: no Fyne, no cgo; of gui it takes the figures, which are drawn without Fyne"},
	{"cmd/sensitivity", []string{"core", "core/quantity", "project", "simulation/output"}, []string{"golang.org/x/..."},
		"finds the thresholds of the analysis and varies them; builds its runner, so it knows neither analysis nor simulation"},
	{"cmd/scheduling", []string{"core", "core/quantity", "core/robust", "measure/accuracy", "project", "simulation"}, nil,
		"compares the schedulers and locks of the simulator with the machine's"},
	{"cmd/unseen", []string{"core", "core/robust", "project", "analysis/stage", "analysis/trust", "measure/validate"}, nil,
		"runs the command line and reads the files that it writes"},
	{"cmd/sensitivity/runner", []string{"core", "analysis", "analysis/corpus", "analysis/trail", "analysis/trust", "calibrate", "simulation"}, nil,
		"builds and simulates the models of the corpus, with one number of the analysis changed"},
	{"cmd/tierlayout", nil, []string{"github.com/goccy/go-graphviz/..."},
		"the only importer of Graphviz, which compiles itself before main: the parent says where that is kept"},
	{"cmd/tierscope", []string{"cmd/target", "core", "core/quantity", "project", "simulation/...", "analysis/...", "measure/...", "gui/..."},
		[]string{fyne},
		"the desktop application, the only place that imports fyne/v2/app"},
	{"cmd", nil, nil, "this test"},
	{"testdata/...", []string{"testdata/..."}, []string{"*"},
		"subject programs: they are analysed, not imported"},
}

const module = "tierscope"

// pkg is what go list says of a package.
type pkg struct {
	ImportPath, Standard string
	Imports              []string
	CgoFiles             []string
}

func listPackages(t *testing.T, env []string, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Imports,CgoFiles"}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	var list []pkg
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := decoder.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		list = append(list, p)
	}
}

func matches(pattern, name string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == tree || strings.HasPrefix(name, tree+"/")
	}
	return pattern == "*" || pattern == name
}

func ruleFor(name string) (rule, bool) {
	best, found := rule{}, false
	for _, r := range rules {
		if matches(r.path, name) && (!found || len(r.path) > len(best.path)) {
			best, found = r, true
		}
	}
	return best, found
}

func allowed(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// Every package imports only what its rule allows, and has a rule.
func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t, []string{"GOFLAGS=-buildvcs=false"}, "-tags", "x11,migrated_fynedo", "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		r, ok := ruleFor(name)
		if !ok {
			t.Errorf("package %s is not listed: add a rule with its reason to cmd/architecture_test.go and docs/ARCHITECTURE.md", name)
			continue
		}
		for _, imported := range p.Imports {
			switch own, isOurs := strings.CutPrefix(imported, module+"/"); {
			case isOurs:
				if !allowed(r.ours, own) {
					t.Errorf("%s imports %s, which the rule for %s does not allow: %s", name, own, r.path, r.reason)
				}
			case imported == "C":
				t.Errorf("%s uses cgo; only Fyne's driver does", name)
			case !strings.Contains(strings.SplitN(imported, "/", 2)[0], "."): // standard library
			case imported == "fyne.io/fyne/v2/app" && name != "cmd/tierscope":
				t.Errorf("%s imports fyne/v2/app; only cmd/tierscope may, so that everything else builds without a display", name)
			case !allowed(r.others, imported):
				t.Errorf("%s imports %s, which the rule for %s does not allow: %s", name, imported, r.path, r.reason)
			}
		}
	}
}

// tierctl and all that it needs build without cgo and without Fyne.
func TestTheCommandLineNeedsNeitherFyneNorCgo(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t, []string{"CGO_ENABLED=0", "GOFLAGS=-buildvcs=false"}, "-deps", "./cmd/tierctl") {
		if strings.HasPrefix(p.ImportPath, "fyne.io/") {
			t.Errorf("tierctl depends on %s", p.ImportPath)
		}
		if len(p.CgoFiles) > 0 {
			t.Errorf("tierctl depends on %s, which needs cgo", p.ImportPath)
		}
	}
}
