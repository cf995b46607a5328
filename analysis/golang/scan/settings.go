package scan

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"tierscope/analysis/trace"
)

// settings finds the numbers that the program takes from flags and the
// environment, and follows each one to what it decides. It also returns all the
// values that each one comes to.
func (p *program) settings(reached []*ssa.Function, files map[string]float64) (out []trace.Setting, flows []*flow) {
	out, flows = p.configured(files)
	for _, fn := range reached {
		if p.isStd(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, r := range p.readings(in) {
					f := p.follow(r.value)
					if r.Uses = f.uses; r.Unit != "" {
						r.Uses = slept(f.uses)
					}
					out, flows = merged(out, r.Setting), append(flows, f)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b trace.Setting) int { return strings.Compare(a.Name, b.Name) })
	return out, flows
}

// slept returns what a duration decides that is written in ms: a count that is computed from a time is not in its unit.
func slept(uses []trace.SettingUse) (out []trace.SettingUse) {
	for _, u := range uses {
		if u.Kind == trace.UseSleep {
			u.Value.Factor = cmp.Or(u.Value.Factor, 1) * float64(time.Millisecond)
			out = append(out, u)
		}
	}
	return out
}

// merged adds a setting; one that is read in several places is one.
func merged(all []trace.Setting, s trace.Setting) []trace.Setting {
	i := slices.IndexFunc(all, func(t trace.Setting) bool { return t.Name == s.Name && t.Env == s.Env })
	if i < 0 {
		return append(all, s)
	}
	for _, u := range s.Uses {
		if !slices.Contains(all[i].Uses, u) {
			all[i].Uses = append(all[i].Uses, u)
		}
	}
	return all
}

// flow follows a value forward through the program.
type flow struct {
	p     *program
	seen  map[ssa.Value]form
	field map[*types.Var]bool
	work  []ssa.Value
	uses  []trace.SettingUse
}

// flowLimit bounds how many values one setting is followed through.
const flowLimit = 20_000

// follow returns what the value v decides, directly or as a copy: passed as
// an argument, stored in a variable or a field, captured by a closure,
// converted, with something added, as the length of a slice.
func (p *program) follow(v ssa.Value) *flow {
	f := p.newFlow()
	f.reach(v, form{})
	f.run()
	return f
}

// followField is follow for a field, whatever it is of.
func (p *program) followField(field *types.Var) *flow {
	f := p.newFlow()
	f.accesses(field, form{})
	f.run()
	return f
}

func (p *program) newFlow() *flow {
	return &flow{p: p, seen: map[ssa.Value]form{}, field: map[*types.Var]bool{}}
}

// run follows what has been reached as far as it goes.
func (f *flow) run() {
	for len(f.work) > 0 && len(f.seen) < flowLimit {
		x := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if rs := x.Referrers(); rs != nil {
			for _, in := range *rs {
				f.step(x, in)
			}
		}
	}
}

func (f *flow) reach(v ssa.Value, as form) {
	if _, seen := f.seen[v]; v != nil && !seen {
		f.seen[v] = as
		f.work = append(f.work, v)
		if g, ok := v.(*ssa.Global); ok {
			f.global(g)
		}
	}
}

// global reaches all uses of a package variable, which has no referrers.
func (f *flow) global(g *ssa.Global) {
	for _, name := range slices.Sorted(maps.Keys(g.Pkg.Members)) {
		switch m := g.Pkg.Members[name].(type) {
		case *ssa.Function:
			f.usesIn(m, g)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for i := range named.NumMethods() {
					if fn := g.Pkg.Prog.FuncValue(named.Method(i)); fn != nil {
						f.usesIn(fn, g)
					}
				}
			}
		}
	}
}

func (f *flow) usesIn(fn *ssa.Function, v ssa.Value) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if *op == v {
					f.step(v, in)
				}
			}
		}
	}
	for _, a := range fn.AnonFuncs {
		f.usesIn(a, v)
	}
}

