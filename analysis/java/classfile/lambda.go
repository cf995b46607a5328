package classfile

import "encoding/binary"

// Lambda is a lambda expression or method reference of a class: an object of
// type Interface whose only method calls Owner.Name.
type Lambda struct {
	Interface               string
	Owner, Name, Descriptor string
}

// bootstrapImplementation is which argument of LambdaMetafactory.metafactory
// is the method with the body (java.lang.invoke.LambdaMetafactory).
const bootstrapImplementation = 1

// Lambdas lists the lambda expressions of the class.
func (f *File) Lambdas() []Lambda {
	a := f.Pool.find(f.Attributes, "BootstrapMethods")
	if a == nil {
		return nil
	}
	var arguments [][]uint16
	r := &reader{b: a.Data}
	for range r.u2() {
		r.u2()
		var args []uint16
		for range r.u2() {
			args = append(args, r.u2())
		}
		if r.err != nil {
			return nil
		}
		arguments = append(arguments, args)
	}
	var ls []Lambda
	for _, c := range f.Pool.entries {
		if c.tag != tagInvokeDynamic {
			continue
		}
		which := int(binary.BigEndian.Uint16(c.data))
		nt := f.Pool.at(binary.BigEndian.Uint16(c.data[2:]), tagNameAndType)
		if which >= len(arguments) || len(arguments[which]) <= bootstrapImplementation {
			continue
		}
		handle := f.Pool.at(arguments[which][bootstrapImplementation], tagMethodHandle)
		if handle.tag == 0 {
			continue
		}
		l := Lambda{Interface: resultClass(f.Pool.String(binary.BigEndian.Uint16(nt.data[2:])))}
		l.Owner, l.Name, l.Descriptor = f.Pool.Method(binary.BigEndian.Uint16(handle.data[1:]))
		ls = append(ls, l)
	}
	return ls
}

// resultClass is the class that a method with the descriptor returns; "" if
// it returns no object.
func resultClass(descriptor string) string {
	for i := len(descriptor) - 1; i > 0; i-- {
		if descriptor[i] == ')' {
			r := descriptor[i+1:]
			if len(r) > 2 && r[0] == 'L' {
				return r[1 : len(r)-1]
			}
			return ""
		}
	}
	return ""
}
