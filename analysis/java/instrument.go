package java

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"tierscope/analysis/java/agent"
	"tierscope/analysis/java/classfile"
	"tierscope/analysis/trace"
)

// probe is a place in the program where a pair of probes is.
type probe struct {
	frame trace.Frame
	op    trace.Op
	kind  string
	text  string // what the text calls the object, if it is known
	meaning
	entry bool // the place is what a thread or task runs: its body
}

// maxProbes is how many places a record can tell apart.
const maxProbes = readyProbe - 1

// instrumented is the program with probes.
type instrumented struct {
	probes  []probe // by number; 0 is none
	classes []substitute
	skipped []string // methods that stay as they are, and why
	muted   map[int]bool
}

// substitute takes the place of a class.
type substitute struct {
	name string
	sum  uint32 // CRC-32 of the class that it replaces
	file []byte
}

// instrument puts probes into all classes of the program, and into those of
// the JDK that matter. Places that are muted keep their number, but no probe
// is there.
func (w *world) instrument(muted map[int]bool) *instrumented {
	in := &instrumented{probes: make([]probe, 1), muted: muted}
	for i := range w.classes {
		c := &w.classes[i]
		if isJDK(c.name) && !inside[c.name] && !constructed[c.name] {
			continue
		}
		e := editor{world: w, out: in, class: c.file, name: c.name, jdk: isJDK(c.name)}
		if e.edit() {
			in.classes = append(in.classes, substitute{c.name, c.sum, c.file.Bytes()})
		}
	}
	return in
}

// editor puts probes into one class.
type editor struct {
	world *world
	out   *instrumented
	class *classfile.File
	name  string
	jdk   bool

	wrapped []classfile.Member // what synchronized methods had as their bodies
}

func (e *editor) edit() (changed bool) {
	tasks := e.taskBodies()
	for i := range e.class.Methods {
		m := &e.class.Methods[i]
		name, desc := e.class.Pool.String(m.Name), e.class.Pool.String(m.Descriptor)
		code, err := e.class.Code(m)
		if code == nil {
			continue // without a body, or with one that this reader does not understand
		}
		before := len(e.out.probes)
		b := body{editor: e, code: code, method: m, name: name, desc: desc, task: tasks[name+desc]}
		var data []byte
		if err == nil {
			err = b.edit()
		}
		if err == nil && b.edited {
			data, err = code.Relocate()
		}
		if err != nil {
			e.out.probes = e.out.probes[:before]
			e.out.skipped = append(e.out.skipped, fmt.Sprintf("%s.%s: %v", e.name, name, err))
			if errors.Is(err, classfile.ErrPoolFull) {
				return false
			}
			continue
		}
		if b.edited {
			e.class.SetCode(m, data)
			changed = true
		}
		if m.Access&classfile.AccSynchronized != 0 && !e.jdk {
			changed = b.synchronized() || changed
		}
	}
	e.class.Methods = append(e.class.Methods, e.wrapped...)
	return changed
}

// taskBodies are the methods in which threads and tasks begin: run and call of
// the class, and the bodies of lambda expressions of these types.
func (e *editor) taskBodies() map[string]bool {
	bodies := map[string]bool{}
	if e.jdk {
		return bodies
	}
	if e.world.is(e.name, runnable) {
		bodies["run()V"] = true
	}
	if e.world.is(e.name, callable) {
		bodies["call()Ljava/lang/Object;"] = true
	}
	for _, l := range e.class.Lambdas() {
		if (l.Interface == runnable || l.Interface == callable) && l.Owner == e.name {
			bodies[l.Name+l.Descriptor] = true
		}
	}
	return bodies
}

// body puts probes into one method.
type body struct {
	*editor
	code       *classfile.Code
	method     *classfile.Member
	name, desc string
	task       bool
	edited     bool
	base       int // first scratch local
	scratch    int // words of scratch locals that are needed
	news       []int
	list       []classfile.Instruction
}

// stackRoom is how many words probes push on top of what is there.
const stackRoom = 8

func (b *body) edit() error {
	if b.jdk && b.name == "<clinit>" {
		return nil
	}
	b.list = b.code.Instructions()
	b.base = int(b.code.MaxLocals)
	b.lifecycle()
	for i := range b.list {
		if err := b.instruction(i); err != nil {
			return err
		}
	}
	if !b.edited {
		return nil
	}
	_, err := b.code.Reserve(b.scratch, stackRoom)
	return err
}

