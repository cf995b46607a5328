package analysis_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
)

var updatePasses = flag.Bool("update-passes", false, "look in the whole corpus for the recordings of passes.txt anew")

// passesPlace lists for every pass a recording whose model is another one without it, and one whose is not:
// "-" where every model is.
const passesPlace = "../testdata/traces/passes.txt"

// No pass is there for nothing: without it the model of some recording is another one, and, unless no model
// can do without it, that of another recording is not, where what it looks for does not happen.
func TestEveryPassChangesSomeModelsAndNotOthers(t *testing.T) {
	t.Parallel()
	if *updatePasses {
		findWherePassesMatter(t)
	}
	matters, err := readPasses()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range analysis.Passes() {
		if testing.Short() && i%6 > 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			where, known := matters[p.Name]
			if !known {
				t.Fatalf("%s has no line for it: write one with -update-passes", passesPlace)
			}
			if !changes(t, where.fires, p.Name) {
				t.Errorf("without it the model of %s is the same", where.fires)
			}
			if where.silent != "-" && changes(t, where.silent, p.Name) {
				t.Errorf("without it the model of %s, where it has nothing to do, is another one", where.silent)
			}
		})
	}
}

// changes reports whether leaving a pass out changes the model or the trust report of a recording.
func changes(t *testing.T, recording, pass string) (changed bool) {
	t.Helper()
	defer func() {
		if recover() != nil {
			changed = true // what comes after it cannot do without it
		}
	}()
	without := slices.DeleteFunc(analysis.Passes(), func(p analysis.Pass) bool { return p.Name == pass })
	in := load(t, recording)
	return builtBy(t, without, in).Hashes() != builtBy(t, analysis.Passes(), in).Hashes()
}

type matter struct{ fires, silent string }

func readPasses() (map[string]matter, error) {
	f, err := os.Open(passesPlace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]matter{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		w := strings.Split(lines.Text(), "\t")
		if len(w) != 3 {
			return nil, fmt.Errorf("%s: %q: want pass, recording, recording", passesPlace, lines.Text())
		}
		out[w[0]] = matter{w[1], w[2]}
	}
	return out, lines.Err()
}

// findWherePassesMatter writes passes.txt: of each kind the recording that is built fastest.
func findWherePassesMatter(t *testing.T) {
	t.Helper()
	names := recordings(t)
	size := map[string]int64{}
	for _, name := range names {
		if dir, err := corpus.Dir(name); err == nil {
			if info, err := os.Stat(dir + "/analysis/trace"); err == nil {
				size[name] = info.Size()
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(size[a] - size[b]) })
	var out strings.Builder
	for _, p := range analysis.Passes() {
		m := matter{"-", "-"}
		for _, name := range names {
			if m.fires != "-" && m.silent != "-" {
				break
			}
			if changes(t, name, p.Name) {
				if m.fires == "-" {
					m.fires = name
				}
			} else if m.silent == "-" {
				m.silent = name
			}
		}
		if m.fires == "-" {
			t.Logf("pass %q changes no model of the corpus", p.Name)
		}
		fmt.Fprintf(&out, "%s\t%s\t%s\n", p.Name, m.fires, m.silent)
	}
	if err := os.WriteFile(passesPlace, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
