package vector

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"strings"
	"time"
)

// About is what a file says of its picture, for whoever cannot see it or finds
// it years later.
type About struct {
	Title, Description string
	Creator            string    // the program
	Date               time.Time // zero: the file has none
	Facts              []Fact    // such as model, seed and command
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// keywords are the facts as one line.
func (a About) keywords() string {
	var parts []string
	for _, f := range a.Facts {
		parts = append(parts, f.Name+": "+f.Value)
	}
	return strings.Join(parts, "; ")
}

// json is everything as an object, in the order given.
func (a About) json() string {
	var b bytes.Buffer
	b.WriteByte('{')
	put := func(name, value string) {
		if value == "" {
			return
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		for i, s := range []string{name, value} {
			if i > 0 {
				b.WriteByte(':')
			}
			text, err := json.Marshal(s)
			if err != nil {
				panic("vector: a string always has a JSON form: " + err.Error())
			}
			b.Write(text)
		}
	}
	put("title", a.Title)
	put("description", a.Description)
	put("creator", a.Creator)
	if !a.Date.IsZero() {
		put("date", a.Date.Format(time.RFC3339))
	}
	for _, f := range a.Facts {
		put(f.Name, f.Value)
	}
	b.WriteByte('}')
	return b.String()
}

// pngHeader is the signature and the first chunk of a PNG file (PNG, 3rd ed.,
// §5.2, §11.2.2): 8 bytes, then length, type, 13 bytes and a check sum.
const pngHeader = 8 + 4 + 4 + 13 + 4

// Describe returns a PNG file that says what it is about, in iTXt chunks (PNG,
// 3rd ed., §11.3.3.4).
func (a About) Describe(png []byte) []byte {
	if len(png) < pngHeader {
		return png
	}
	out := bytes.NewBuffer(bytes.Clone(png[:pngHeader]))
	for _, t := range []Fact{{"Title", a.Title}, {"Description", a.Description}, {"Software", a.Creator}, {"Comment", a.json()}} {
		if t.Value != "" {
			chunk(out, "iTXt", []byte(t.Name+"\x00\x00\x00\x00\x00"+t.Value))
		}
	}
	out.Write(png[pngHeader:])
	return out.Bytes()
}

// chunk writes length, type, data and check sum.
func chunk(b *bytes.Buffer, kind string, data []byte) {
	body := append([]byte(kind), data...)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	b.Write(body)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}
