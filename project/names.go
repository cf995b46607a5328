package project

import (
	"errors"
	"io/fs"

	"tierscope/core"
)

// NamesFormat is the file with the names that an analyst gave to elements of the model.
var NamesFormat = core.Format{Name: "tierscope-names", Version: 1}

// names is names.json.
type names struct {
	Names map[string]string `json:"names"` // by path, such as "pools/main@main.go:55"
}

const namesFile = "names.json"

// Names returns what the analyst calls elements of the model, by their paths; the model itself
// keeps the names of the analysis.
func (p *Project) Names() (map[string]string, error) {
	var n names
	if err := p.Load(NamesFormat, &n, namesFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return n.Names, nil
}

// Call gives an element another name, or none: "". The names that others have given meanwhile stay.
func (p *Project) Call(path, name string) error {
	return p.Change(func() error {
		all, err := p.Names()
		if err != nil {
			return err
		}
		if all == nil {
			all = map[string]string{}
		}
		if all[path] = name; name == "" {
			delete(all, path)
		}
		return p.Save(NamesFormat, names{all}, namesFile)
	}, namesFile)
}