// number gives a place its number; 0 if there are too many.
func (b *body) number(pc int, op trace.Op, m meaning) int {
	if len(b.out.probes) > maxProbes {
		return 0
	}
	line := b.code.Line(pc)
	file := b.class.Source()
	if line == 0 { // no line table: the address tells places apart
		line, file = pc, ""
	}
	b.out.probes = append(b.out.probes, probe{op: op, kind: m.kind, text: b.called(pc, op, m.kind), meaning: m,
		frame: trace.Frame{Function: b.editor.name + "." + b.name, File: file, Line: line, Std: b.jdk, At: pc}})
	b.edited = true
	return len(b.out.probes) - 1
}

// delegates reports whether a constructor begins with another one of its class,
// which tells what is made.
func (b *body) delegates() bool {
	allocated := 0
	for _, in := range b.list {
		switch in.Op {
		case classfile.OpNew:
			if b.class.Pool.Class(in.Operand) == b.editor.name {
				allocated++
			}
		case classfile.OpInvokeSpecial:
			owner, name, _ := b.class.Pool.Method(in.Operand)
			if name != "<init>" || owner != b.editor.name {
				continue
			}
			if allocated == 0 {
				return true
			}
			allocated--
		}
	}
	return false
}

func (b *body) assembler() *classfile.Assembler { return &classfile.Assembler{Pool: &b.class.Pool} }

// hit calls a probe; the argument, a long, is on the stack under nothing: it
// is pushed by arg.
func hit(a *classfile.Assembler, which string, id int, obj, arg func()) {
	a.Push(int32(id))
	obj()
	arg()
	a.Call(agent.Class, which, "(ILjava/lang/Object;J)V")
}

// lifecycle records what is not a call: the begin and end of threads, and
// constructors.
func (b *body) lifecycle() {
	switch {
	case b.editor.name == thread && b.name == "start" && starts[b.desc]:
		a := b.assembler()
		a.Push(int32(b.number(0, trace.OpSpawn, meaning{kind: "thread"})))
		a.PushThis()
		a.Call(agent.Class, "spawned", "(ILjava/lang/Thread;)V")
		b.code.Prologue(a.Code)
	case b.editor.name == thread && b.name == "exit" && b.desc == "()V":
		a := b.assembler()
		hit(a, "start", b.number(0, trace.OpThreadEnd, meaning{kind: "thread"}), a.PushNull, a.PushZero)
		b.code.Prologue(a.Code)
	case b.name == "<init>" && constructed[b.editor.name] && !b.delegates():
		if id := b.number(0, trace.OpNone, meaning{kind: kindMade}); b.out.muted[id] {
			return
		}
		b.beforeReturns(func(a *classfile.Assembler) {
			a.PushThis()
			a.Call(agent.Class, "made", "(Ljava/lang/Object;)V")
		})
	case b.name == "<init>" && (b.editor.name == futureTask || b.editor.name == completable && b.desc == "()V"):
		id := b.number(0, trace.OpAdd, meaning{kind: "future"})
		b.beforeReturns(func(a *classfile.Assembler) {
			hit(a, "start", id, a.PushThis, func() { a.PushOne() })
			hit(a, "end", id, a.PushThis, a.PushZero)
		})
	case b.editor.name == completable && completes[b.name]:
		id := b.number(0, trace.OpDone, meaning{kind: "future"})
		a := b.assembler()
		hit(a, "start", id, a.PushThis, a.PushZero)
		hit(a, "end", id, a.PushThis, a.PushZero)
		b.code.Prologue(a.Code)
	case b.editor.name == forkJoinTask && (b.name == "invoke" || b.name == "join" || b.name == "get") || b.editor.name == forkJoinPool && b.name == "invoke":
		if b.method.Access&classfile.AccStatic != 0 {
			return
		}
		id := b.number(0, trace.OpWaitGroup, meaning{kind: "fork"})
		a := b.assembler()
		hit(a, "start", id, a.PushNull, a.PushZero)
		b.code.Prologue(a.Code)
		b.beforeReturns(func(a *classfile.Assembler) { hit(a, "end", id, a.PushNull, a.PushZero) })
	case b.task:
		a := b.assembler()
		id := b.number(0, trace.OpNone, meaning{kind: "task"})
		b.out.probes[id].entry = true
		hit(a, "start", id, a.PushNull, a.PushZero)
		b.code.Prologue(a.Code)
		b.beforeReturns(func(a *classfile.Assembler) { hit(a, "end", id, a.PushNull, a.PushZero) })
	}
}

