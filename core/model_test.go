package core_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tierscope/core"
)

// webServer is Figure 1 of Tarvo & Reiss 2014: an accept thread that creates
// tasks, a queue, worker threads that verify that a page exists, read it from
// disk and send it, under a lock-protected cache.
func webServer() core.Model {
	return core.Model{
		Name: "web server of Figure 1",
		Parameters: []core.Parameter{
			{Name: "workers", Unit: "threads", Default: 4, Min: 1, Max: 64, Integer: true,
				Targets: []core.Target{{Path: "pools/worker/size"}}, How: "-workers {value}"},
			{Name: "cores", Unit: "cores", Default: 2, Min: 1, Max: 16, Integer: true, Targets: []core.Target{{Path: "cpu/cores"}}},
			{Name: "rate", Unit: "1/s", Default: 60, Min: 1, Max: 1000, SupportedMin: 10, SupportedMax: 200,
				Targets: []core.Target{{Path: "sources/clients/rate"}}},
		},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "connections", Rate: 60}},
		Queues:  []core.Queue{{ID: "connections", Capacity: core.Unbounded}, {ID: "tasks", Capacity: 64}},
		Pools:   []core.Pool{{ID: "acceptor", Graph: "accept", Size: 1}, {ID: "worker", Graph: "worker", Size: 4}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{
			{ID: "accept", Entry: "s1", Fragments: []core.Fragment{
				{ID: "s1", Class: core.InFragment, In: &core.In{Queue: "connections"}, Next: []core.Edge{{To: "accepted", Probability: 1}}},
				{ID: "accepted", Class: core.FetchFragment, Next: []core.Edge{{To: "s2", Probability: 1}}},
				{ID: "s2", Class: core.CPUFragment, Demand: core.Exp(.0001), Next: []core.Edge{{To: "s5", Probability: 1}}},
				{ID: "s5", Class: core.OutFragment, Out: &core.Out{To: "tasks"}, Next: []core.Edge{{To: "s1", Probability: 1}}},
			}},
			{ID: "worker", Entry: "s6", Fragments: []core.Fragment{
				{ID: "s6", Class: core.InFragment, In: &core.In{Queue: "tasks"}, Next: []core.Edge{{To: "got", Probability: 1}}},
				{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "enter", Probability: 1}}},
				{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L3", Op: core.Enter}, Next: []core.Edge{{To: "lookup", Probability: 1}}},
				{ID: "lookup", Class: core.CPUFragment, Demand: core.Const(.0005), Next: []core.Edge{{To: "exit", Probability: 1}}},
				{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L3", Op: core.Exit},
					Next: []core.Edge{{To: "read", Probability: .25}, {To: "send", Probability: .75}}},
				{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "sda", Requests: []core.RequestType{{Type: "read", Count: core.Const(2)}}},
					Next: []core.Edge{{To: "send", Probability: 1}}},
				{ID: "send", Class: core.CPUFragment, Demand: core.Exp(.002), Group: "render", Next: []core.Edge{{To: "leave", Probability: 1}}},
				{ID: "leave", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "s6", Probability: 1}}},
			}},
		},
		CPU:   core.CPU{Cores: 2},
		Disks: []core.Disk{{ID: "sda", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: core.Exp(.01)}}}}}},
		Locks: []core.Lock{{ID: "L3", Kind: core.Mutex}},
	}
}

func encode(t *testing.T, m core.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := core.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAModelReadsBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	m := webServer()
	data := encode(t, m)
	back, err := core.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) {
		t.Errorf("wrote %+v, read %+v", m, back)
	}
	if again := encode(t, back); !bytes.Equal(data, again) {
		t.Errorf("writing what was read gives other bytes:\n%s\n%s", data, again)
	}
	if core.Hash(m) != core.Hash(back) {
		t.Error("equal models have different hashes")
	}
}

// A file of every version ever written stays in testdata/models.
func TestEveryModelFileEverWrittenOpens(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/models/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/models holds no model files (%v)", err)
	}
	versions := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := core.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for v := range core.ModelFormat.Version {
			if strings.Contains(file, "version-"+string(rune('1'+v))) {
				versions[file] = true
			}
		}
	}
	if len(versions) < core.ModelFormat.Version {
		t.Errorf("testdata/models has files of %d versions, want one version-N-*.json for each of 1…%d", len(versions), core.ModelFormat.Version)
	}
}

func TestHashChangesWithTheContent(t *testing.T) {
	t.Parallel()
	m := webServer()
	other, err := m.With(map[string]float64{"cpu/switch_s": 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	if core.Hash(m) == core.Hash(other) {
		t.Error("two different models have the same hash")
	}
}
