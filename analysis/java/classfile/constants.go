package classfile

import (
	"encoding/binary"
	"math"
)

// Constant is what the instruction at pc pushes if that is a constant: a text or a
// number. ok is false for any other instruction, and for other constants.
func (c *Code) Constant(pc int) (text string, number float64, ok bool) {
	const iconst0, bipush, ldcLong = 3, 16, 20
	switch op := c.code[pc]; {
	case op >= opAconstNull+1 && op < opLconst0: // iconst_m1 to iconst_5
		return "", float64(op) - iconst0, true
	case op == opLconst0 || op == opLconst0+1:
		return "", float64(op - opLconst0), true
	case op == bipush:
		return "", float64(int8(c.code[pc+1])), true
	case op == opSipush:
		return "", float64(signed2(c.code, pc+1)), true
	case op == opLdc:
		return c.pool.value(uint16(c.code[pc+1]))
	case op == opLdcWide || op == ldcLong:
		return c.pool.value(uint16(signed2(c.code, pc+1)))
	}
	return "", 0, false
}

// value is the text or the number that constant i is.
func (p *Pool) value(i uint16) (text string, number float64, ok bool) {
	if int(i) >= len(p.entries) {
		return "", 0, false
	}
	switch c := p.entries[i]; c.tag {
	case tagStringConstant:
		return p.String(binary.BigEndian.Uint16(c.data)), 0, true
	case tagInteger:
		return "", float64(int32(binary.BigEndian.Uint32(c.data))), true
	case tagLong:
		return "", float64(int64(binary.BigEndian.Uint64(c.data))), true
	case tagFloat:
		return "", float64(math.Float32frombits(binary.BigEndian.Uint32(c.data))), true
	case tagDouble:
		return "", math.Float64frombits(binary.BigEndian.Uint64(c.data)), true
	}
	return "", 0, false
}