func (f *flow) use(kind trace.UseKind, as form, fn *ssa.Function, pos token.Pos) {
	u := trace.SettingUse{Kind: kind, Frame: f.p.frame(fn, pos), Value: as.Linear, Loose: as.loose, Default: as.flag}
	if f.p.isStd(fn) || slices.Contains(f.uses, u) {
		return
	}
	f.uses = append(f.uses, u)
}

// step follows x through one instruction that has it as an operand.
func (f *flow) step(x ssa.Value, in ssa.Instruction) {
	fn, as := in.Parent(), f.seen[x]
	switch i := in.(type) {
	case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Extract, *ssa.TypeAssert:
		f.reach(i.(ssa.Value), as)
	case *ssa.Phi:
		f.reach(i, as.joined(x, i))
	case *ssa.BinOp:
		f.binary(x, i)
	case *ssa.Store:
		if i.Val == x {
			f.reach(i.Addr, as)
		}
	case *ssa.MakeSlice:
		if i.Len == x {
			f.reach(i, as)
		}
	case *ssa.MakeClosure:
		closure := i.Fn.(*ssa.Function)
		for k, b := range i.Bindings {
			if b == x {
				f.reach(closure.FreeVars[k], as)
			}
		}
	case *ssa.MakeChan:
		if i.Size == x {
			f.use(trace.UseCapacity, as, fn, i.Pos())
		}
	case *ssa.Return:
		for k, r := range i.Results {
			if r == x && len(i.Results) == 1 && k == 0 {
				f.returned(fn, as)
			}
		}
	case ssa.CallInstruction:
		f.call(x, i)
	}
	if a, ok := x.(*ssa.FieldAddr); ok {
		f.sameField(a, as)
	}
}

// sameField reaches all other accesses to a field that a setting is stored in.
func (f *flow) sameField(a *ssa.FieldAddr, as form) {
	t, ok := a.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return
	}
	if s, ok := t.Elem().Underlying().(*types.Struct); ok {
		f.accesses(s.Field(a.Field), as)
	}
}

// accesses reaches all accesses to a field.
func (f *flow) accesses(field *types.Var, as form) {
	if f.field[field] {
		return
	}
	f.field[field] = true
	for _, fn := range f.functionsOf(field.Pkg()) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch o := in.(type) {
				case *ssa.FieldAddr:
					if structField(o.X.Type(), o.Field) == field {
						f.reach(o, as)
					}
				case *ssa.Field:
					if structField(o.X.Type(), o.Field) == field {
						f.reach(o, as)
					}
				}
			}
		}
	}
}

func structField(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i)
	}
	return nil
}

// functionsOf returns all functions of a package, methods and closures
// included.
func (f *flow) functionsOf(pkg *types.Package) []*ssa.Function {
	var out []*ssa.Function
	sp := f.p.ssa.Package(pkg)
	if sp == nil {
		return nil
	}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil {
			return
		}
		out = append(out, fn)
		for _, a := range fn.AnonFuncs {
			add(a)
		}
	}
	for _, m := range sp.Members {
		switch m := m.(type) {
		case *ssa.Function:
			add(m)
		case *ssa.Type:
			for _, t := range []types.Type{m.Type(), types.NewPointer(m.Type())} {
				ms := f.p.ssa.MethodSets.MethodSet(t)
				for sel := range ms.Methods() {
					if fn := f.p.ssa.MethodValue(sel); fn != nil && fn.Pkg == sp {
						add(fn)
					}
				}
			}
		}
	}
	return out
}

// returned reaches the results of all static calls of a function.
func (f *flow) returned(fn *ssa.Function, as form) {
	if fn.Pkg == nil {
		return
	}
	for _, caller := range f.functionsOf(fn.Pkg.Pkg) {
		for _, b := range caller.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && c.Common().StaticCallee() == fn {
					f.reach(c, as)
				}
			}
		}
	}
}

