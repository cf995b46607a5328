package classfile

import (
	"encoding/binary"
	"errors"
)

// Tags of constants (JVMS table 4.4-A).
const (
	tagString             = 1 // CONSTANT_Utf8
	tagInteger            = 3
	tagFloat              = 4
	tagLong               = 5
	tagDouble             = 6
	tagClass              = 7
	tagStringConstant     = 8
	tagField              = 9
	tagMethod             = 10
	tagInterfaceMethod    = 11
	tagNameAndType        = 12
	tagMethodHandle       = 15
	tagMethodType         = 16
	tagDynamic            = 17
	tagInvokeDynamic      = 18
	tagModule             = 19
	tagPackage            = 20
	maxConstants          = 65535
	lastShortConstant     = 255
	constantsOfWideFormat = 2 // a long or double takes two numbers
)

// constant is an entry of the pool: its tag and what follows it.
type constant struct {
	tag  byte
	data []byte // of a string: its bytes, in modified UTF-8
}

// Pool is the constant pool. Index 0 is no constant.
type Pool struct {
	entries []constant
	added   map[string]uint16
	err     error
}

// ErrPoolFull says that a class has no room for another constant.
var ErrPoolFull = errors.New("the constant pool is full")

// Err tells whether an addition failed.
func (p *Pool) Err() error { return p.err }

func (p *Pool) read(r *reader) {
	n := int(r.u2())
	if n == 0 {
		r.fail("a pool of constants counts one more than it has, so never 0")
	}
	p.entries = make([]constant, max(n, 1))
	for i := 1; i < n && r.err == nil; i++ {
		c := constant{tag: r.u1()}
		switch c.tag {
		case tagString:
			c.data = r.bytes(int(r.u2()))
		case tagInteger, tagFloat, tagField, tagMethod, tagInterfaceMethod, tagNameAndType, tagDynamic, tagInvokeDynamic:
			c.data = r.bytes(4)
		case tagLong, tagDouble:
			c.data = r.bytes(8)
		case tagClass, tagStringConstant, tagMethodType, tagModule, tagPackage:
			c.data = r.bytes(2)
		case tagMethodHandle:
			c.data = r.bytes(3)
		default:
			r.fail("constant %d has the unknown tag %d", i, c.tag)
		}
		p.entries[i] = c
		if c.tag == tagLong || c.tag == tagDouble {
			i += constantsOfWideFormat - 1
			if i >= n {
				r.fail("the last constant is half of one")
			}
		}
	}
}

func (p *Pool) append(w []byte) []byte {
	w = put2(w, uint16(len(p.entries)))
	for _, c := range p.entries[1:] {
		if c.tag == 0 {
			continue // the second number of a long or double
		}
		w = append(w, c.tag)
		if c.tag == tagString {
			w = put2(w, uint16(len(c.data)))
		}
		w = append(w, c.data...)
	}
	return w
}

// at is the constant with a number and tag; an empty one if there is none.
func (p *Pool) at(i uint16, tag byte) constant {
	if int(i) < len(p.entries) && p.entries[i].tag == tag {
		return p.entries[i]
	}
	return constant{data: make([]byte, 4)}
}

// String is string constant i; "" if it is none.
func (p *Pool) String(i uint16) string {
	if c := p.at(i, tagString); c.tag != 0 {
		return string(c.data)
	}
	return ""
}

// Class is the name of class constant i; "" if it is none.
func (p *Pool) Class(i uint16) string {
	return p.String(binary.BigEndian.Uint16(p.at(i, tagClass).data))
}

// Method is the method that an instruction calls.
func (p *Pool) Method(i uint16) (owner, name, descriptor string) {
	c := p.at(i, tagMethod)
	if c.tag == 0 {
		c = p.at(i, tagInterfaceMethod)
	}
	owner = p.Class(binary.BigEndian.Uint16(c.data))
	nt := p.at(binary.BigEndian.Uint16(c.data[2:]), tagNameAndType)
	return owner, p.String(binary.BigEndian.Uint16(nt.data)), p.String(binary.BigEndian.Uint16(nt.data[2:]))
}

// Field is the field that an instruction reads or writes.
func (p *Pool) Field(i uint16) (owner, name, descriptor string) {
	c := p.at(i, tagField)
	nt := p.at(binary.BigEndian.Uint16(c.data[2:]), tagNameAndType)
	return p.Class(binary.BigEndian.Uint16(c.data)), p.String(binary.BigEndian.Uint16(nt.data)), p.String(binary.BigEndian.Uint16(nt.data[2:]))
}

// add returns the number of a constant, which it adds if it did not before.
// When the pool is full it returns 0 and Err tells.
func (p *Pool) add(tag byte, data []byte) uint16 {
	key := string(append([]byte{tag}, data...))
	if i, ok := p.added[key]; ok {
		return i
	}
	if len(p.entries) >= maxConstants {
		p.err = ErrPoolFull
		return 0
	}
	if p.added == nil {
		p.added = map[string]uint16{}
	}
	i := uint16(len(p.entries))
	p.entries = append(p.entries, constant{tag, data})
	p.added[key] = i
	return i
}

// AddString returns the number of a string constant.
func (p *Pool) AddString(s string) uint16 { return p.add(tagString, []byte(s)) }

// AddClass returns the number of a class constant.
func (p *Pool) AddClass(name string) uint16 { return p.add(tagClass, put2(nil, p.AddString(name))) }

// AddInteger returns the number of an int constant.
func (p *Pool) AddInteger(v int32) uint16 {
	return p.add(tagInteger, binary.BigEndian.AppendUint32(nil, uint32(v)))
}

// AddMethod returns the number of a reference to a method of a class.
func (p *Pool) AddMethod(owner, name, descriptor string) uint16 {
	nt := p.add(tagNameAndType, put2(nil, p.AddString(name), p.AddString(descriptor)))
	return p.add(tagMethod, put2(nil, p.AddClass(owner), nt))
}
