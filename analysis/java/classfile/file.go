package classfile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Access flags of classes and methods (JVMS §4.1, §4.6).
const (
	accPrivate      = 0x0002
	AccStatic       = 0x0008
	AccFinal        = 0x0010
	AccSynchronized = 0x0020
	accSynthetic    = 0x1000
	AccNative       = 0x0100
	AccInterface    = 0x0200
	AccAbstract     = 0x0400
)

// File is a class file.
type File struct {
	Minor, Major uint16
	Pool         Pool
	Access       uint16
	This, Super  uint16   // classes in Pool; Super is 0 in java.lang.Object and in modules
	Interfaces   []uint16 // classes in Pool
	Fields       []Member
	Methods      []Member
	Attributes   []Attribute
}

// Member is a field or a method.
type Member struct {
	Access     uint16
	Name       uint16 // strings in Pool
	Descriptor uint16
	Attributes []Attribute
}

// Attribute is what the compiler adds to a class, member or body.
type Attribute struct {
	Name uint16 // string in Pool
	Data []byte
}

const magic = 0xCAFEBABE

// ErrFormat says that bytes are not a class file.
var ErrFormat = errors.New("not a class file")

// Parse reads a class file. The file shares memory with b.
func Parse(b []byte) (*File, error) {
	r := &reader{b: b}
	if m := r.u4(); r.err == nil && m != magic {
		return nil, fmt.Errorf("%w: it begins with %#08x, not with %#x", ErrFormat, m, uint32(magic))
	}
	f := &File{Minor: r.u2(), Major: r.u2()}
	f.Pool.read(r)
	f.Access, f.This, f.Super = r.u2(), r.u2(), r.u2()
	for range r.u2() {
		f.Interfaces = append(f.Interfaces, r.u2())
	}
	f.Fields = readMembers(r)
	f.Methods = readMembers(r)
	f.Attributes = readAttributes(r)
	if r.err == nil && r.at != len(b) {
		r.fail("%d bytes too many", len(b)-r.at)
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

// Bytes is the class file as it is stored.
func (f *File) Bytes() []byte {
	w := binary.BigEndian.AppendUint32(nil, magic)
	w = put2(w, f.Minor, f.Major)
	w = f.Pool.append(w)
	w = put2(w, f.Access, f.This, f.Super, uint16(len(f.Interfaces)))
	w = put2(w, f.Interfaces...)
	w = appendMembers(w, f.Fields)
	w = appendMembers(w, f.Methods)
	return appendAttributes(w, f.Attributes)
}

// Name is the class's name as the JVM writes it: java/lang/String.
func (f *File) Name() string { return f.Pool.Class(f.This) }

// Supertypes are the names of the superclass and the interfaces.
func (f *File) Supertypes() []string {
	var names []string
	if f.Super != 0 {
		names = append(names, f.Pool.Class(f.Super))
	}
	for _, i := range f.Interfaces {
		names = append(names, f.Pool.Class(i))
	}
	return names
}

// Source is the name of the source file; "" if the compiler left it out.
func (f *File) Source() string {
	if a := f.Pool.find(f.Attributes, "SourceFile"); a != nil && len(a.Data) == 2 {
		return f.Pool.String(binary.BigEndian.Uint16(a.Data))
	}
	return ""
}

// Code is the body of a method; nil if it has none.
func (f *File) Code(m *Member) (*Code, error) {
	a := f.Pool.find(m.Attributes, "Code")
	if a == nil {
		return nil, nil
	}
	c, err := parseCode(&f.Pool, a.Data)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", f.Name(), f.Pool.String(m.Name), err)
	}
	return c, nil
}

// SetCode gives a method that has a body another one.
func (f *File) SetCode(m *Member, body []byte) {
	f.Pool.find(m.Attributes, "Code").Data = body
}

func (p *Pool) find(as []Attribute, name string) *Attribute {
	for i := range as {
		if p.String(as[i].Name) == name {
			return &as[i]
		}
	}
	return nil
}

func readMembers(r *reader) []Member {
	var ms []Member
	for range r.u2() {
		ms = append(ms, Member{Access: r.u2(), Name: r.u2(), Descriptor: r.u2(), Attributes: readAttributes(r)})
		if r.err != nil {
			return nil
		}
	}
	return ms
}

func readAttributes(r *reader) []Attribute {
	var as []Attribute
	for range r.u2() {
		as = append(as, Attribute{Name: r.u2(), Data: r.bytes(int(r.u4()))})
		if r.err != nil {
			return nil
		}
	}
	return as
}

func appendMembers(w []byte, ms []Member) []byte {
	w = put2(w, uint16(len(ms)))
	for i := range ms {
		w = put2(w, ms[i].Access, ms[i].Name, ms[i].Descriptor)
		w = appendAttributes(w, ms[i].Attributes)
	}
	return w
}

func appendAttributes(w []byte, as []Attribute) []byte {
	w = put2(w, uint16(len(as)))
	for _, a := range as {
		w = put2(w, a.Name)
		w = binary.BigEndian.AppendUint32(w, uint32(len(a.Data)))
		w = append(w, a.Data...)
	}
	return w
}

func put2(w []byte, vs ...uint16) []byte {
	for _, v := range vs {
		w = binary.BigEndian.AppendUint16(w, v)
	}
	return w
}

// reader reads big-endian numbers. After the first error it returns zeros.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: at byte %d: %s", ErrFormat, r.at, fmt.Sprintf(format, args...))
	}
}

func (r *reader) bytes(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.b)-r.at {
		r.fail("%d bytes expected, %d are left", n, len(r.b)-r.at)
		return nil
	}
	v := r.b[r.at : r.at+n : r.at+n]
	r.at += n
	return v
}

func (r *reader) u1() byte {
	if v := r.bytes(1); v != nil {
		return v[0]
	}
	return 0
}

func (r *reader) u2() uint16 {
	if v := r.bytes(2); v != nil {
		return binary.BigEndian.Uint16(v)
	}
	return 0
}

func (r *reader) u4() uint32 {
	if v := r.bytes(4); v != nil {
		return binary.BigEndian.Uint32(v)
	}
	return 0
}