// binary follows x through arithmetic and notes what it decides.
func (f *flow) binary(x ssa.Value, i *ssa.BinOp) {
	fn, as := i.Parent(), f.seen[x]
	other := i.X
	if other == x {
		other = i.Y
	}
	k, constant := number(other)
	switch i.Op {
	case token.QUO:
		switch {
		case i.Y == x:
			f.use(trace.UseDivisor, as, fn, i.Pos())
		case constant && k > 0:
			f.reach(i, as.times(1/k))
		}
	case token.REM:
		if i.Y == x && dealt(i) {
			f.use(trace.UseDivisor, as, fn, i.Pos())
		}
	case token.ADD:
		if phi, ok := other.(*ssa.Phi); ok && slices.Contains(phi.Edges, ssa.Value(i)) {
			f.use(trace.UseStride, as, fn, i.Pos())
			return
		}
		if constant {
			f.reach(i, as.plus(k))
		} else {
			f.reach(i, as.vague())
		}
	case token.SUB:
		switch {
		case i.Y == x:
			f.reach(i, as.vague())
		case constant:
			f.reach(i, as.plus(-k))
		}
	case token.MUL:
		switch {
		case constant && k > 0:
			f.reach(i, as.times(k))
		case i.Y == x:
			f.reach(i, as.vague())
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ:
		f.room(x, i)
		f.stock(x, i)
		f.bound(x, i)
	case token.EQL:
		f.room(x, i)
		f.stock(x, i)
	}
}

// dealt reports whether a remainder is who of several does something: it is compared
// with a number that is not constant, or chooses whom something is sent to. The
// next place on a ring, (i+1) % n, is none.
func dealt(rest *ssa.BinOp) bool {
	return slices.ContainsFunc(*rest.Referrers(), func(in ssa.Instruction) bool {
		switch r := in.(type) {
		case *ssa.BinOp:
			other := r.X
			if other == ssa.Value(rest) {
				other = r.Y
			}
			_, constant := number(other)
			return (r.Op == token.EQL || r.Op == token.NEQ) && !constant
		case *ssa.IndexAddr:
			t, ok := r.Type().Underlying().(*types.Pointer)
			if !ok {
				return false
			}
			_, channels := t.Elem().Underlying().(*types.Chan)
			return channels
		}
		return false
	})
}

// room notes the wait that goes on as long as there are as many things as the
// setting says, in a queue of a mutex and a condition variable:
//
//	for len(q.items) == q.most { q.notFull.Wait() }
func (f *flow) room(x ssa.Value, test *ssa.BinOp) {
	head := test.Block()
	for _, b := range test.Parent().Blocks {
		if !reaches(head, b) || !returns(b, head) {
			continue
		}
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && calleeName(c.Common()) == "(*sync.Cond).Wait" {
				f.use(trace.UseCapacity, f.seen[x], test.Parent(), c.Pos())
			}
		}
	}
}

// stock notes the lock under which a thread finds out whether any is left of as many things as the setting says:
//
//	mu.Lock(); if len(free) > 0 { … }
func (f *flow) stock(x ssa.Value, test *ssa.BinOp) {
	other := test.X
	if other == x {
		other = test.Y
	}
	c, ok := x.(*ssa.Call)
	if !ok {
		return
	}
	b, ok := c.Common().Value.(*ssa.Builtin)
	if none, constant := number(other); !ok || b.Name() != "len" || !constant || none != 0 {
		return
	}
	for _, b := range test.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && calleeName(c.Common()) == "(*sync.Mutex).Lock" {
				f.use(trace.UseLimit, f.seen[x], test.Parent(), c.Pos())
			}
		}
	}
}

// bound notes the loop that a comparison with the setting ends, or the threads
// that are started as long as it holds.
func (f *flow) bound(x ssa.Value, cmp *ssa.BinOp) {
	fn, as := cmp.Parent(), f.seen[x]
	head := cmp.Block()
	as = as.rounds(x, cmp)
	if f.guard(cmp, as) || !reaches(head, head) || !varies(x, cmp) {
		return
	}
	spawns := false
	for _, b := range fn.Blocks {
		if b != head && !(reaches(head, b) && reaches(b, head)) {
			continue
		}
		for _, in := range b.Instrs {
			if pos, ok := f.p.spawnIn(in); ok && !again(b, head) {
				f.use(trace.UseSpawn, as, fn, pos)
				spawns = true
			} else if c, ok := in.(*ssa.Call); ok && appendsOne(c) && !again(b, head) {
				f.reach(c, as) // its length
			} else if !again(b, head) {
				f.startedBy(in, as, true) // as often as the loop goes round, which is one too
			}
		}
	}
	if !spawns {
		f.use(trace.UseLoop, as, fn, someplace(cmp))
	}
}

