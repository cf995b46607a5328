package scan

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// configured returns the numbers in files that the run was given and that the program reads into a structure, with what the fields
// decide that have their names:
//
//	{"workers": 3, "cache": {"size": 200}}    type config struct {
//	                                              Workers int `json:"workers"`
//	                                              Cache   struct{ Size int }
//	                                          }
//
// The structure is the one that has most of the names.
func (p *program) configured(files map[string]float64) (out []trace.Setting, flows []*flow) {
	var best map[string]*types.Var
	for _, pkg := range p.ssa.AllPackages() {
		if p.std[pkg.Pkg.Path()] {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			t, ok := pkg.Members[name].(*ssa.Type)
			if !ok {
				continue
			}
			has := map[string]*types.Var{}
			fieldsOf(t.Type(), "", 0, has)
			maps.DeleteFunc(has, func(key string, _ *types.Var) bool {
				return !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(setting string) bool { return trace.KeyInFile(setting) == key })
			})
			if len(has) > len(best) {
				best = has
			}
		}
	}
	for _, setting := range slices.Sorted(maps.Keys(files)) {
		field, ok := best[trace.KeyInFile(setting)]
		if !ok {
			continue
		}
		f := p.followField(field)
		out, flows = append(out, trace.Setting{Name: setting, Uses: f.uses}), append(flows, f)
	}
	return out, flows
}

// mostNested is how deep the structures of files are looked into. Convention.
const mostNested = 4

// fieldsOf collects the fields of a structure, and of those in it, by what a file calls them.
func fieldsOf(t types.Type, path string, depth int, out map[string]*types.Var) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > mostNested {
		return
	}
	for i := range s.NumFields() {
		name := strings.ToLower(s.Field(i).Name())
		for _, format := range []string{"json", "yaml", "toml", "ini", "mapstructure"} {
			if tag, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get(format), ","); tag != "" {
				name = strings.ToLower(tag)
				break
			}
		}
		if path != "" {
			name = path + "." + name
		}
		out[name] = s.Field(i)
		fieldsOf(s.Field(i).Type(), name, depth+1, out)
	}
}
