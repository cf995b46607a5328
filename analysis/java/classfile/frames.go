package classfile

import "fmt"

// Kinds of stack map frames by their first byte (JVMS §4.7.4).
const (
	frameSameLast      = 63 // same_frame: 0…63, the byte is the distance
	frameOneLast       = 127
	frameOneExtended   = 247
	frameChopFirst     = 248
	frameSameExtended  = 251
	frameAppendLast    = 254
	frameFull          = 255
	typeObject         = 7
	typeUninitialized  = 8
	lastVerificationID = 8
)

// moveFrames gives the frames of a StackMapTable their new addresses. A frame
// whose distance from the one before it is as it was keeps its form.
func (c *Code) moveFrames(data []byte, l *layout) ([]byte, error) {
	r := &reader{b: data}
	n := r.u2()
	w := put2(nil, n)
	old, now := -1, -1
	for range n {
		tag := r.u1()
		var distance int
		switch {
		case tag <= frameSameLast:
			distance = int(tag)
		case tag <= frameOneLast:
			distance = int(tag) - frameSameLast - 1
		default:
			distance = int(r.u2())
		}
		old += distance + 1
		if r.err != nil || old >= len(c.code) || !c.starts[old] {
			return nil, fmt.Errorf("%w: a stack map frame at %d, where no instruction begins", ErrFormat, old)
		}
		d := l.target[old] - now - 1
		now = l.target[old]
		switch {
		case tag <= frameSameLast:
			if d <= frameSameLast {
				w = append(w, byte(d))
			} else {
				w = put2(append(w, frameSameExtended), uint16(d))
			}
		case tag <= frameOneLast && d <= frameSameLast:
			w = append(w, byte(d+frameSameLast+1))
		case tag <= frameOneLast:
			w = put2(append(w, frameOneExtended), uint16(d))
		default:
			w = put2(append(w, tag), uint16(d))
		}
		var err error
		if w, err = c.moveTypes(r, w, tag, l); err != nil {
			return nil, err
		}
	}
	w = append(w, r.bytes(len(data)-r.at)...)
	return w, r.err
}

// moveTypes copies the types of a frame; those of objects that are not
// initialized yet name the address of their new instruction.
func (c *Code) moveTypes(r *reader, w []byte, tag byte, l *layout) ([]byte, error) {
	some := func(n int) error {
		for range n {
			t := r.u1()
			w = append(w, t)
			switch {
			case t > lastVerificationID:
				return fmt.Errorf("%w: a stack map frame has the unknown type %d", ErrFormat, t)
			case t == typeObject:
				w = put2(w, r.u2())
			case t == typeUninitialized:
				pc := int(r.u2())
				if pc >= len(c.code) || !c.starts[pc] {
					return fmt.Errorf("%w: a stack map frame names a new at %d, where no instruction begins", ErrFormat, pc)
				}
				w = put2(w, uint16(l.instruction[pc]))
			}
			if r.err != nil {
				return r.err
			}
		}
		return nil
	}
	counted := func() error {
		n := r.u2()
		w = put2(w, n)
		return some(int(n))
	}
	var err error
	switch {
	case tag > frameSameLast && tag <= frameOneLast || tag == frameOneExtended:
		err = some(1)
	case tag > frameSameExtended && tag <= frameAppendLast:
		err = some(int(tag) - frameSameExtended)
	case tag == frameFull:
		if err = counted(); err == nil {
			err = counted()
		}
	case tag <= frameSameLast, tag >= frameChopFirst && tag <= frameSameExtended: // no types
	default:
		err = fmt.Errorf("%w: unknown stack map frame %d", ErrFormat, tag)
	}
	return w, err
}
