package native

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
)

// function is a stretch of code with a name.
type function struct {
	from, to uint64
	name     string
	made     bool // by us, of where it begins
}

// functionsOf lists the functions of an ELF file in the order of their addresses: those that symbols
// name, and those that only the table for unwinding knows, which every stripped file has.
func functionsOf(name string, files ...*elf.File) []function {
	var fs []function
	for _, f := range files {
		for _, symbols := range []func() ([]elf.Symbol, error){f.Symbols, f.DynamicSymbols} {
			ss, err := symbols()
			if err != nil {
				continue // stripped
			}
			for _, s := range ss {
				if t := elf.ST_TYPE(s.Info); (t == elf.STT_FUNC || t == elf.STT_GNU_IFUNC) && s.Value != 0 && s.Section != elf.SHN_UNDEF {
					fs = append(fs, function{from: s.Value, to: s.Value + s.Size, name: s.Name})
				}
			}
		}
	}
	fs = sorted(fs)
	named := len(fs)
	for _, at := range unwound(files[0]) {
		i, found := slices.BinarySearchFunc(fs[:named], at.from, func(f function, at uint64) int { return cmp.Compare(f.from, at) })
		if found || i > 0 && at.from < fs[i-1].to {
			continue
		}
		at.name, at.made = fmt.Sprintf("%s+%#x", filepath.Base(name), at.from), true
		fs = append(fs, at)
	}
	return sorted(fs)
}

// sorted orders functions by where they begin; of several names of one the first stays.
func sorted(fs []function) []function {
	slices.SortStableFunc(fs, func(a, b function) int { return cmp.Compare(a.from, b.from) })
	return slices.CompactFunc(fs, func(a, b function) bool { return a.from == b.from })
}

// unwound lists the functions of the search table in .eh_frame_hdr (Linux Standard Base 5.0, core,
// §10.6.2). Its usual form has pairs of 4-byte offsets from the section: where a function begins, and what describes it.
func unwound(f *elf.File) (fs []function) {
	const (
		head    = 12
		usual   = 0x3b // DW_EH_PE_datarel | DW_EH_PE_sdata4
		longest = 1 << 12
	)
	h := f.Section(".eh_frame_hdr")
	if h == nil {
		return nil
	}
	b, err := h.Data()
	if err != nil || len(b) < head || b[3] != usual {
		return nil
	}
	offset := func(i int) uint64 {
		return h.Addr + uint64(int64(int32(binary.LittleEndian.Uint32(b[head+8*i:]))))
	}
	n := min(int(binary.LittleEndian.Uint32(b[8:])), (len(b)-head)/8)
	for i := range n {
		at := function{from: offset(i), to: offset(i) + longest}
		if i+1 < n {
			at.to = offset(i + 1)
		}
		fs = append(fs, at)
	}
	return fs
}

// functionAt finds the function in which an address lies; nil: none.
func functionAt(fs []function, at uint64) *function {
	i, found := slices.BinarySearchFunc(fs, at, func(f function, at uint64) int { return cmp.Compare(f.from, at) })
	if !found {
		i--
	}
	if i < 0 || at >= max(fs[i].to, fs[i].from+1) {
		return nil
	}
	return &fs[i]
}
