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
// a synchronized method. "" if it is in a local variable, whose name classes seldom have.
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
		if i+1 < len(b.list) && (b.list[i+1].Op == opPutField || b.list[i+1].Op == opPutStatic) {
			return b.field(b.list[i+1].Operand)
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

// loaded is the last field of a type that is loaded before an instruction of the same line; "": of any type.
func (b *body) loaded(at int, desc string) string {
	line := b.code.Line(b.list[at].PC)
	for i := at - 1; i >= 0 && i >= at-mostBetween && b.code.Line(b.list[i].PC) == line; i-- {
		if op := b.list[i].Op; op != classfile.OpGetField && op != classfile.OpGetStatic {
			continue
		}
		if _, _, is := b.class.Pool.Field(b.list[i].Operand); desc == "" || is == desc {
			return b.field(b.list[i].Operand)
		}
	}
	return ""
}

// field is the name of a field with its class.
func (b *body) field(operand uint16) string {
	owner, name, _ := b.class.Pool.Field(operand)
	return simple(owner) + "." + name
}

// simple is the name of a class without its package, as the text writes it.
func simple(class string) string {
	return strings.ReplaceAll(class[strings.LastIndexByte(class, '/')+1:], "$", ".")
}
