package diskio_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/diskio"
)

func open(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "logs", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// perf script, blktrace and blkparse show one recording; so the importers give
// the same requests, but for the zero of blkparse's clock.
func TestThreeToolsTellTheSameStory(t *testing.T) {
	t.Parallel()
	perf, err := diskio.ReadPerf(open(t, "perf.txt"))
	if err != nil {
		t.Fatal(err)
	}
	binary, err := diskio.ReadBlktrace(open(t, "vda.blktrace.0"), open(t, "vda.blktrace.1"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := diskio.ReadBlkparse(open(t, "blkparse.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(perf.Requests) < 50 {
		t.Fatalf("%d requests in a recording of 400 events", len(perf.Requests))
	}
	shift := perf.Requests[0].Issued - text.Requests[0].Issued
	for name, other := range map[string]diskio.Log{"blktrace": binary, "blkparse": text} {
		if len(other.Requests) != len(perf.Requests) {
			t.Errorf("%s: %d requests, perf script has %d", name, len(other.Requests), len(perf.Requests))
			continue
		}
		for i, r := range other.Requests {
			if name == "blkparse" {
				for _, at := range []*int64{&r.Queued, &r.Inserted, &r.Issued, &r.Completed} {
					if *at != 0 {
						*at += shift
					}
				}
			}
			if want := perf.Requests[i]; r != want {
				t.Errorf("%s: request %d is %+v, perf script says %+v", name, i, r, want)
				break
			}
		}
	}
}

// Read by hand from the recordings: the first request of perf.txt, one of
// ftrace.txt that a kworker or another process completed, and a flush.
func TestRequestsAreJoinedFromTheirEvents(t *testing.T) {
	t.Parallel()
	perf, err := diskio.ReadPerf(open(t, "perf.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := diskio.Request{Thread: 23837, Device: 254 << 20, Sector: 19618528, Bytes: 4096, Type: diskio.Metadata,
		Queued: 5938306700303, Inserted: 5938306711093, Issued: 5938306716253, Completed: 5938307215649}
	if got := perf.Requests[0]; got != want {
		t.Errorf("first request %+v, want %+v", got, want)
	}
	if got := perf.Requests[0].Wait(); got != 5160 {
		t.Errorf("it waited %d ns, want 5160", got)
	}
	trace, err := diskio.ReadPerf(open(t, "ftrace.txt"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, r := range trace.Requests {
		kinds[r.Type]++
		if r.Sector == 332938832 && (r.Thread != 19558 || r.Issued != 5836599739000 || r.Completed != 5836599819000) {
			t.Errorf("dd's write is %+v", r)
		}
	}
	if kinds[diskio.Flush] == 0 || kinds[diskio.Read] == 0 || kinds[diskio.Write] == 0 {
		t.Errorf("types %v, want reads, writes and a flush", kinds)
	}
}

// Bios that the kernel merges become one request of the thread that asked first;
// completion in parts ends with the last part.
func TestMergedBiosAndPartialCompletionsAreOneRequest(t *testing.T) {
	t.Parallel()
	log, err := diskio.ReadBlkparse(strings.NewReader(`
  8,0    0        1     0.000001000   101  Q   R 1000 + 8 [a]
  8,0    0        2     0.000002000   102  Q   R 1008 + 8 [b]
  8,0    0        3     0.000002500   102  M   R 1008 + 8 [b]
  8,0    0        4     0.000003000   101  I   R 1000 + 8 [a]
  8,0    1        5     0.000004000   103  Q   W 9000 + 8 [c]
  8,0    1        6     0.000005000    44  D   R 1000 + 16 [kworker]
  8,0    1        7     0.000009000     0  C   R 1000 + 8 [0]
  8,0    1        8     0.000012000     0  C   R 1008 + 8 [0]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := diskio.Request{Thread: 101, Device: 8 << 20, Sector: 1000, Bytes: 8192, Type: diskio.Read,
		Queued: 1001, Inserted: 3001, Issued: 5001, Completed: 12001} // 0 would mean not recorded
	if len(log.Requests) != 1 || log.Requests[0] != want {
		t.Errorf("requests %+v, want one: %+v", log.Requests, want)
	}
}

// The end of the first request is not in the log, and the same sectors are read again: the
// end that is there is that of the second, and the first is left out with a warning.
func TestAMissingCompletionDoesNotSpoilTheNextRequest(t *testing.T) {
	t.Parallel()
	log, err := diskio.ReadBlkparse(strings.NewReader(`
  8,0    0        1     0.000001000   101  Q   R 1000 + 8 [a]
  8,0    0        2     0.000002000   101  D   R 1000 + 8 [a]
  8,0    0        3     0.500001000   102  Q   R 1000 + 8 [b]
  8,0    0        4     0.500002000   102  D   R 1000 + 8 [b]
  8,0    0        5     0.500009000     0  C   R 1000 + 8 [0]
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Requests) != 1 || log.Requests[0].Thread != 102 || log.Requests[0].Service() != 7000 {
		t.Errorf("requests %+v, want one of thread 102 that took 7 µs", log.Requests)
	}
	if !slices.ContainsFunc(log.Warnings, func(w string) bool { return strings.Contains(w, "1 requests have no completion") }) {
		t.Errorf("warnings %q, want one about the completion that is missing", log.Warnings)
	}
}

// Two threads read the same sectors at once, past the page cache: both requests end, and
// none is taken for lost.
func TestTheSameSectorsCanBeReadTwiceAtOnce(t *testing.T) {
	t.Parallel()
	log, err := diskio.ReadBlkparse(strings.NewReader(`
  8,0    0        1     0.000001000   101  Q   R 1000 + 8 [a]
  8,0    0        2     0.000002000   101  D   R 1000 + 8 [a]
  8,0    1        3     0.000003000   102  Q   R 1000 + 8 [b]
  8,0    1        4     0.000004000   102  D   R 1000 + 8 [b]
  8,0    0        5     0.000009000     0  C   R 1000 + 8 [0]
  8,0    0        6     0.000010000     0  C   R 1000 + 8 [0]
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Requests) != 2 || len(log.Warnings) > 0 {
		t.Errorf("requests %+v, warnings %q; want two requests and no warning", log.Requests, log.Warnings)
	}
}

func TestWhatIsNoBlockTraceIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := diskio.ReadBlkparse(strings.NewReader("hello\nworld\n")); !errors.Is(err, diskio.ErrNoRequests) {
		t.Errorf("blkparse: %v", err)
	}
	if _, err := diskio.ReadPerf(strings.NewReader("")); !errors.Is(err, diskio.ErrNoRequests) {
		t.Errorf("perf script: %v", err)
	}
	whole, err := os.ReadFile(filepath.Join("testdata", "logs", "vda.blktrace.0"))
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Clone(whole)
	newer[0] = 8
	for text, data := range map[string][]byte{
		"version 8":    newer,
		"magic number": []byte("not a trace at all"),
		"cut short":    whole[:len(whole)-5],
	} {
		if _, err := diskio.ReadBlktrace(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v; want an error about %q", err, text)
		}
	}
}

// Whatever the input, the readers return requests that are possible, or an error.
func FuzzReaders(f *testing.F) {
	for _, name := range []string{"perf.txt", "ftrace.txt", "blkparse.txt", "vda.blktrace.0"} {
		data, err := os.ReadFile(filepath.Join("testdata", "logs", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 4096)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readers := map[string]func() (diskio.Log, error){
			"blkparse": func() (diskio.Log, error) { return diskio.ReadBlkparse(bytes.NewReader(data)) },
			"perf":     func() (diskio.Log, error) { return diskio.ReadPerf(bytes.NewReader(data)) },
			"blktrace": func() (diskio.Log, error) { return diskio.ReadBlktrace(bytes.NewReader(data)) },
		}
		for name, read := range readers {
			log, err := read()
			if err != nil {
				continue
			}
			for _, r := range log.Requests {
				if r.Completed < r.Issued || r.Bytes < 0 || r.Type == "" {
					t.Fatalf("%s: impossible request %+v", name, r)
				}
			}
			for _, o := range diskio.Observe(log.Requests) {
				if o.AtIssue < 1 || o.Overtaken < 0 {
					t.Fatalf("%s: impossible observation %+v", name, o)
				}
			}
		}
	})
}

// A file says by its content what it is.
func TestImportRecognisesItsFiles(t *testing.T) {
	t.Parallel()
	at := func(name string) string { return filepath.Join("testdata", "logs", name) }
	for _, paths := range [][]string{{at("perf.txt")}, {at("ftrace.txt")}, {at("blkparse.txt")}, {at("vda.blktrace.0"), at("vda.blktrace.1")}} {
		if log, err := diskio.Import(paths...); err != nil || len(log.Requests) < 40 {
			t.Errorf("%v: %d requests, %v", paths, len(log.Requests), err)
		}
	}
	for _, paths := range [][]string{{at("README.md")}, {at("perf.txt"), at("blkparse.txt")}, {"no such file"}} {
		if _, err := diskio.Import(paths...); err == nil {
			t.Errorf("%v was imported", paths)
		}
	}
}
