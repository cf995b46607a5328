package classfile

import "encoding/binary"

// Instructions that are treated by name (JVMS §6.5).
const (
	opAconstNull    = 1
	opLconst0       = 9
	opSipush        = 17
	opLdc           = 18
	opLdcWide       = 19
	opIload         = 21
	opLload         = 22
	opFload         = 23
	opDload         = 24
	opAload         = 25
	opAload0        = 42
	opIstore        = 54
	opIstore0       = 59 // … 78: istore_0 to astore_3
	opLstore        = 55
	opAstore        = 58
	opPop           = 87
	OpDup           = 89
	opDup2          = 92
	opI2l           = 133
	opI2d           = 135
	opL2d           = 138
	opF2d           = 141
	opF2l           = 140
	opD2l           = 143
	opIinc          = 132
	opIfeq          = 153
	opGoto          = 167
	opJsr           = 168
	OpAload0        = 42
	opRet           = 169
	opTableSwitch   = 170
	opLookupSwitch  = 171
	opIreturn       = 172
	OpReturn        = 177 // the last of the six returns
	OpGetStatic     = 178
	OpPutStatic     = 179
	OpGetField      = 180
	OpPutField      = 181
	OpInvokeVirtual = 182
	OpInvokeSpecial = 183
	OpInvokeStatic  = 184
	OpInvokeIface   = 185
	OpInvokeDynamic = 186
	OpNew           = 187
	OpNewArray      = 188
	OpANewArray     = 189
	opAthrow        = 191
	OpMonitorEnter  = 194
	OpMonitorExit   = 195
	opWide          = 196
	opIfnull        = 198
	opIfnonnull     = 199
	opGotoWide      = 200
	opJsrWide       = 201
)

// IsReturn reports whether an instruction leaves the method normally.
func IsReturn(op byte) bool { return op >= opIreturn && op <= OpReturn }

// FallsThrough reports whether the next instruction may come after this one
// without a jump.
func FallsThrough(op byte) bool {
	switch op {
	case opGoto, opGotoWide, opTableSwitch, opLookupSwitch, opAthrow, opJsr, opJsrWide, opRet:
		return false
	}
	return !IsReturn(op)
}

// CallsSubroutine reports whether an instruction calls a subroutine in the body
// or returns from one, as class files before Java 6 do.
func CallsSubroutine(op byte) bool { return op == opJsr || op == opJsrWide || op == opRet }

// lengths are the sizes of instructions in bytes; 0: see variableLength.
var lengths = func() (l [opJsrWide + 1]int) {
	for i := range l {
		l[i] = 1
	}
	set := func(n int, ops ...int) {
		for _, op := range ops {
			l[op] = n
		}
	}
	run := func(n, first, last int) {
		for op := first; op <= last; op++ {
			l[op] = n
		}
	}
	set(2, 16, opLdc, opRet, 188) // bipush, ldc, ret, newarray
	run(2, opIload, opAload)
	run(2, opIstore, opAstore)
	set(3, opSipush, opLdcWide, 20, opIinc, 189, 192, 193, opIfnull, opIfnonnull)
	run(3, opIfeq, opJsr)
	run(3, 178, OpInvokeStatic) // get and put, invokes
	set(3, OpNew)
	set(4, 197) // multianewarray
	set(5, OpInvokeIface, OpInvokeDynamic, opGotoWide, opJsrWide)
	set(0, opTableSwitch, opLookupSwitch, opWide)
	return l
}()

// length is the size of the instruction at pc; 0 if there is none.
func length(code []byte, pc int) int {
	op := code[pc]
	if int(op) >= len(lengths) {
		return 0
	}
	n := lengths[op]
	if n == 0 {
		n = variableLength(code, pc)
	}
	if n <= 0 || n > len(code)-pc {
		return 0
	}
	return n
}

func variableLength(code []byte, pc int) int {
	if code[pc] == opWide {
		switch {
		case pc+1 >= len(code):
			return 0
		case code[pc+1] == opIinc:
			return 6
		}
		return 4
	}
	q := aligned(pc)
	if q+12 > len(code) && (code[pc] == opTableSwitch || q+8 > len(code)) {
		return 0
	}
	if code[pc] == opTableSwitch {
		low, high := int64(signed4(code, q+4)), int64(signed4(code, q+8))
		if high < low || high-low >= int64(len(code)) {
			return 0
		}
		return q + 12 + 4*int(high-low+1) - pc
	}
	pairs := int64(signed4(code, q+4))
	if pairs < 0 || pairs > int64(len(code)) {
		return 0
	}
	return q + 8 + 8*int(pairs) - pc
}

// aligned is where the operands of a switch at pc begin.
func aligned(pc int) int { return (pc + 4) &^ 3 }

func signed2(b []byte, at int) int   { return int(int16(binary.BigEndian.Uint16(b[at:]))) }
func signed4(b []byte, at int) int32 { return int32(binary.BigEndian.Uint32(b[at:])) }

// isBranch reports whether an instruction has a target 2 bytes wide.
func isBranch(op byte) bool {
	return op >= opIfeq && op <= opJsr || op == opIfnull || op == opIfnonnull
}
