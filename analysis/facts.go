package analysis

// Facts are the result of the static analysis (§4.2): every operation on
// locks and queues, every I/O call and creation point that the program can
// reach.
type Facts struct {
	Program   string     `json:"program"`
	Functions int        `json:"functions"` // reachable
	Sites     []FactSite `json:"sites"`
	Suspects  []Suspect  `json:"suspects,omitempty"`
}

// FactSite is one operation in the program's text.
type FactSite struct {
	Frame   Frame    `json:"frame"` // where, in which function
	Op      string   `json:"op"`    // name of an Op
	Class   string   `json:"class"` // core.FragmentClass
	Kind    string   `json:"kind,omitempty"`
	Args    []string `json:"args,omitempty"` // constant arguments, "?" where unknown
	InLoop  bool     `json:"in_loop,omitempty"`
	Library bool     `json:"library,omitempty"` // in a library function
	Std     bool     `json:"std,omitempty"`     // in the standard library
}

// Suspect is a home-made primitive: a spin loop, a barrier of a mutex and a
// condition variable, …
type Suspect struct {
	Frame  Frame  `json:"frame"`
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}
