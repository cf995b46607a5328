package classfile

import (
	"errors"
	"fmt"
)

// Code is the body of a method, to be read and to be edited.
type Code struct {
	MaxStack, MaxLocals uint16

	pool       *Pool
	code       []byte
	handlers   []handler
	attributes []Attribute

	starts        []bool // whether an instruction begins there
	prologue      []byte
	before, after map[int][]byte
}

// handler is an entry of the exception table: exceptions of class typ (0: all)
// in [start, end) go to target.
type handler struct{ start, end, target, typ uint16 }

// Instruction is one instruction of a body.
type Instruction struct {
	PC      int
	Op      byte
	Operand uint16 // of those that name a constant
}

func parseCode(p *Pool, data []byte) (*Code, error) {
	r := &reader{b: data}
	c := &Code{pool: p, MaxStack: r.u2(), MaxLocals: r.u2()}
	c.code = r.bytes(int(r.u4()))
	for range r.u2() {
		c.handlers = append(c.handlers, handler{r.u2(), r.u2(), r.u2(), r.u2()})
		if r.err != nil {
			return nil, r.err
		}
	}
	c.attributes = readAttributes(r)
	if r.err == nil && r.at != len(data) {
		r.fail("%d bytes too many in the body", len(data)-r.at)
	}
	if r.err != nil {
		return nil, r.err
	}
	return c, c.findStarts()
}

// findStarts finds where instructions begin, and checks that every address
// in the body is such a place.
func (c *Code) findStarts() error {
	n := len(c.code)
	c.starts = make([]bool, n+1)
	for pc := 0; pc < n; {
		l := length(c.code, pc)
		if l == 0 {
			return fmt.Errorf("%w: no instruction at %d of %d: byte %d", ErrFormat, pc, n, c.code[pc])
		}
		c.starts[pc] = true
		pc += l
	}
	c.starts[n] = true
	for pc := 0; pc < n; pc += length(c.code, pc) {
		for _, t := range c.Targets(pc) {
			if t < 0 || t >= n || !c.starts[t] {
				return fmt.Errorf("%w: the instruction at %d jumps to %d, where none begins", ErrFormat, pc, t)
			}
		}
	}
	for _, h := range c.handlers {
		if int(h.start) >= n || int(h.end) > n || int(h.target) >= n || !c.starts[h.start] || !c.starts[h.end] || !c.starts[h.target] {
			return fmt.Errorf("%w: exception table: %v is not between instructions", ErrFormat, h)
		}
	}
	return nil
}

// Targets are the addresses to which the instruction at pc may jump.
func (c *Code) Targets(pc int) []int {
	switch op := c.code[pc]; {
	case isBranch(op):
		return []int{pc + signed2(c.code, pc+1)}
	case op == opGotoWide || op == opJsrWide:
		return []int{pc + int(signed4(c.code, pc+1))}
	case op == opTableSwitch || op == opLookupSwitch:
		q, end := aligned(pc), pc+length(c.code, pc)
		ts := []int{pc + int(signed4(c.code, q))}
		at, by := q+12, 4
		if op == opLookupSwitch {
			at, by = q+12, 8
		}
		for ; at+4 <= end; at += by {
			ts = append(ts, pc+int(signed4(c.code, at)))
		}
		return ts
	}
	return nil
}

// Instructions lists the instructions of the body in the order of their
// addresses.
func (c *Code) Instructions() []Instruction {
	var is []Instruction
	for pc := 0; pc < len(c.code); pc += length(c.code, pc) {
		i := Instruction{PC: pc, Op: c.code[pc]}
		switch {
		case i.Op >= 178 && i.Op <= 189, i.Op == 192, i.Op == 193:
			i.Operand = uint16(signed2(c.code, pc+1))
		}
		is = append(is, i)
	}
	return is
}

// Line is the source line of an address; 0 if the compiler left it out.
func (c *Code) Line(pc int) int {
	line, from := 0, -1
	for _, a := range c.attributes {
		if c.pool.String(a.Name) != "LineNumberTable" {
			continue
		}
		r := &reader{b: a.Data}
		for range r.u2() {
			start, l := int(r.u2()), int(r.u2())
			if r.err == nil && start <= pc && start > from {
				line, from = l, start
			}
		}
	}
	return line
}

