package core

// Model is a three-tier performance model as a document: plain data, no
// state. It is a value that an editor, ten replications and a file can share;
// nobody changes a Model in place once it is built (see Model.With).
//
// Identifiers are unique among all elements of one kind; queues, locks and
// sinks share one name space, because a fragment may address any of them.
// Every duration is in seconds, every rate per second, every size in bytes.
type Model struct {
	Name       string      `json:"name"`
	Provenance Provenance  `json:"provenance,omitzero"`
	Parameters []Parameter `json:"parameters,omitempty"`

	// Tier 1: the queueing network.
	Classes []Class  `json:"classes,omitempty"`
	Sources []Source `json:"sources,omitempty"`
	Queues  []Queue  `json:"queues,omitempty"`
	Pools   []Pool   `json:"pools"`
	Sinks   []Sink   `json:"sinks,omitempty"`

	// Tier 2: one probabilistic call graph ⟨S, δ⟩ per thread pool.
	Graphs []Graph `json:"graphs"`

	// Tier 3: shared resources.
	CPU        CPU          `json:"cpu"`
	Disks      []Disk       `json:"disks,omitempty"`
	Caches     []Cache      `json:"caches,omitempty"`
	Locks      []Lock       `json:"locks,omitempty"`
	Background []Background `json:"background,omitempty"`

	// Dilation is how much longer all that the model does takes than its numbers say, of a program to which
	// nothing comes from outside: 0 means 1.
	Dilation float64 `json:"dilation,omitempty"`

	// Uncertain is what the analysis does not know of these numbers; none in a model that is
	// meant as it is.
	Uncertain []Uncertain `json:"uncertain,omitempty"`
	// Checked are runs of the program that the model was held against (AsChecked).
	Checked []Checked `json:"checked,omitempty"`

	// Walks is what the threads of the recorded run did (UnpackWalks); none in a model that
	// was written by hand.
	Walks []byte `json:"walks,omitempty"`
}

// Provenance says where a model came from, so that every figure drawn from it
// can say so too.
type Provenance struct {
	Program  string   `json:"program,omitempty"`  // what was analysed
	Build    string   `json:"build,omitempty"`    // build id or content hash of the program
	Command  string   `json:"command,omitempty"`  // the command that made the model
	Machine  string   `json:"machine,omitempty"`  // CPU, cores, kernel of the measuring run
	Tool     string   `json:"tool,omitempty"`     // name and version of the maker
	Created  string   `json:"created,omitempty"`  // RFC 3339
	Warnings []string `json:"warnings,omitempty"` // limits that travel with every result
}

// Parameter is a named knob of a configuration: pool size, cores, rate, queue
// capacity, a demand scale. Setting it to x sets every target path to
// Factor·x^Power + Offset.
type Parameter struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit,omitempty"` // "threads", "1/s", "cores", ""
	Default float64  `json:"default"`        // the value of the representative run
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Integer bool     `json:"integer,omitempty"`
	Targets []Target `json:"targets"`
	// SupportedMin and SupportedMax bound the values that one run supports;
	// outside them a prediction is an extrapolation. Both 0: not known.
	SupportedMin float64 `json:"supported_min,omitempty"`
	SupportedMax float64 `json:"supported_max,omitempty"`
	// How says how the real program is given the value: a flag or environment
	// template such as "-workers {value}" or "GOMAXPROCS={value}".
	How string `json:"how,omitempty"`
	// Follows says what the value is where a configuration sets another
	// parameter and not this one; nil: Default.
	Follows     *Follow `json:"follows,omitempty"`
	Description string  `json:"description,omitempty"`
}

// Rounds is the unit of parameters that say how much there is to do: how often loops
// of the program go round. It computes something else for each of their values.
const Rounds = "rounds"

// Amount is the unit of parameters of which runs with other values showed what they change: as a rule how much there is
// to do, in the program's own units.
const Amount = "of the program"

// Target is one number of the model that a parameter drives. Path is
// kind/id/field, such as "pools/worker/size", "cpu/cores",
// "sources/clients/rate", "queues/tasks/capacity", "locks/L3/permits",
// "graphs/worker/fragments/parse/scale" (see Model.Lookup for all paths).
type Target struct {
	Path   string  `json:"path"`
	Factor float64 `json:"factor,omitempty"` // 0 means 1
	Power  float64 `json:"power,omitempty"`  // 0 means 1; −1 shares a fixed amount of work
	Offset float64 `json:"offset,omitempty"`
	// Multiplies says that the number is multiplied by that, which is 1 at the default, in place of set to it. Several
	// parameters may multiply a number, and another one, or a configuration, may set it.
	Multiplies bool `json:"multiplies,omitempty"`
}

// Graph is the probabilistic call graph (PCG) that every thread of a pool
// walks, starting at Entry. A thread that leaves a fragment without
// successors ends.
type Graph struct {
	ID        string     `json:"id"`
	Entry     string     `json:"entry"`
	Fragments []Fragment `json:"fragments"`
}

// Fragment returns the fragment with the given id, nil when there is none. It
// searches; a loop over a large graph makes its own index.
func (g *Graph) Fragment(id string) *Fragment {
	for i := range g.Fragments {
		if g.Fragments[i].ID == id {
			return &g.Fragments[i]
		}
	}
	return nil
}
