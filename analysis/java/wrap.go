package java

import (
	"strings"

	"tierscope/analysis/java/classfile"
)

// wrapper gives a method another body, which calls the one that it had, now that of a
// method of its own: what is around it happens however the method ends. A
// synchronized method enters and leaves its monitor by instructions then.
type wrapper struct {
	class *classfile.File
	name  string // of the method with the old body
	// What is called first and last, and behind acquiring the monitor and before
	// releasing it; nil: nothing.
	enter, leave       func(a *classfile.Assembler)
	acquired, released func(a *classfile.Assembler, lock func())
}

// canWrap reports whether a method can have another body: constructors must be what they
// are, private methods of interfaces are called in another way, and before Java 5 a class cannot be pushed.
func canWrap(class *classfile.File, m *classfile.Member) bool {
	return !strings.HasPrefix(class.Pool.String(m.Name), "<") && class.Access&classfile.AccInterface == 0 &&
		(m.Access&classfile.AccStatic == 0 || class.Major >= 49)
}

// wrap does it, and returns the method with the old body, which the caller adds to the class.
func (w wrapper) wrap(m *classfile.Member) (classfile.Member, error) {
	descriptor := w.class.Pool.String(m.Descriptor)
	parameters, result, err := classfile.Signature(descriptor)
	if err != nil {
		return classfile.Member{}, err
	}
	static, synchronized := m.Access&classfile.AccStatic != 0, m.Access&classfile.AccSynchronized != 0
	a := &classfile.Assembler{Pool: &w.class.Pool}
	receiver, class := a.PushThis, w.class.This
	if static {
		receiver, class = func() { a.PushClass(w.class.This) }, w.class.Pool.AddClass("java/lang/Class")
	}
	words := 0
	for _, t := range parameters {
		words += t.Words()
	}
	obj := words
	if !static {
		obj++
	}
	lock := func() { a.Load(classfile.Reference, obj) }
	around := func(f func(*classfile.Assembler)) {
		if f != nil {
			f(a)
		}
	}
	held := func(f func(*classfile.Assembler, func())) {
		if f != nil {
			f(a, lock)
		}
	}

	around(w.enter)
	receiver()
	a.Dup(classfile.Reference)
	a.Store(classfile.Reference, obj)
	body := classfile.Body{MaxStack: words + 1 + stackRoom, Locals: obj + 1, Class: class}
	if synchronized {
		a.Enter()
	} else {
		a.Pop()
	}
	body.Start = len(a.Code)
	held(w.acquired)
	from := 0
	if !static {
		a.PushThis()
		from = 1
	}
	for _, t := range parameters {
		a.Load(t, from)
		from += t.Words()
	}
	if static {
		a.Call(w.class.Name(), w.name, descriptor)
	} else {
		a.CallSpecial(w.class.Name(), w.name, descriptor)
	}
	held(w.released)
	if synchronized {
		lock()
		a.Exit()
	}
	body.End = len(a.Code)
	around(w.leave)
	a.Return(result)
	body.Handler = len(a.Code)
	if synchronized {
		lock()
		a.Exit()
	}
	held(w.released)
	around(w.leave)
	a.Throw()
	body.Code = a.Code
	wrapped, err := w.class.Wrap(m, &body, w.name)
	if err == nil {
		m.Access &^= classfile.AccSynchronized
	}
	return wrapped, err
}