// starts are the descriptors of the methods of Thread that start it, none of which
// calls another: the program's, and since JDK 21 that of executors.
var starts = map[string]bool{"()V": true, "(Ljdk/internal/vm/ThreadContainer;)V": true}

// completes are the methods of CompletableFuture that give it its result.
var completes = map[string]bool{"completeNull": true, "completeValue": true, "completeThrowable": true, "completeRelay": true, "internalComplete": true}

func (b *body) beforeReturns(f func(*classfile.Assembler)) {
	for _, in := range b.list {
		if classfile.IsReturn(in.Op) {
			a := b.assembler()
			f(a)
			b.code.Before(in.PC, a.Code)
			b.edited = true
		}
	}
}

// instruction probes one instruction, if it means anything.
func (b *body) instruction(i int) error {
	in := b.list[i]
	switch in.Op {
	case classfile.OpMonitorEnter, classfile.OpMonitorExit:
		if b.jdk {
			return nil
		}
		b.monitor(in)
	case classfile.OpNew:
		b.news = append(b.news, i)
	case classfile.OpInvokeVirtual, classfile.OpInvokeSpecial, classfile.OpInvokeStatic, classfile.OpInvokeIface:
		owner, name, desc := b.class.Pool.Method(in.Operand)
		if name == "<init>" {
			return b.constructor(in, owner, desc)
		}
		m := b.world.meaningOf(owner, name, desc)
		if m == nil || b.jdk && !b.probedInside(owner, m) || !b.jdk && (m.name == "isDone" || m.kind == "fork") {
			return nil
		}
		return b.call(in, m, desc)
	}
	return nil
}

// probedInside reports whether a call inside the JDK is to be recorded: of
// locks that the JDK uses for itself nobody wants to know.
func (b *body) probedInside(owner string, m *meaning) bool {
	if m.owner == taskQueue {
		return b.ofTimer(m)
	}
	switch m.op {
	case trace.OpSend, trace.OpReceive:
		if m.kind == "fork" {
			return b.editor.name == forkJoinTask && b.name == "doExec"
		}
		if m.owner == scheduledPool {
			return b.name == "schedule"
		}
		return m.owner == executor || m.owner == blockingQueue && strings.HasPrefix(b.editor.name, "java/util/concurrent/ExecutorCompletionService")
	case trace.OpClose, trace.OpJoin:
		return m.kind == "executor" && (b.editor.name == executorService || b.editor.name == delegated)
	case trace.OpDone:
		return m.owner == futureTask
	case trace.OpSleep:
		return b.editor.name == timeUnit || m.name == triggerTime
	case trace.OpAccept:
		return b.editor.name == dispatcher
	case trace.OpWaitGroup:
		return b.name == "invokeAll"
	case trace.OpConnect, trace.OpNetClose: // of that which its bytes are read from
		return m.owner == socketImpl && (m.op == trace.OpNetClose) == (b.editor.name != "java/net/SocksSocketImpl")
	case trace.OpOpen, trace.OpFileRead, trace.OpFileWrite, trace.OpNetRead, trace.OpNetWrite:
		return owner == b.editor.name || strings.HasPrefix(b.editor.name, owner+"$")
	default:
		return false
	}
}