// varies reports whether what a comparison compares may be another number each time: a
// question such as whether there is anything to do at all ends no loop.
func varies(x ssa.Value, cmp *ssa.BinOp) bool {
	_, counted := x.(*ssa.Phi)
	_, left := number(cmp.X)
	_, right := number(cmp.Y)
	return counted || !left && !right
}

// again reports whether a block may be executed several times for one execution of
// the comparison that head ends with: it is in a loop that does not ask there.
func again(b, head *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{head: true}
	for todo := slices.Clone(b.Succs); len(todo) > 0; todo = todo[1:] {
		if at := todo[0]; !seen[at] {
			if at == b {
				return true
			}
			seen[at] = true
			todo = append(todo, at.Succs...)
		}
	}
	return false
}

// appendsOne reports whether a call appends one element to a slice.
func appendsOne(c *ssa.Call) bool {
	if b, ok := c.Common().Value.(*ssa.Builtin); !ok || b.Name() != "append" {
		return false
	}
	more, ok := c.Common().Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	p, ok := more.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	one, ok := p.Elem().Underlying().(*types.Array)
	return ok && one.Len() == 1
}

// guard notes the threads that are started, here or in a function that is
// called, if a comparison has the right outcome: a pool that starts another
// worker unless there are enough of them.
func (f *flow) guard(cmp *ssa.BinOp, as form) (starts bool) {
	var branch *ssa.If
	for _, r := range *cmp.Referrers() {
		if i, ok := r.(*ssa.If); ok {
			branch = i
		}
	}
	if branch == nil {
		return false
	}
	head := branch.Block()
	yes, no := head.Succs[0], head.Succs[1]
	goesOn, over := returns(yes, head), returns(no, head)
	for _, b := range cmp.Parent().Blocks {
		if !(yes.Dominates(b) && !leads(no, yes, head)) && !(no.Dominates(b) && !leads(yes, no, head)) {
			continue // whatever the outcome
		}
		if goesOn != over && yes.Dominates(b) != goesOn {
			continue // after a loop
		}
		for _, in := range b.Instrs {
			if pos, ok := f.p.spawnIn(in); ok && !again(b, head) {
				f.use(trace.UseSpawn, as, in.Parent(), pos)
				starts = true
			} else if !reaches(b, b) { // or else it is how often that is called
				starts = f.startedBy(in, as, false) || starts
			}
		}
	}
	return starts
}

// leads reports whether to comes after from, unless it is by a way back to
// what comes before at.
func leads(from, to, at *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	for todo := []*ssa.BasicBlock{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			return true
		}
		for _, b := range todo[0].Succs {
			if !seen[b] && !b.Dominates(at) {
				seen[b] = true
				todo = append(todo, b)
			}
		}
	}
	return false
}

// returns reports whether control comes from a branch of the block head back to
// head without leaving the loop that begins there.
func returns(from, head *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	for todo := []*ssa.BasicBlock{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == head {
			return true
		}
		for _, b := range todo[0].Succs {
			if !seen[b] && (b == head || !b.Dominates(head)) {
				seen[b] = true
				todo = append(todo, b)
			}
		}
	}
	return false
}

// startedBy notes the threads that the functions start which an instruction
// calls; once: those of which they start one.
func (f *flow) startedBy(in ssa.Instruction, as form, once bool) (starts bool) {
	call, ok := in.(*ssa.Call)
	caller := f.p.calls.Nodes[in.Parent()]
	if !ok || caller == nil {
		return false
	}
	for _, e := range caller.Out {
		if e.Site != ssa.CallInstruction(call) || f.p.isStd(e.Callee.Func) {
			continue
		}
		for _, b := range e.Callee.Func.Blocks {
			for _, i := range b.Instrs {
				if pos, ok := f.p.spawnIn(i); ok && !(once && reaches(b, b)) {
					f.use(trace.UseSpawn, as, e.Callee.Func, pos)
					starts = true
				}
			}
		}
	}
	return starts
}

