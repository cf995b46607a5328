package analysis

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

func encoded(t testing.TB, tr *trace.Trace) []byte {
	var b bytes.Buffer
	if err := trace.WriteTrace(&b, tr); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestATraceSurvivesItsFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tr := paperTrace()
		tr.Overhead, tr.OverheadOff = rapid.Float64Range(0, 1).Draw(t, "overhead"), 0
		tr.Threads[0].Records[0].Value = rapid.Uint64().Draw(t, "value")
		tr.Threads[0].Records[0].Arg = rapid.Int64().Draw(t, "arg")
		var b bytes.Buffer
		if err := trace.WriteTrace(&b, tr); err != nil {
			t.Fatal(err)
		}
		got, err := trace.ReadTrace(&b, runtimes.Of)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, tr) {
			t.Fatalf("read %+v, wrote %+v", got, tr)
		}
	})
}

func TestOverheadThatWasNotMeasuredStaysUnknown(t *testing.T) {
	t.Parallel()
	tr := paperTrace()
	tr.Overhead = math.NaN()
	got, err := trace.ReadTrace(bytes.NewReader(encoded(t, tr)), runtimes.Of)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got.Overhead) {
		t.Errorf("overhead read as %g, wrote NaN", got.Overhead)
	}
}

// Files of versions 1 and 2 name the language only.
func TestTracesOfOlderVersionsGetTheRuntimeOfTheirLanguage(t *testing.T) {
	t.Parallel()
	tr := paperTrace()
	for language, want := range map[string]trace.Runtime{"go": runtimes.Go(), "java": runtimes.Java(), "c": {}} {
		tr.Language, tr.Runtime = language, trace.Runtime{}
		whole := encoded(t, tr)
		for version, want := range map[string]trace.Runtime{"2": want, "3": {}} {
			file := append([]byte(trace.TraceMagic+version), whole[bytes.IndexByte(whole, '\n'):]...)
			got, err := trace.ReadTrace(bytes.NewReader(file), runtimes.Of)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Runtime, want) {
				t.Errorf("version %s of %s: %+v, want %+v", version, language, got.Runtime, want)
			}
		}
	}
}

func TestATraceCutOffAnywhereIsRefused(t *testing.T) {
	t.Parallel()
	whole := encoded(t, paperTrace())
	for n := range whole {
		_, err := trace.ReadTrace(bytes.NewReader(whole[:n]), runtimes.Of)
		if err == nil {
			t.Fatalf("a file cut off after %d of %d bytes was accepted", n, len(whole))
		}
		if n > len(trace.TraceMagic)+20 && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut off after %d bytes: error %q does not say so", n, err)
		}
	}
}

func TestImpossibleTracesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want  string
		spoil func(*trace.Trace)
	}{
		{"operation 250 is not known", func(t *trace.Trace) { t.Threads[0].Records[3].Op = 250 }},
		{"site 99 does not exist", func(t *trace.Trace) { t.Threads[0].Records[3].Site = 99 }},
		{"time goes back", func(t *trace.Trace) { t.Threads[0].Records[3].Time = 0 }},
		{"0 cores", func(t *trace.Trace) { t.Cores = 0 }},
		{"site 99 does not exist", func(t *trace.Trace) { t.Threads[0].Creator = 99 }},
		{"is there twice", func(t *trace.Trace) { t.Threads = append(t.Threads, t.Threads[0]) }},
		{"is its own ancestor", func(t *trace.Trace) { t.Threads[0].Parent = t.Threads[0].ID }},
		{"CPU time goes back", func(t *trace.Trace) { t.Threads[0].Records[3].CPU = -1 }},
	} {
		tr := paperTrace()
		c.spoil(tr)
		_, err := trace.ReadTrace(bytes.NewReader(encoded(t, tr)), runtimes.Of)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add(encoded(f, paperTrace()))
	f.Add([]byte("tierscope-trace 1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := trace.ReadTrace(bytes.NewReader(b), runtimes.Of)
		if err == nil {
			encoded(t, tr) // what was accepted can be written
		}
	})
}