// call puts probes around a call. What it is given is kept in scratch locals
// meanwhile: object, result (two words), parameters.
func (b *body) call(in classfile.Instruction, m *meaning, desc string) error {
	static := in.Op == classfile.OpInvokeStatic
	ps, result, err := classfile.Signature(desc)
	if err != nil {
		return err
	}
	if static && m.object == 0 || !static && in.Op == classfile.OpInvokeSpecial && b.name == "<init>" {
		return nil // a method of the same name that is another one; or of an object that may not be initialized yet
	}
	obj, res := b.base, b.base+1
	locals, next := make([]int, len(ps)), b.base+3
	for i, p := range ps {
		locals[i] = next
		next += p.Words()
	}
	b.scratch = max(b.scratch, next-b.base)
	id := b.number(in.PC, m.op, *m)
	if b.out.muted[id] {
		return nil
	}
	before, after := b.assembler(), b.assembler()
	for i := len(ps) - 1; i >= 0; i-- {
		before.Store(ps[i], locals[i])
	}
	switch {
	case m.object == 0, m.object == resultOf && !static:
		before.Dup(classfile.Reference)
		before.Store(classfile.Reference, obj)
	case m.object > 0 && m.object <= len(ps) && ps[m.object-1] == classfile.Reference:
		before.Load(classfile.Reference, locals[m.object-1])
		before.Store(classfile.Reference, obj)
	default:
		before.PushNull()
		before.Store(classfile.Reference, obj)
	}
	hit(before, "start", id, func() { before.Load(classfile.Reference, obj) }, func() {
		if m.arg == 0 || m.arg > len(ps) {
			before.PushZero()
			return
		}
		before.Load(ps[m.arg-1], locals[m.arg-1])
		if m.owner == thread && m.op == trace.OpSleep {
			if len(ps) == 1 {
				before.Push(0)
			} else {
				before.Load(ps[1], locals[1])
			}
			before.Call(agent.Class, "micros", "(JI)J")
			return
		}
		number(before, ps[m.arg-1])
	})
	for i := range ps {
		before.Load(ps[i], locals[i])
	}
	if result != classfile.Void {
		after.Dup(result)
		if m.object == resultOf && result == classfile.Reference {
			after.Store(classfile.Reference, res)
			hit(after, "end", id, func() { after.Load(classfile.Reference, res) }, after.PushZero)
			b.code.Before(in.PC, before.Code)
			b.code.After(in.PC, after.Code)
			return nil
		}
		number(after, result)
		after.Store(classfile.Long, res)
	}
	hit(after, "end", id, func() { after.Load(classfile.Reference, obj) }, func() {
		if result == classfile.Void {
			after.PushZero()
			return
		}
		after.Load(classfile.Long, res)
	})
	b.code.Before(in.PC, before.Code)
	b.code.After(in.PC, after.Code)
	return nil
}

// number makes a long of the value on the stack: of a reference, an identity.
func number(a *classfile.Assembler, t classfile.Type) {
	if t == classfile.Reference {
		a.Call(agent.Class, "identity", "(Ljava/lang/Object;)J")
		return
	}
	a.ToLong(t)
}

// constructor puts a probe after a constructor that says what was made. The
// object is on the stack if it was doubled right after it was allocated, as
// compilers do.
func (b *body) constructor(in classfile.Instruction, owner, desc string) error {
	at := -1
	for k := len(b.news) - 1; k >= 0; k-- {
		if b.class.Pool.Class(b.list[b.news[k]].Operand) == owner {
			at = b.news[k]
			b.news = b.news[:k]
			break
		}
	}
	m := b.world.meaningOf(owner, "<init>", desc)
	if m == nil || b.jdk || at < 0 || at+1 >= len(b.list) || b.list[at+1].Op != classfile.OpDup {
		return nil
	}
	ps, _, err := classfile.Signature(desc)
	if err != nil || cmp.Compare(m.arg, len(ps)) > 0 || !strings.HasPrefix(desc, "(I)") {
		return err
	}
	id := b.number(in.PC, m.op, *m)
	count, obj := b.base, b.base+1
	b.scratch = max(b.scratch, 2)
	before, after := b.assembler(), b.assembler()
	before.Dup(classfile.Int)
	before.Store(classfile.Int, count)
	after.Dup(classfile.Reference)
	after.Store(classfile.Reference, obj)
	hit(after, "start", id, func() { after.Load(classfile.Reference, obj) }, func() {
		after.Load(classfile.Int, count)
		after.ToLong(classfile.Int)
	})
	hit(after, "end", id, func() { after.Load(classfile.Reference, obj) }, after.PushZero)
	b.code.Before(in.PC, before.Code)
	b.code.After(in.PC, after.Code)
	return nil
}
