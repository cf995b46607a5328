package classfile

import "fmt"

// Assembler appends the few instructions that probes are made of.
type Assembler struct {
	Pool *Pool
	Code []byte
}

// Push pushes an int between 0 and 2³¹−1.
func (a *Assembler) Push(v int32) {
	if v >= 0 && v <= 32767 {
		a.Code = put2(append(a.Code, opSipush), uint16(v))
		return
	}
	a.ldc(a.Pool.AddInteger(v))
}

// PushClass pushes the object of a class.
func (a *Assembler) PushClass(class uint16) { a.ldc(class) }

func (a *Assembler) ldc(i uint16) { a.Code = put2(append(a.Code, opLdcWide), i) }

// PushNull pushes null.
func (a *Assembler) PushNull() { a.Code = append(a.Code, opAconstNull) }

// PushZero pushes 0L.
func (a *Assembler) PushZero() { a.Code = append(a.Code, opLconst0) }

// PushOne pushes 1L.
func (a *Assembler) PushOne() { a.Code = append(a.Code, opLconst0+1) }

// PushThis pushes local 0.
func (a *Assembler) PushThis() { a.Code = append(a.Code, opAload0) }

// Dup doubles the value on top of the stack, of the given type.
func (a *Assembler) Dup(t Type) {
	if t.Words() == 2 {
		a.Code = append(a.Code, opDup2)
		return
	}
	a.Code = append(a.Code, OpDup)
}

// Pop drops the value on top of the stack.
func (a *Assembler) Pop() { a.Code = append(a.Code, opPop) }

// Load pushes local n.
func (a *Assembler) Load(t Type, n int) { a.local(t.load(), n) }

// Store pops local n.
func (a *Assembler) Store(t Type, n int) { a.local(t.load()+opIstore-opIload, n) }

func (a *Assembler) local(op byte, n int) {
	if n <= lastShortConstant {
		a.Code = append(a.Code, op, byte(n))
		return
	}
	a.Code = put2(append(a.Code, opWide, op), uint16(n))
}

// ToLong turns a number on the stack into a long.
func (a *Assembler) ToLong(t Type) {
	switch t {
	case Long:
	case Float:
		a.Code = append(a.Code, opF2l)
	case Double:
		a.Code = append(a.Code, opD2l)
	case Void, Reference:
		panic("classfile: " + string(t) + " is not a number")
	default:
		a.Code = append(a.Code, opI2l)
	}
}

// ToDouble turns a number on the stack into a double.
func (a *Assembler) ToDouble(t Type) {
	switch t {
	case Double:
	case Long:
		a.Code = append(a.Code, opL2d)
	case Float:
		a.Code = append(a.Code, opF2d)
	case Void, Reference:
		panic("classfile: " + string(t) + " is not a number")
	default:
		a.Code = append(a.Code, opI2d)
	}
}

// Call calls a static method.
func (a *Assembler) Call(owner, name, descriptor string) {
	a.Code = put2(append(a.Code, OpInvokeStatic), a.Pool.AddMethod(owner, name, descriptor))
}

// CallSpecial calls a private method of the class itself.
func (a *Assembler) CallSpecial(owner, name, descriptor string) {
	a.Code = put2(append(a.Code, OpInvokeSpecial), a.Pool.AddMethod(owner, name, descriptor))
}

// Return returns the value of a type on top of the stack.
func (a *Assembler) Return(t Type) {
	if t == Void {
		a.Code = append(a.Code, OpReturn)
		return
	}
	a.Code = append(a.Code, t.load()-opIload+opIreturn)
}

// Enter enters the monitor on top of the stack.
func (a *Assembler) Enter() { a.Code = append(a.Code, OpMonitorEnter) }

// Exit leaves the monitor on top of the stack.
func (a *Assembler) Exit() { a.Code = append(a.Code, OpMonitorExit) }

// Throw throws the exception on top of the stack.
func (a *Assembler) Throw() { a.Code = append(a.Code, opAthrow) }

// Type is a type as the instructions distinguish them, by its letter in
// descriptors.
type Type byte

// Types. Reference stands for all classes and arrays.
const (
	Void      Type = 'V'
	Int       Type = 'I'
	Long      Type = 'J'
	Float     Type = 'F'
	Double    Type = 'D'
	Boolean   Type = 'Z'
	Byte      Type = 'B'
	Char      Type = 'C'
	Short     Type = 'S'
	Reference Type = 'L'
)

// Numeric reports whether values of the type are numbers: no truth values, no characters.
func (t Type) Numeric() bool {
	switch t {
	case Int, Long, Float, Double, Byte, Short:
		return true
	case Void, Boolean, Char, Reference:
	}
	return false
}

// Words is the room that a value takes on the stack.
func (t Type) Words() int {
	switch t {
	case Void:
		return 0
	case Long, Double:
		return 2
	default:
		return 1
	}
}

func (t Type) load() byte {
	switch t {
	case Long:
		return opLload
	case Float:
		return opFload
	case Double:
		return opDload
	case Reference:
		return opAload
	default:
		return opIload
	}
}

// Signature returns the types of parameters and result of a method from its
// descriptor: (IJLjava/lang/Object;)V.
func Signature(descriptor string) (parameters []Type, result Type, err error) {
	bad := fmt.Errorf("%w: descriptor %q", ErrFormat, descriptor)
	if descriptor == "" || descriptor[0] != '(' {
		return nil, 0, bad
	}
	i := 1
	next := func() (Type, bool) {
		array := false
		for i < len(descriptor) && descriptor[i] == '[' {
			array = true
			i++
		}
		if i >= len(descriptor) {
			return 0, false
		}
		t := Type(descriptor[i])
		i++
		switch t {
		case Reference:
			for i < len(descriptor) && descriptor[i] != ';' {
				i++
			}
			if i++; i > len(descriptor) {
				return 0, false
			}
		case Int, Long, Float, Double, Boolean, Byte, Char, Short, Void:
		default:
			return 0, false
		}
		if array {
			t = Reference
		}
		return t, true
	}
	for i < len(descriptor) && descriptor[i] != ')' {
		t, ok := next()
		if !ok || t == Void {
			return nil, 0, bad
		}
		parameters = append(parameters, t)
	}
	i++
	t, ok := next()
	if !ok || i != len(descriptor) {
		return nil, 0, bad
	}
	return parameters, t, nil
}
