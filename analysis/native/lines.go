package native

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
)

// debugFiles is where distributions install what they strip (GDB manual, "Separate Debug Files").
const debugFiles = "/usr/lib/debug/.build-id"

// separate opens the file with the symbols of a stripped one, if it is installed.
func separate(f *elf.File) *elf.File {
	const noteHead = 16 // name size, id size, type, "GNU\0"
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return nil
	}
	b, err := s.Data()
	if err != nil || len(b) <= noteHead+1 {
		return nil
	}
	id := hex.EncodeToString(b[noteHead:])
	name := filepath.Join(debugFiles, id[:2], id[2:]+".debug")
	if _, err := os.Stat(name); err != nil {
		return nil
	}
	d, err := elf.Open(name)
	if err != nil {
		return nil
	}
	return d
}

// source tells lines and inlined calls of addresses, by DWARF.
type source struct {
	data  *dwarf.Data
	units map[dwarf.Offset]*unit
}

// unit is a compilation unit.
type unit struct {
	files       []*dwarf.LineFile
	lines       []dwarf.LineEntry
	subprograms []subprogram
}

type subprogram struct {
	from, to uint64
	offset   dwarf.Offset
}

// call is a function at an address, with the line that is executed there.
type call struct {
	function, file string
	line           int
}

func newSource(files ...*elf.File) *source {
	for _, f := range files {
		if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
			continue
		}
		if d, err := f.DWARF(); err == nil {
			return &source{data: d, units: map[dwarf.Offset]*unit{}}
		}
	}
	return nil
}

// calls are the function in which an address lies, last, and those that the compiler put into it, innermost
// first. nil: nothing is known.
func (s *source) calls(at uint64) []call {
	r := s.data.Reader()
	e, err := r.SeekPC(at)
	if err != nil {
		return nil
	}
	u := s.unit(e)
	if u == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(u.lines, at, func(l dwarf.LineEntry, at uint64) int { return cmp.Compare(l.Address, at) })
	if !found {
		i--
	}
	if i < 0 || u.lines[i].EndSequence || u.lines[i].File == nil {
		return nil
	}
	here := call{file: u.lines[i].File.Name, line: u.lines[i].Line}
	return s.inlined(u, at, here)
}

// unit reads a unit once.
func (s *source) unit(e *dwarf.Entry) *unit {
	if u, ok := s.units[e.Offset]; ok {
		return u
	}
	s.units[e.Offset] = nil
	lines, err := s.data.LineReader(e)
	if err != nil || lines == nil {
		return nil
	}
	u := &unit{}
	for {
		var l dwarf.LineEntry
		if lines.Next(&l) != nil {
			break
		}
		u.lines = append(u.lines, l)
	}
	u.files = lines.Files()
	slices.SortStableFunc(u.lines, func(a, b dwarf.LineEntry) int {
		if c := cmp.Compare(a.Address, b.Address); c != 0 || a.EndSequence == b.EndSequence {
			return c
		} else if a.EndSequence {
			return -1
		}
		return 1
	})
	u.lines = slices.Collect(lastOfEach(u.lines))
	u.subprograms = s.subprograms(e)
	s.units[e.Offset] = u
	return u
}

// lastOfEach yields of the lines of one address the last, which is in force.
func lastOfEach(ls []dwarf.LineEntry) func(func(dwarf.LineEntry) bool) {
	return func(yield func(dwarf.LineEntry) bool) {
		for i, l := range ls {
			if i+1 < len(ls) && ls[i+1].Address == l.Address {
				continue
			}
			if !yield(l) {
				return
			}
		}
	}
}

// subprograms lists the functions of a unit that have code.
func (s *source) subprograms(e *dwarf.Entry) (out []subprogram) {
	r := s.data.Reader()
	r.Seek(e.Offset)
	if _, err := r.Next(); err != nil {
		return nil
	}
	for level := 1; level > 0; {
		d, err := r.Next()
		if err != nil || d == nil {
			return out
		}
		switch d.Tag {
		case 0:
			level--
			continue
		case dwarf.TagSubprogram:
			ranges, err := s.data.Ranges(d)
			if err == nil {
				for _, x := range ranges {
					out = append(out, subprogram{x[0], x[1], d.Offset})
				}
			}
			r.SkipChildren()
		case dwarf.TagNamespace, dwarf.TagModule:
			if d.Children {
				level++
			}
		default:
			r.SkipChildren()
		}
	}
	return out
}

// inlined adds to the line of an address the functions that it belongs to.
func (s *source) inlined(u *unit, at uint64, here call) []call {
	i := slices.IndexFunc(u.subprograms, func(p subprogram) bool { return at >= p.from && at < p.to })
	if i < 0 {
		return nil
	}
	r := s.data.Reader()
	r.Seek(u.subprograms[i].offset)
	top, err := r.Next()
	if err != nil || top == nil {
		return nil
	}
	chain := []*dwarf.Entry{top} // the function, then what was put into it
	for level := 1; top.Children && level > 0; {
		d, err := r.Next()
		if err != nil || d == nil {
			break
		}
		if d.Tag == 0 {
			level--
			continue
		}
		if (d.Tag == dwarf.TagInlinedSubroutine || d.Tag == dwarf.TagLexDwarfBlock) && s.covers(d, at) {
			if d.Tag == dwarf.TagInlinedSubroutine {
				chain = append(chain, d)
			}
			if d.Children {
				level++
			}
			continue
		}
		r.SkipChildren()
	}
	var out []call
	for _, d := range slices.Backward(chain) {
		here.function = s.name(d)
		out = append(out, here)
		file, _ := d.Val(dwarf.AttrCallFile).(int64)
		line, _ := d.Val(dwarf.AttrCallLine).(int64)
		here = call{line: int(line)}
		if file >= 0 && int(file) < len(u.files) && u.files[file] != nil {
			here.file = u.files[file].Name
		}
	}
	return out
}

func (s *source) covers(d *dwarf.Entry, at uint64) bool {
	ranges, err := s.data.Ranges(d)
	return err == nil && slices.ContainsFunc(ranges, func(x [2]uint64) bool { return at >= x[0] && at < x[1] })
}

// name is that of a function's entry, or of the ones that it refers to.
func (s *source) name(d *dwarf.Entry) string {
	const references = 4 // an inlined call, its abstract function, the declaration in the class
	plain := ""
	for range references {
		if n, ok := d.Val(dwarf.AttrLinkageName).(string); ok {
			return n
		}
		if n, ok := d.Val(dwarf.AttrName).(string); ok && plain == "" {
			plain = n
		}
		next, ok := d.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			next, ok = d.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		r := s.data.Reader()
		r.Seek(next)
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		d = e
	}
	return plain
}
