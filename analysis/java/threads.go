package java

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/java/agent"
	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// Threads is a program that records its variables and what its threads do: the bodies
// that they run, such as run of a Runnable, call of a Callable and lambda expressions of these types.
type Threads struct {
	Variables []string // by number: Class.method.name, Class.field
	Kinds     []string // of bodies, by number
	// Skipped are the methods without probes, and why.
	Skipped []string

	*rewritten
	counting *rewritten // with counters of loops and calls instead
}

// Threads runs a program once, to see which classes it loads. dir is kept by the caller.
func (t Target) Threads(ctx context.Context, w trace.Workload, dir string) (*Threads, error) {
	r, err := t.rewritten(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	counting := *r
	counting.classes += "-counting"
	th := &Threads{rewritten: r, counting: &counting}
	for _, count := range []bool{true, false} {
		world, err := r.world()
		if err != nil {
			return nil, err
		}
		th.Variables, th.Kinds, th.Skipped = nil, nil, world.unreadable
		of := r
		if count {
			of = th.counting
		}
		err = of.replace(world, func(c *loaded) bool {
			p := threadProbes{editor: editor{world: world, class: c.file, name: c.name}, to: th, count: count}
			return p.edit()
		})
		if err != nil {
			return nil, err
		}
	}
	return th, nil
}

// Run runs the program, with counters of loops and calls or with variables and clocks, and
// returns what Threads.java writes.
func (t *Threads) Run(ctx context.Context, w trace.Workload, count bool) (string, error) {
	name := filepath.Join(t.dir, "threads")
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("behaviours of threads: %w", err)
	}
	of, options := t.rewritten, map[string]string{"threads": name}
	if count {
		of, options["count"] = t.counting, "1"
	}
	if _, err := of.run(ctx, w, options); err != nil {
		return "", err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("the program wrote nothing of its threads: does it end by Runtime.halt?")
	}
	if err != nil {
		return "", fmt.Errorf("behaviours of threads: %w", err)
	}
	whole, ok := strings.CutSuffix(string(text), "end\n")
	if !ok {
		return "", errors.New("the file of what threads did is cut off")
	}
	return whole, nil
}

// threadProbes puts probes into a class.
type threadProbes struct {
	editor
	to    *Threads
	count bool
}

func (p *threadProbes) edit() (changed bool) {
	bodies := p.taskBodies()
	for i := range p.class.Methods {
		m := &p.class.Methods[i]
		name, desc := p.class.Pool.String(m.Name), p.class.Pool.String(m.Descriptor)
		code, err := p.class.Code(m)
		if code == nil {
			continue
		}
		variables, kinds := len(p.to.Variables), len(p.to.Kinds)
		var body []byte
		edited := false
		if err == nil {
			if p.count {
				edited = p.steps(code)
			} else {
				edited = p.variables(name, desc, m, code)
			}
		}
		if err == nil && edited {
			if _, err = code.Reserve(0, stackRoom); err == nil {
				body, err = code.Relocate()
			}
		}
		if err == nil && edited {
			p.class.SetCode(m, body)
			changed = true
		}
		if err == nil && bodies[name+desc] && canWrap(p.class, m) {
			if err = p.body(name, m, code.Line(0)); err == nil {
				changed = true
			}
		}
		if err != nil {
			p.to.Variables, p.to.Kinds = p.to.Variables[:variables], p.to.Kinds[:kinds]
			p.to.Skipped = append(p.to.Skipped, fmt.Sprintf("%s: %v", methodName(p.name, name), err))
			if p.class.Pool.Err() != nil {
				return false
			}
		}
	}
	p.class.Methods = append(p.class.Methods, p.wrapped...)
	return changed
}

