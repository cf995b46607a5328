package trace

import (
	"errors"
	"fmt"
)

// Schema is what a programmer marked in the source with probes by hand: "The list of code fragments and corresponding
// probe IDs form the program's schema, which is used for the automated analysis of the program" (Tarvo & Reiss,
// simulation paper, §III). It is made of the probes that a recording has. The analyst may give fragments and parameters
// other names, or take them out, and the model follows.
type Schema struct {
	Fragments  []Fragment `json:"fragments,omitempty"`
	Parameters []Marked   `json:"parameters,omitempty"`
}

// Fragment is a code fragment by the probes that surround it.
type Fragment struct {
	ID    int    `json:"id"` // from 1
	Name  string `json:"name"`
	Begin string `json:"begin,omitempty"` // function:line of its first probe
	End   string `json:"end,omitempty"`
}

// Marked is a number from outside of the program.
type Marked struct {
	ID    int     `json:"id"` // from 1
	Name  string  `json:"name"`
	Value float64 `json:"value"` // in the run
	Place string  `json:"place,omitempty"`
}

// IsZero reports whether nothing was marked.
func (s Schema) IsZero() bool { return len(s.Fragments) == 0 && len(s.Parameters) == 0 }

// Obey makes the trace follow a schema that its own was edited to: what has another name, or is no longer there. The schema
// must be one of this trace.
func (t *Trace) Obey(s Schema) error {
	var errs []error
	names := map[string]string{}
	for _, f := range s.Fragments {
		switch {
		case f.ID < 1 || f.ID > len(t.Marked.Fragments):
			errs = append(errs, fmt.Errorf("schema: fragment %d %q: the program marks fragments 1 to %d", f.ID, f.Name, len(t.Marked.Fragments)))
		case f.Name == "":
			errs = append(errs, fmt.Errorf("schema: fragment %d has no name; to leave it out, take out its entry", f.ID))
		case names[t.Marked.Fragments[f.ID-1].Name] != "":
			errs = append(errs, fmt.Errorf("schema: fragment %d is there twice", f.ID))
		default:
			names[t.Marked.Fragments[f.ID-1].Name] = f.Name
		}
	}
	for _, p := range s.Parameters {
		if p.ID < 1 || p.ID > len(t.Marked.Parameters) || p.Name == "" {
			errs = append(errs, fmt.Errorf("schema: parameter %d %q: the program marks parameters 1 to %d, and each has a name", p.ID, p.Name, len(t.Marked.Parameters)))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	for i := range t.Sites {
		t.Sites[i].Fragment = names[t.Sites[i].Fragment]
	}
	t.Marked = s
	return nil
}
