package vector

import (
	"bytes"
	"encoding/binary"
	"slices"

	"golang.org/x/image/font/sfnt"
)

// Tables of a TrueType file that drawing letters needs (OpenType 1.9, "Required
// tables"), and those of hinting. Left out are layout, kerning and the names of
// glyphs.
var kept = []string{"OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "prep"}

// subset returns a TrueType file in which only some letters have outlines: the
// others, and tables that no reader needs, are left out. The glyphs keep their
// numbers, so the rest of the file stays as it is. A file that is not laid out as
// expected is returned whole.
func subset(face *sfnt.Font, letters []rune) []byte {
	whole := source(face)
	tables := readTables(whole)
	glyf, loca, head := tables["glyf"], tables["loca"], tables["head"]
	if glyf == nil || loca == nil || len(head) < 54 {
		return whole
	}
	long := binary.BigEndian.Uint16(head[50:]) == 1 // indexToLocFormat
	offset := func(i int) int {
		if long {
			return int(binary.BigEndian.Uint32(loca[4*i:]))
		}
		return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
	}
	glyphs := len(loca)/2 - 1
	if long {
		glyphs = len(loca)/4 - 1
	}
	keep := map[int]bool{0: true} // the sign for what is missing
	var buffer sfnt.Buffer
	for _, r := range letters {
		if g, err := face.GlyphIndex(&buffer, r); err == nil {
			keepWithParts(keep, int(g), func(i int) []byte {
				if i >= glyphs || offset(i+1) > len(glyf) {
					return nil
				}
				return glyf[offset(i):offset(i+1)]
			})
		}
	}
	var shapes []byte
	places := make([]byte, 0, 4*(glyphs+1))
	for i := range glyphs {
		places = binary.BigEndian.AppendUint32(places, uint32(len(shapes)))
		if keep[i] && offset(i+1) <= len(glyf) {
			shapes = append(shapes, glyf[offset(i):offset(i+1)]...)
			shapes = append(shapes, make([]byte, -len(shapes)&3)...)
		}
	}
	places = binary.BigEndian.AppendUint32(places, uint32(len(shapes)))
	head = bytes.Clone(head)
	binary.BigEndian.PutUint16(head[50:], 1)
	tables["glyf"], tables["loca"], tables["head"] = shapes, places, head
	if post := tables["post"]; len(post) >= 32 { // version 3: no names of glyphs
		tables["post"] = append([]byte{0, 3, 0, 0}, post[4:32]...)
	}
	return writeTables(whole[:4], tables)
}

// Flags of the parts of a composite glyph (OpenType 1.9, "glyf").
const (
	argsAreWords = 1 << 0
	hasScale     = 1 << 3
	moreParts    = 1 << 5
	hasXYScale   = 1 << 6
	hasTwoByTwo  = 1 << 7
)

// keepWithParts keeps a glyph and those that it is put together from.
func keepWithParts(keep map[int]bool, i int, shape func(int) []byte) {
	if keep[i] && i != 0 {
		return
	}
	keep[i] = true
	s := shape(i)
	if len(s) < 10 || int16(binary.BigEndian.Uint16(s)) >= 0 {
		return // empty, or simple
	}
	for s = s[10:]; len(s) >= 4; {
		flags := binary.BigEndian.Uint16(s)
		keepWithParts(keep, int(binary.BigEndian.Uint16(s[2:])), shape)
		size := 4 + 2
		if flags&argsAreWords != 0 {
			size += 2
		}
		switch {
		case flags&hasScale != 0:
			size += 2
		case flags&hasXYScale != 0:
			size += 4
		case flags&hasTwoByTwo != 0:
			size += 8
		}
		if flags&moreParts == 0 || size > len(s) {
			return
		}
		s = s[size:]
	}
}

// readTables returns the tables of a TrueType file that are kept.
func readTables(file []byte) map[string][]byte {
	tables := map[string][]byte{}
	if len(file) < 12 {
		return tables
	}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[min(12+16*i, len(file)):]
		if len(entry) < 16 {
			break
		}
		at, size := int(binary.BigEndian.Uint32(entry[8:])), int(binary.BigEndian.Uint32(entry[12:]))
		if name := string(entry[:4]); slices.Contains(kept, name) && at+size <= len(file) {
			tables[name] = file[at : at+size]
		}
	}
	return tables
}

// writeTables puts a TrueType file together.
func writeTables(version []byte, tables map[string][]byte) []byte {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	n := len(names)
	power := 1 // the largest power of two that is not larger than n
	log := 0
	for 2*power <= n {
		power, log = 2*power, log+1
	}
	out := bytes.Clone(version)
	for _, v := range []int{n, 16 * power, log, 16 * (n - power)} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at := 12 + 16*n
	var body []byte
	for _, name := range names {
		t := slices.Concat(tables[name], make([]byte, -len(tables[name])&3))
		sum := uint32(0)
		for i := 0; i < len(t); i += 4 {
			sum += binary.BigEndian.Uint32(t[i:])
		}
		out = append(out, name...)
		for _, v := range []uint32{sum, uint32(at + len(body)), uint32(len(tables[name]))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, t...)
	}
	return append(out, body...)
}
