package analysis_test

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"tierscope/analysis/corpus"
)

var (
	update = flag.Bool("update", false, "write hashes.txt, and the models and trust reports of the recordings, as Build makes them now")
	models = flag.String("models", "", "`FOLDER` where the models and trust reports of the recordings are written, to be compared with those of another version")
)

// A recording gives the same model and the same trust report until somebody
// means to change them: the hashes, and the documents beside the recordings
// which show what changed, are fingerprints of Build's own output. Whoever
// means to change them writes them anew with -update, and says in the commit
// which changed and why.
func TestTheCorpusGivesTheSameModels(t *testing.T) {
	names, err := corpus.Names()
	if err != nil {
		t.Fatal(err)
	}
	want, err := corpus.ReadHashes()
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := make([]corpus.Fingerprint, len(names))
	t.Run("recordings", func(t *testing.T) {
		for i, name := range names {
			if testing.Short() && i%6 > 0 && !*update {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				got[i] = built(t, name)
				if is := got[i].Hashes(); is != want[name] && !*update {
					t.Errorf("%s has another model or trust report: %q, want %q\n%s", name, is, want[name], sinceWritten(t, name, got[i]))
				}
			})
		}
	})
	for name := range want {
		if !slices.Contains(names, name) && !*update {
			t.Errorf("hashes.txt has a line for %s, of which there is no recording", name)
		}
	}
	if *update && !t.Failed() {
		write(t, names, got, want)
	}
}

// built is the fingerprint of a recording.
func built(t *testing.T, name string) corpus.Fingerprint {
	t.Helper()
	in, err := corpus.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := corpus.Build(in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if *models != "" {
		if err := f.Write(filepath.Join(*models, name)); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// sinceWritten says where a model and its report differ from the documents
// beside the recording.
func sinceWritten(t *testing.T, name string, f corpus.Fingerprint) string {
	t.Helper()
	old, err := corpus.Kept(name)
	if err != nil {
		return err.Error()
	}
	if d := f.Difference(old); d != "" {
		return d
	}
	return "the documents beside the recording are these: hashes.txt is of others"
}

// write writes what is there and says what changed.
func write(t *testing.T, names []string, got []corpus.Fingerprint, before corpus.Hashes) {
	t.Helper()
	hashes := corpus.Hashes{}
	for i, name := range names {
		hashes[name] = got[i].Hashes()
		if hashes[name] != before[name] {
			t.Logf("%s: %s", name, sinceWritten(t, name, got[i]))
		}
		if err := got[i].Keep(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := hashes.Write(); err != nil {
		t.Fatal(err)
	}
}

// The answer of Build is a function of the recording: it changes nothing in it,
// and neither the order of a map nor what was built before shows.
func TestBuildGivesTheSameModelTwice(t *testing.T) {
	t.Parallel()
	for _, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := load(t, name)
			first, err := corpus.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			again, err := corpus.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			if again.Hashes() != first.Hashes() {
				t.Errorf("built twice, %s gives two models: %s", name, again.Difference(first))
			}
		})
	}
}