// body puts clocks around the body of a kind of thread.
func (p *threadProbes) body(name string, m *classfile.Member, line int) error {
	kind := len(p.to.Kinds)
	call := func(probe string) func(a *classfile.Assembler) {
		return func(a *classfile.Assembler) {
			a.Push(int32(kind))
			a.Call(agent.ThreadClass, probe, "(I)V")
		}
	}
	w := wrapper{class: p.class, name: fmt.Sprintf("%s%s%d", name, bodyOf, len(p.wrapped)), enter: call("enter"), leave: call("leave")}
	wrapped, err := w.wrap(m)
	if err != nil {
		return err
	}
	p.wrapped = append(p.wrapped, wrapped)
	p.to.Kinds = append(p.to.Kinds, fmt.Sprintf("%s:%s:%d", methodName(p.name, name), p.class.Source(), line))
	return nil
}

// steps puts counters where loops go back to their beginning, and where the method begins.
func (p *threadProbes) steps(code *classfile.Code) bool {
	call := func(name string) []byte {
		a := classfile.Assembler{Pool: &p.class.Pool}
		a.Call(agent.ThreadClass, name, "()V")
		return a.Code
	}
	for _, in := range code.Instructions() {
		if slices.ContainsFunc(code.Targets(in.PC), func(t int) bool { return t <= in.PC }) {
			code.Before(in.PC, call("iterated"))
		}
	}
	code.Prologue(call("called"))
	return true
}

// variables puts probes where numbers are assigned to locals and fields, where arrays are
// made, where parameters come, and before threads are created or given work.
func (p *threadProbes) variables(name, desc string, m *classfile.Member, code *classfile.Code) (changed bool) {
	set := func(a *classfile.Assembler, t classfile.Type, variable string) {
		a.ToDouble(t)
		a.Push(int32(len(p.to.Variables)))
		a.Call(agent.ThreadClass, "set", "(DI)V")
		p.to.Variables = append(p.to.Variables, variable)
		changed = true
	}
	room := func() bool { return len(p.to.Variables) < mostVariables }
	method := methodName(p.name, name)
	parameters, _, err := classfile.Signature(desc)
	if err != nil {
		return false
	}
	slot := 0
	if m.Access&classfile.AccStatic == 0 {
		slot = 1
	}
	for _, t := range parameters {
		if t.Numeric() && room() {
			a := classfile.Assembler{Pool: &p.class.Pool}
			a.Load(t, slot)
			set(&a, t, method+"."+code.Local(slot, 0))
			code.Prologue(a.Code)
		}
		slot += t.Words()
	}
	for _, in := range code.Instructions() {
		a := classfile.Assembler{Pool: &p.class.Pool}
		switch at, t, stored := code.Stores(in); {
		case p.starts(in):
			a.Call(agent.ThreadClass, "starting", "()V")
			changed = true
		case !room():
		case stored && t.Numeric():
			a.Dup(t)
			set(&a, t, method+"."+code.Local(at, in.PC))
		case in.Op == classfile.OpPutField || in.Op == classfile.OpPutStatic:
			owner, field, desc := p.class.Pool.Field(in.Operand)
			if t := classfile.Type(desc[0]); t.Numeric() && len(desc) == 1 {
				a.Dup(t)
				set(&a, t, methodName(owner, field))
			}
		case in.Op == classfile.OpNewArray || in.Op == classfile.OpANewArray:
			a.Dup(classfile.Int)
			set(&a, classfile.Int, fmt.Sprintf("%s.length:%d", method, code.Line(in.PC)))
		}
		if len(a.Code) > 0 {
			code.Before(in.PC, a.Code)
		}
	}
	return changed
}

// mostVariables is how many Threads.java has room for.
const mostVariables = 1 << 16

// starts reports whether an instruction creates a thread or gives work to one.
func (p *threadProbes) starts(in classfile.Instruction) bool {
	if in.Op < classfile.OpInvokeVirtual || in.Op > classfile.OpInvokeIface {
		return false
	}
	owner, name, _ := p.class.Pool.Method(in.Operand)
	switch name {
	case "start":
		return p.world.is(owner, "java/lang/Thread")
	case "execute", "submit", "invokeAll", "invokeAny":
		return p.world.is(owner, executor)
	case "runAsync", "supplyAsync":
		return p.world.is(owner, future)
	}
	return false
}
