package java

import (
	"slices"
	"strings"

	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// mostBetween is how many instructions may lie between the load of a field and the call on what it
// holds: javac puts the arguments there. Convention, sensitivity none.
const mostBetween = 24

// called is what the text calls the lock, queue or executor that the operation at an address works
// on: the field that it is loaded from or stored into, with its class ("Cache.lock"), or Cache.this of
// a synchronized method, or the local variable, whose name classes have that are compiled with -g, as Maven and Gradle
// compile. "" if there is none.
func (b *body) called(pc int, op trace.Op, kind string) string {
	i := slices.IndexFunc(b.list, func(in classfile.Instruction) bool { return in.PC == pc })
	if i < 0 {
		return ""
	}
	in := b.list[i]
	switch in.Op {
	case classfile.OpInvokeVirtual, classfile.OpInvokeIface:
		owner, _, _ := b.class.Pool.Method(in.Operand)
		return b.loaded(i, "L"+owner+";")
	case classfile.OpInvokeSpecial, classfile.OpInvokeStatic: // a constructor, or a method that makes one
		if i+1 < len(b.list) {
			return b.stored(b.list[i+1])
		}
		return ""
	case classfile.OpMonitorEnter:
		return b.loaded(i, "")
	case classfile.OpMonitorExit: // the object comes from where the compiler keeps it
		return ""
	}
	if kind == "monitor" && (op == trace.OpLock || op == trace.OpUnlock) {
		return simple(b.editor.name) + ".this"
	}
	return ""
}

// Instructions that store fields (JVMS §6.5).
const (
	opPutStatic = 179
	opPutField  = 181
)

// stored is the name of the field or local variable that an instruction stores into; "" if it does neither.
func (b *body) stored(in classfile.Instruction) string {
	if in.Op == opPutField || in.Op == opPutStatic {
		return b.field(in.Operand)
	}
	if slot, _, ok := b.code.Stores(in); ok {
		name, _, _ := b.code.Variable(slot, in.PC)
		return name
	}
	return ""
}

// loaded is the last field or local variable of a type that is loaded before an instruction of the same line; "": of any
// type. Of a lock for reading or for writing it is that of which it is a side.
func (b *body) loaded(at int, desc string) string {
	line := b.code.Line(b.list[at].PC)
	for i := at - 1; i >= 0 && i >= at-mostBetween && b.code.Line(b.list[i].PC) == line; i-- {
		in := b.list[i]
		slot, local := b.code.Loads(in)
		switch {
		case i == at-1 && (in.Op == classfile.OpInvokeVirtual || in.Op == classfile.OpInvokeIface):
			if owner, method, _ := b.class.Pool.Method(in.Operand); slices.Contains(sides, method) {
				return b.loaded(i, "L"+owner+";")
			}
		case in.Op == classfile.OpGetField || in.Op == classfile.OpGetStatic:
			if _, _, is := b.class.Pool.Field(in.Operand); desc == "" || is == desc {
				return b.field(in.Operand)
			}
		case local:
			if name, is, ok := b.code.Variable(slot, in.PC); ok && name != "this" && (desc == "" || is == desc) {
				return name
			}
		}
	}
	return ""
}

// sides are the methods that return a side of a lock (java.util.concurrent.locks.ReadWriteLock, StampedLock).
var sides = []string{"readLock", "writeLock", "asReadLock", "asWriteLock"}

// field is the name of a field with its class.
func (b *body) field(operand uint16) string {
	owner, name, _ := b.class.Pool.Field(operand)
	return simple(owner) + "." + name
}

// simple is the name of a class without its package, as the text writes it.
func simple(class string) string {
	return strings.ReplaceAll(class[strings.LastIndexByte(class, '/')+1:], "$", ".")
}
