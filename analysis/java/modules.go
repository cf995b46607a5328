package java

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tierscope/analysis/java/agent"
	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// Modules are the methods of a program, which can be delayed and measured.
type Modules struct {
	List  []Method
	Sites []string // where locks are acquired: what is locked, as far as the class says
	// Skipped are the methods without probes, and why.
	Skipped []string

	*rewritten
}

// Method is a method of the program; those of one class and name are one.
type Method struct {
	Name, File, Package string
	Calls               []int // methods in List that it names
}

// Once reports whether a method is no module: main, which is the program, and
// constructors, which cannot be given another body.
func (m Method) Once() bool {
	_, name, _ := cutLast(m.Name, ".")
	return name == "main" || strings.HasPrefix(name, "<")
}

// Modules runs a program once, to see which classes it loads. dir is kept by the caller.
func (t Target) Modules(ctx context.Context, w trace.Workload, dir string) (*Modules, error) {
	r, err := t.rewritten(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	return &Modules{rewritten: r}, nil
}

// Probe puts probes into the methods that belong to a module: module returns its number
// and whether there is one. Locks are recorded in all of the program.
func (m *Modules) Probe(module func(Method) (int, bool)) error {
	world, err := m.world()
	if err != nil {
		return err
	}
	m.Sites, m.Skipped = nil, world.unreadable
	m.list(world)
	return m.replace(world, func(c *loaded) bool {
		p := moduleProbes{m: m, world: world, class: c.file, name: c.name, module: module}
		return p.edit()
	})
}

// Run runs the program with the file that the probes share with the tool, and returns
// its wall-clock and CPU times in s.
func (m *Modules) Run(ctx context.Context, w trace.Workload, file string) (wall, cpu float64, err error) {
	o, err := m.run(ctx, w, map[string]string{"modules": file})
	return o.Wall.Seconds(), o.CPU.Seconds(), err
}

// methodName is the name of a method as all front ends give it.
func methodName(class, method string) string { return class + "." + method }

// list lists the methods, and whom they name.
func (m *Modules) list(w *world) {
	m.List = nil
	index := map[string]int{}
	declared := map[string][]string{} // by name and type: the classes that have it
	var own []*loaded
	for i := range w.classes {
		if c := &w.classes[i]; !isJDK(c.name) {
			own = append(own, c)
		}
	}
	for _, c := range own {
		for i := range c.file.Methods {
			name, desc := c.file.Pool.String(c.file.Methods[i].Name), c.file.Pool.String(c.file.Methods[i].Descriptor)
			declared[name+desc] = append(declared[name+desc], c.name)
			if full := methodName(c.name, name); index[full] == 0 {
				folder, _, _ := cutLast(c.name, "/")
				m.List = append(m.List, Method{Name: full, File: folder + "/" + c.file.Source(), Package: folder})
				index[full] = len(m.List)
			}
		}
	}
	for _, c := range own {
		for i := range c.file.Methods {
			code, err := c.file.Code(&c.file.Methods[i])
			if err != nil || code == nil {
				continue
			}
			from := &m.List[index[methodName(c.name, c.file.Pool.String(c.file.Methods[i].Name))]-1]
			call := func(owner, name, desc string) {
				for _, class := range declared[name+desc] {
					if to := index[methodName(class, name)] - 1; (w.is(class, owner) || w.is(owner, class)) && !slices.Contains(from.Calls, to) {
						from.Calls = append(from.Calls, to)
					}
				}
			}
			lambdas := c.file.Lambdas()
			for _, in := range code.Instructions() {
				switch {
				case in.Op == classfile.OpInvokeDynamic:
					for _, l := range lambdas { // of the class: which of them is not told apart
						call(l.Owner, l.Name, l.Descriptor)
					}
				case in.Op >= classfile.OpInvokeVirtual && in.Op <= classfile.OpInvokeIface:
					call(c.file.Pool.Method(in.Operand))
				}
			}
		}
	}
}

// cutLast cuts at the last separator; all of it is after where there is none.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(separator):], true
}

// moduleProbes puts probes into a class.
type moduleProbes struct {
	m      *Modules
	world  *world
	class  *classfile.File
	name   string
	module func(Method) (int, bool)

	wrapped []classfile.Member
}

func (p *moduleProbes) edit() (changed bool) {
	for i := range p.class.Methods {
		m := &p.class.Methods[i]
		name := p.class.Pool.String(m.Name)
		code, err := p.class.Code(m)
		if code == nil {
			continue
		}
		sites := len(p.m.Sites)
		if err == nil {
			var locks bool
			if locks, err = p.locks(name, m, code); err == nil && locks {
				changed = true
			}
		}
		if err == nil {
			var wrapped bool
			if wrapped, err = p.wrap(name, m); err == nil && wrapped {
				changed = true
			}
		}
		if err != nil {
			p.m.Sites = p.m.Sites[:sites]
			p.m.Skipped = append(p.m.Skipped, fmt.Sprintf("%s: %v", methodName(p.name, name), err))
			if p.class.Pool.Err() != nil {
				return false
			}
		}
	}
	p.class.Methods = append(p.class.Methods, p.wrapped...)
	return changed
}

