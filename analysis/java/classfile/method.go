package classfile

import "encoding/binary"

// Body is a body that is written from scratch, with one handler.
type Body struct {
	Code     []byte
	MaxStack int
	Locals   int // words
	// Everything that is thrown from the code in [Start, End) goes to Handler,
	// which finds, besides the exception, a local in the last word: of type Class, a
	// number in the pool.
	Start, End, Handler int
	Class               uint16
}

// Wrap gives a method the body b; what it had is now that of a new private
// method of the same type, with another name, which the caller adds to the class.
func (f *File) Wrap(m *Member, b *Body, name string) (Member, error) {
	wrapped := Member{Access: accPrivate | accSynthetic | m.Access&AccStatic, Name: f.Pool.AddString(name), Descriptor: m.Descriptor}
	code := f.Pool.find(m.Attributes, "Code")
	wrapped.Attributes = []Attribute{*code}
	if len(b.Code) > maxCode || b.Locals > maxCode || b.MaxStack > maxCode {
		return Member{}, ErrTooLarge
	}
	w := put2(nil, uint16(b.MaxStack), uint16(b.Locals))
	w = binary.BigEndian.AppendUint32(w, uint32(len(b.Code)))
	w = append(w, b.Code...)
	w = put2(w, 1, uint16(b.Start), uint16(b.End), uint16(b.Handler), 0)
	code.Data = appendAttributes(w, []Attribute{{Name: f.Pool.AddString("StackMapTable"), Data: b.frame(&f.Pool)}})
	return wrapped, f.Pool.Err()
}

// frame is the table of the one frame that there is, at the handler: of the locals
// only the last is known.
func (b *Body) frame(p *Pool) []byte {
	w := put2(nil, 1)
	w = put2(append(w, frameFull), uint16(b.Handler), uint16(b.Locals))
	w = append(w, make([]byte, b.Locals-1)...) // Top
	w = put2(append(w, typeObject), b.Class)
	w = put2(w, 1)
	return put2(append(w, typeObject), p.AddClass("java/lang/Throwable"))
}
