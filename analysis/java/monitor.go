package java

import (
	"fmt"
	"strings"

	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// Between the instruction that enters a monitor and the one that leaves it
// every call, those of probes too, must be covered by a handler that leaves it, and
// none after; the handler itself must not call; and both instructions must
// have the object from the same local: HotSpot never compiles a method for which
// this is not so. The end of leaving is therefore recorded before it, but in
// handlers.

// monitor puts probes around an instruction that enters or leaves a monitor.
func (b *body) monitor(in classfile.Instruction) {
	op := trace.OpLock
	if in.Op == classfile.OpMonitorExit {
		op = trace.OpUnlock
	}
	id := b.number(in.PC, op, meaning{kind: "monitor"})
	if b.out.muted[id] {
		return
	}
	obj := b.base
	b.scratch = max(b.scratch, 1)
	before, after := b.assembler(), b.assembler()
	before.Dup(classfile.Reference)
	before.Store(classfile.Reference, obj)
	start, end := before, after
	switch {
	case b.code.Handles(in.PC):
		start = after
	case op == trace.OpUnlock:
		end = before
	}
	hit(start, "start", id, func() { start.Load(classfile.Reference, obj) }, start.PushZero)
	hit(end, "end", id, func() { end.Load(classfile.Reference, obj) }, end.PushZero)
	b.code.Before(in.PC, before.Code)
	b.code.After(in.PC, after.Code)
}

// bodyOf marks the method that has the body of a synchronized one.
const bodyOf = "$tierscope"

// synchronized turns a synchronized method into one that enters and leaves
// the monitor by instructions, between probes, so that the wait for it is seen.
// The body becomes a method of its own. It reports whether it did.
func (b *body) synchronized() bool {
	static := b.method.Access&classfile.AccStatic != 0
	if static && b.class.Major < 49 {
		return false // before Java 5 a class cannot be pushed
	}
	parameters, result, err := classfile.Signature(b.desc)
	if err != nil {
		return false
	}
	enter := b.number(0, trace.OpLock, meaning{kind: "monitor"})
	exit := b.number(0, trace.OpUnlock, meaning{kind: "monitor"})
	if b.out.muted[enter] && b.out.muted[exit] {
		return false
	}
	name := fmt.Sprintf("%s%s%d", b.name, bodyOf, len(b.wrapped))
	a := b.assembler()
	receiver, class := a.PushThis, b.class.This
	if static {
		receiver, class = func() { a.PushClass(b.class.This) }, b.class.Pool.AddClass("java/lang/Class")
	}
	words := 0
	for _, p := range parameters {
		words += p.Words()
	}
	obj := words
	if !static {
		obj++
	}
	lock := func() { a.Load(classfile.Reference, obj) }
	left := func() {
		hit(a, "start", exit, lock, a.PushZero)
		hit(a, "end", exit, lock, a.PushZero)
	}

	hit(a, "start", enter, receiver, a.PushZero)
	receiver()
	a.Dup(classfile.Reference)
	a.Store(classfile.Reference, obj)
	a.Enter()
	w := classfile.Body{Start: len(a.Code), MaxStack: words + 1 + stackRoom, Locals: obj + 1, Class: class}
	hit(a, "end", enter, lock, a.PushZero)
	at := 0
	if !static {
		a.PushThis()
		at = 1
	}
	for _, p := range parameters {
		a.Load(p, at)
		at += p.Words()
	}
	if static {
		a.Call(b.editor.name, name, b.desc)
	} else {
		a.CallSpecial(b.editor.name, name, b.desc)
	}
	left()
	lock()
	a.Exit()
	w.End = len(a.Code)
	a.Return(result)
	w.Handler = len(a.Code)
	lock()
	a.Exit()
	left()
	a.Throw()
	w.Code = a.Code
	wrapped, err := b.class.Wrap(b.method, &w, name)
	if err != nil {
		b.out.skipped = append(b.out.skipped, fmt.Sprintf("%s.%s: %v", b.editor.name, b.name, err))
		return false
	}
	b.method.Access &^= classfile.AccSynchronized
	b.wrapped = append(b.wrapped, wrapped)
	return true
}

// unwrapped gives frames, innermost first, the names of the program's own
// methods: the body of a synchronized one and what calls it are one.
func unwrapped(fs []trace.Frame) []trace.Frame {
	kept := fs[:0]
	for i := 0; i < len(fs); i++ {
		f := fs[i]
		if name, _, ok := strings.Cut(f.Function, bodyOf); ok {
			f.Function = name
			i++
		}
		kept = append(kept, f)
	}
	return kept
}