// Stores says to which local an instruction stores a value, and of which type.
func (c *Code) Stores(in Instruction) (slot int, t Type, ok bool) {
	types := []Type{Int, Long, Float, Double, Reference}
	switch op := in.Op; {
	case op >= opIstore && op <= opAstore:
		return int(c.code[in.PC+1]), types[op-opIstore], true
	case op >= opIstore0 && op < opIstore0+20:
		return int(op-opIstore0) % 4, types[(op-opIstore0)/4], true
	case op == opWide && c.code[in.PC+1] >= opIstore && c.code[in.PC+1] <= opAstore:
		return signed2(c.code, in.PC+2) & 0xffff, types[c.code[in.PC+1]-opIstore], true
	}
	return 0, 0, false
}

// Loads says from which local an instruction loads a reference.
func (c *Code) Loads(in Instruction) (slot int, ok bool) {
	switch op := in.Op; {
	case op == opAload:
		return int(c.code[in.PC+1]), true
	case op >= opAload0 && op < opAload0+4:
		return int(op - opAload0), true
	case op == opWide && c.code[in.PC+1] == opAload:
		return signed2(c.code, in.PC+2) & 0xffff, true
	}
	return 0, false
}

// Variable is the name and the descriptor of a local in the instruction at pc, or behind it if that gives it its first
// value; false where the compiler left names out.
func (c *Code) Variable(slot, pc int) (name, desc string, ok bool) {
	for _, a := range c.attributes {
		if c.pool.String(a.Name) != "LocalVariableTable" {
			continue
		}
		r := &reader{b: a.Data}
		for range r.u2() {
			start, length, name, desc, at := int(r.u2()), int(r.u2()), r.u2(), r.u2(), int(r.u2())
			if r.err == nil && at == slot && start <= pc+lengthOf(c.code, pc) && pc < start+length {
				return c.pool.String(name), c.pool.String(desc), true
			}
		}
	}
	return "", "", false
}

// Local is the name of a local as Variable has it; its number and the line where the compiler left names out.
func (c *Code) Local(slot, pc int) string {
	if name, _, ok := c.Variable(slot, pc); ok {
		return name
	}
	return fmt.Sprintf("local%d:%d", slot, c.Line(pc))
}

// lengthOf is the size of the instruction at pc; 0 outside of the code.
func lengthOf(code []byte, pc int) int {
	if pc >= len(code) {
		return 0
	}
	return length(code, pc)
}

// Handles reports whether the instruction at pc belongs to a handler that
// covers itself, as those do that leave a monitor.
func (c *Code) Handles(pc int) bool {
	for _, h := range c.handlers {
		if h.start <= h.target && int(h.target) <= pc && pc < int(h.end) {
			return true
		}
	}
	return false
}

// Prologue inserts code that runs once, when the method is entered. It must
// leave the stack empty.
func (c *Code) Prologue(code []byte) { c.prologue = append(c.prologue, code...) }

// Before inserts code before the instruction at pc; who jumps there executes
// it too. It must leave stack and locals as they were. It panics if no
// instruction begins at pc.
func (c *Code) Before(pc int, code []byte) { insert(c, &c.before, pc, code) }

// After inserts code after the instruction at pc; who jumps to the next one
// does not execute it.
func (c *Code) After(pc int, code []byte) { insert(c, &c.after, pc, code) }

func insert(c *Code, at *map[int][]byte, pc int, code []byte) {
	if pc < 0 || pc >= len(c.code) || !c.starts[pc] {
		panic(fmt.Sprintf("classfile: no instruction begins at %d", pc))
	}
	if *at == nil {
		*at = map[int][]byte{}
	}
	(*at)[pc] = append((*at)[pc], code...)
}

// Reserve makes room for locals that inserted code uses, n words from the
// number that it returns, and for stack words more on the stack.
func (c *Code) Reserve(n, stack int) (first int, err error) {
	first = int(c.MaxLocals)
	if first+n > 65535 || int(c.MaxStack)+stack > 65535 {
		return 0, ErrTooLarge
	}
	c.MaxLocals += uint16(n)
	c.MaxStack += uint16(stack)
	return first, nil
}

// ErrTooLarge says that a method cannot take what was to be inserted: a body
// has 65,535 bytes at most, a branch reaches 32,767 far.
var ErrTooLarge = errors.New("the method is too large for probes")