// call returns a call of a probe: of an object and a number, where these are given.
func (p *moduleProbes) call(a *classfile.Assembler, name string, object func(), number int) {
	descriptor := ""
	if object != nil {
		object()
		descriptor = "Ljava/lang/Object;"
	}
	if number >= 0 {
		a.Push(int32(number))
		descriptor += "I"
	}
	a.Call(agent.ModuleClass, name, "("+descriptor+")V")
}

// locking are the methods without parameters that acquire and release what other
// threads wait for.
var locking = []struct {
	owner, name string
	acquires    bool
}{
	{lockType, "lock", true},
	{lockType, "lockInterruptibly", true},
	{lockType, "unlock", false},
	{semaphore, "acquire", true},
	{semaphore, "acquireUninterruptibly", true},
	{semaphore, "release", false},
}

// locks puts probes behind what acquires locks and before what releases them. (As to
// monitors see monitor.go.)
func (p *moduleProbes) locks(method string, m *classfile.Member, code *classfile.Code) (changed bool, err error) {
	obj := int(code.MaxLocals)
	list := code.Instructions()
	keep := func(pc int) { // the object on top of the stack in a local
		a := classfile.Assembler{Pool: &p.class.Pool}
		a.Dup(classfile.Reference)
		a.Store(classfile.Reference, obj)
		code.Before(pc, a.Code)
		changed = true
	}
	probe := func(name string, number int) []byte {
		a := classfile.Assembler{Pool: &p.class.Pool}
		p.call(&a, name, func() { a.Load(classfile.Reference, obj) }, number)
		return a.Code
	}
	for i, in := range list {
		acquires, found := false, false
		switch {
		case in.Op == classfile.OpMonitorEnter, in.Op == classfile.OpMonitorExit:
			acquires, found = in.Op == classfile.OpMonitorEnter, true
		case in.Op == classfile.OpInvokeVirtual, in.Op == classfile.OpInvokeIface:
			owner, name, desc := p.class.Pool.Method(in.Operand)
			for _, l := range locking {
				if name == l.name && desc == "()V" && p.world.is(owner, l.owner) {
					acquires, found = l.acquires, true
				}
			}
		}
		if !found {
			continue
		}
		keep(in.PC)
		switch {
		case acquires:
			code.After(in.PC, probe("acquired", p.site(method, list, i, code.Line(in.PC))))
		case code.Handles(in.PC):
			code.After(in.PC, probe("released", -1))
		default:
			code.Before(in.PC, probe("released", -1))
		}
	}
	if !changed {
		return false, nil
	}
	if _, err := code.Reserve(1, stackRoom); err != nil {
		return false, err
	}
	body, err := code.Relocate()
	if err != nil {
		return false, err
	}
	p.class.SetCode(m, body)
	return true, nil
}

// lookBack is how many instructions before one the object that it locks is named.
const lookBack = 3

// site is the number of a place where a lock is acquired: by the field that it was read
// from, or by where that is.
func (p *moduleProbes) site(method string, list []classfile.Instruction, i, line int) int {
	text := fmt.Sprintf("%s:%d", methodName(p.name, method), line)
	for k := i - 1; k >= max(0, i-lookBack); k-- {
		if list[k].Op == classfile.OpGetField || list[k].Op == classfile.OpGetStatic {
			owner, name, _ := p.class.Pool.Field(list[k].Operand)
			text = owner + "." + name
			break
		}
	}
	p.m.Sites = append(p.m.Sites, text)
	return len(p.m.Sites) - 1
}

// wrap gives a method of a module a body that measures the one that it had, and whose
// time includes the wait for its monitor if it is synchronized; other synchronized methods
// get one that records the lock.
func (p *moduleProbes) wrap(name string, m *classfile.Member) (bool, error) {
	synchronized := m.Access&classfile.AccSynchronized != 0
	full := methodName(p.name, name)
	at := slices.IndexFunc(p.m.List, func(l Method) bool { return l.Name == full })
	id, ok := p.module(p.m.List[at])
	if !ok && !synchronized || !canWrap(p.class, m) {
		return false, nil
	}
	w := wrapper{class: p.class, name: fmt.Sprintf("%s%s%d", name, bodyOf, len(p.wrapped))}
	if ok {
		w.enter = func(a *classfile.Assembler) { p.call(a, "enter", nil, id) }
		w.leave = func(a *classfile.Assembler) { p.call(a, "leave", nil, id) }
	}
	if synchronized {
		p.m.Sites = append(p.m.Sites, p.name+" (synchronized)")
		site := len(p.m.Sites) - 1
		w.acquired = func(a *classfile.Assembler, lock func()) { p.call(a, "acquired", lock, site) }
		w.released = func(a *classfile.Assembler, lock func()) { p.call(a, "released", lock, -1) }
	}
	wrapped, err := w.wrap(m)
	if err == nil {
		p.wrapped = append(p.wrapped, wrapped)
	}
	return err == nil, err
}
