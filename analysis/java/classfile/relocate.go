package classfile

import (
	"encoding/binary"
	"fmt"
)

const maxCode = 65535

// layout says where the old addresses are in the new body.
type layout struct {
	target      []int // for who jumps to it: code inserted before it comes first
	instruction []int // of the instruction itself
	covered     []int // where the range of a handler begins or ends: before code inserted after the instruction before
	size        int
}

// edited reports whether anything was inserted.
func (c *Code) edited() bool {
	return len(c.prologue) > 0 || len(c.before) > 0 || len(c.after) > 0
}

// lay computes where everything goes. The padding of a switch depends on its
// address, which depends only on what comes before it: one pass is enough.
func (c *Code) lay() layout {
	n := len(c.code)
	l := layout{target: make([]int, n+1), instruction: make([]int, n+1), covered: make([]int, n+1)}
	at := len(c.prologue)
	l.covered[0] = at
	for pc := 0; pc < n; {
		size := length(c.code, pc)
		l.target[pc] = at
		at += len(c.before[pc])
		l.instruction[pc] = at
		if op := c.code[pc]; op == opTableSwitch || op == opLookupSwitch {
			at += aligned(at) - at - (aligned(pc) - pc)
		}
		at += size
		l.covered[pc+size] = at
		at += len(c.after[pc])
		pc += size
	}
	l.target[n], l.instruction[n] = at, at
	l.size = at
	return l
}

// Relocate returns the body with everything that was inserted, as the data of
// a Code attribute. It fails with ErrTooLarge when a limit of the format is
// reached, and leaves the pool as it was but for added constants.
func (c *Code) Relocate() ([]byte, error) {
	l := c.lay()
	if l.size > maxCode {
		return nil, ErrTooLarge
	}
	code, err := c.move(&l)
	if err != nil {
		return nil, err
	}
	w := put2(nil, c.MaxStack, c.MaxLocals)
	w = binary.BigEndian.AppendUint32(w, uint32(len(code)))
	w = append(w, code...)
	w = c.moveHandlers(w, &l)
	as, err := c.moveAttributes(&l)
	if err != nil {
		return nil, err
	}
	return appendAttributes(w, as), nil
}

// move returns the instructions with new addresses in the branches.
func (c *Code) move(l *layout) ([]byte, error) {
	w := make([]byte, 0, l.size)
	w = append(w, c.prologue...)
	for pc := 0; pc < len(c.code); {
		size := length(c.code, pc)
		w = append(w, c.before[pc]...)
		at := len(w)
		jump := func(operand int) int { return l.target[pc+operand] - at }
		switch op := c.code[pc]; {
		case isBranch(op):
			d := jump(signed2(c.code, pc+1))
			if d != int(int16(d)) {
				return nil, fmt.Errorf("%w: a branch over %d bytes", ErrTooLarge, d)
			}
			w = put2(append(w, op), uint16(d))
		case op == opGotoWide || op == opJsrWide:
			w = append(w, op)
			w = put4(w, jump(int(signed4(c.code, pc+1))))
		case op == opTableSwitch || op == opLookupSwitch:
			w = append(w, op)
			for len(w) < aligned(at) {
				w = append(w, 0)
			}
			q := aligned(pc)
			w = put4(w, jump(int(signed4(c.code, q))))
			if op == opTableSwitch {
				w = append(w, c.code[q+4:q+12]...)
				for o := q + 12; o < pc+size; o += 4 {
					w = put4(w, jump(int(signed4(c.code, o))))
				}
				break
			}
			w = append(w, c.code[q+4:q+8]...)
			for o := q + 8; o < pc+size; o += 8 {
				w = append(w, c.code[o:o+4]...)
				w = put4(w, jump(int(signed4(c.code, o+4))))
			}
		default:
			w = append(w, c.code[pc:pc+size]...)
		}
		w = append(w, c.after[pc]...)
		pc += size
	}
	return w, nil
}

func put4(w []byte, v int) []byte { return binary.BigEndian.AppendUint32(w, uint32(int32(v))) }

func (c *Code) moveHandlers(w []byte, l *layout) []byte {
	w = put2(w, uint16(len(c.handlers)))
	for _, h := range c.handlers {
		w = put2(w, uint16(l.covered[h.start]), uint16(l.covered[h.end]), uint16(l.target[h.target]), h.typ)
	}
	return w
}

// moveAttributes returns the tables of the body with new addresses. Type
// annotations of code have addresses of many kinds and no effect at run time:
// where code is inserted they go.
func (c *Code) moveAttributes(l *layout) ([]Attribute, error) {
	var as []Attribute
	for _, a := range c.attributes {
		var err error
		switch c.pool.String(a.Name) {
		case "LineNumberTable":
			a.Data, err = c.moveTable(a.Data, l, false)
		case "LocalVariableTable", "LocalVariableTypeTable":
			a.Data, err = c.moveTable(a.Data, l, true)
		case "StackMapTable":
			a.Data, err = c.moveFrames(a.Data, l)
		case "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations":
			if c.edited() {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		as = append(as, a)
	}
	return as, c.pool.Err()
}

// moveTable moves a LineNumberTable, or a table of ranges of local variables.
func (c *Code) moveTable(data []byte, l *layout, ranges bool) ([]byte, error) {
	r := &reader{b: data}
	n := r.u2()
	w := put2(nil, n)
	for range n {
		start := int(r.u2())
		end := start
		if ranges {
			end += int(r.u2())
		}
		if r.err != nil || end > len(c.code) || !c.starts[start] || !c.starts[end] {
			return nil, fmt.Errorf("%w: a debugging table names address %d, where no instruction begins", ErrFormat, start)
		}
		w = put2(w, uint16(l.target[start]))
		if ranges {
			w = put2(w, uint16(l.target[end]-l.target[start]))
			w = append(w, r.bytes(6)...)
		} else {
			w = put2(w, r.u2())
		}
	}
	return append(w, r.bytes(len(data)-r.at)...), r.err
}