// someplace is the position of a comparison, or, where the source does not
// write it (range over a number), of what comes after it.
func someplace(cmp *ssa.BinOp) token.Pos {
	if cmp.Pos().IsValid() {
		return cmp.Pos()
	}
	for _, b := range cmp.Block().Succs {
		for _, in := range b.Instrs {
			if in.Pos().IsValid() {
				return in.Pos()
			}
		}
	}
	return token.NoPos
}

// spawnIn reports whether an instruction starts a thread: a go statement, or a
// call of a function known to start one.
func (p *program) spawnIn(in ssa.Instruction) (token.Pos, bool) {
	if g, ok := in.(*ssa.Go); ok {
		return g.Pos(), true
	}
	if c, ok := in.(ssa.CallInstruction); ok && p.isStarter(c.Common()) {
		return c.Pos(), true
	}
	return token.NoPos, false
}

// call follows an argument into the function that is called.
func (f *flow) call(x ssa.Value, c ssa.CallInstruction) {
	common := c.Common()
	fn, as := c.Parent(), f.seen[x]
	switch name := calleeName(common); name {
	case "runtime.GOMAXPROCS":
		f.use(trace.UseCores, as, fn, c.Pos())
		return
	case "golang.org/x/sync/semaphore.NewWeighted", "(*golang.org/x/sync/errgroup.Group).SetLimit":
		f.use(trace.UseLimit, as, fn, c.Pos()) // and the channel inside, if that is what it is made of
	case "time.Sleep", "time.After", "time.NewTimer":
		f.use(trace.UseSleep, as.times(1/float64(time.Second)), fn, c.Pos())
		return
	case "(*time.Timer).Reset":
		if common.Args[0] != x {
			f.use(trace.UseSleep, as.times(1/float64(time.Second)), fn, c.Pos())
		}
		return
	case "golang.org/x/time/rate.NewLimiter":
		if common.Args[0] == x {
			f.use(trace.UseRate, as, fn, c.Pos())
		}
		return
	case "strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint":
		if v := c.Value(); v != nil {
			f.reach(v, as)
		}
		return
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.builtin(x, b.Name(), c)
		return
	}
	if d, ok := flagOf(c); ok && d.initial == x {
		f.reach(d.value, as.unlessGiven(d.name))
		return
	}
	callee := common.StaticCallee()
	if callee == nil {
		return
	}
	if f.p.isStd(callee) {
		f.atomic(x, c)
		return
	}
	for k, a := range common.Args {
		if a == x && k < len(callee.Params) {
			f.reach(callee.Params[k], as)
		}
	}
}

// builtin follows x through a function that the language has.
func (f *flow) builtin(x ssa.Value, name string, c ssa.CallInstruction) {
	v := c.Value()
	if v == nil {
		return
	}
	as := f.seen[x]
	switch name {
	case "len":
		f.reach(v, as)
	case "min", "max":
		for _, other := range c.Common().Args {
			if k, constant := number(other); constant {
				as = as.within(name, k)
			}
		}
		f.reach(v, as)
	}
}

// atomic follows a value into an atomic variable, and out of it again.
func (f *flow) atomic(x ssa.Value, c ssa.CallInstruction) {
	args := c.Common().Args
	name, ok := strings.CutPrefix(strings.TrimPrefix(calleeName(c.Common()), "(*"), "sync/atomic.")
	if !ok || len(args) == 0 {
		return
	}
	if _, method, ok := strings.Cut(name, ")."); ok {
		name = method
	}
	switch {
	case strings.HasPrefix(name, "Load") && c.Value() != nil:
		f.reach(c.Value(), f.seen[x])
	case strings.HasPrefix(name, "Store") && args[len(args)-1] == x:
		f.reach(args[0], f.seen[x])
	}
}
