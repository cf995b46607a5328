package simulation

import (
	"math/bits"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
	"tierscope/simulation/processor"
)

// level integrates a number that changes in steps, such as a queue length:
// ∫ value dt up to now is value·now − Σ d·t over its changes by d at times t.
// The sum is kept exactly, in 128 bits.
type level struct {
	value  int
	hi, lo uint64 // Σ d·t, ns, two's complement
}

func (l *level) add(now des.Time, d int) {
	l.value += d
	hi, lo := bits.Mul64(uint64(d), uint64(now))
	hi -= uint64(d>>63) & uint64(now) // d may be negative
	var carry uint64
	l.lo, carry = bits.Add64(l.lo, lo, 0)
	l.hi += hi + carry
}

// rise and fall are add for changes by one.
func (l *level) rise(now des.Time) {
	var carry uint64
	l.value++
	l.lo, carry = bits.Add64(l.lo, uint64(now), 0)
	l.hi, _ = bits.Add64(l.hi, 0, carry)
}

func (l *level) fall(now des.Time) {
	var borrow uint64
	l.value--
	l.lo, borrow = bits.Sub64(l.lo, uint64(now), 0)
	l.hi, _ = bits.Sub64(l.hi, 0, borrow)
}

// between adds the time of things between one step and another, at which so many of them were at times that rise added.
func (l *level) between(from, to *level) {
	var carry, borrow uint64
	l.value += from.value - to.value
	l.lo, carry = bits.Add64(l.lo, from.lo, 0)
	l.hi, _ = bits.Add64(l.hi, from.hi, carry)
	l.lo, borrow = bits.Sub64(l.lo, to.lo, 0)
	l.hi, _ = bits.Sub64(l.hi, to.hi, borrow)
}

func (l *level) set(now des.Time, value int) {
	if d := value - l.value; d != 0 {
		l.add(now, d)
	}
}

// integral returns ∫ value dt up to now in seconds.
func (l *level) integral(now des.Time) float64 {
	hi, lo := bits.Mul64(uint64(now), uint64(l.value)) // a level is never negative
	var borrow uint64
	lo, borrow = bits.Sub64(lo, l.lo, 0)
	hi, _ = bits.Sub64(hi, l.hi, borrow)
	return (float64(hi)*(1<<64) + float64(lo)) * 1e-9
}

func (l *level) restart(now des.Time) { l.hi, l.lo = bits.Mul64(uint64(now), uint64(l.value)) }

// accounts are the statistics of a replication since its last restart.
type accounts struct {
	began           des.Time
	classAccounts   []classAccount
	groupEntries    []int64
	busy            []level // threads, by pool
	arrivals        int64
	completedBefore int64 // before the last restart
	allCreated      int64
	systemCourse    *output.Series
	warnings        []string // why it halted first
	notes           []string // other warnings
	hasMain         bool
}

type classAccount struct {
	arrived, completed, lost int64
	present                  level
	spent                    breakdown
	sketch                   output.Sketch
	course                   *output.Series
}

// courseWidth is the initial width of a bin of a course.
const courseWidth = int64(des.Microsecond)

func (a *accounts) init(r *replica) {
	a.classAccounts = make([]classAccount, len(r.classList))
	for i := range a.classAccounts {
		a.classAccounts[i].course = output.NewSeries(courseBins, courseWidth)
	}
	a.groupEntries = make([]int64, len(r.groups))
	a.busy = make([]level, len(r.program.pools))
	a.systemCourse = output.NewSeries(courseBins, courseWidth)
	for _, p := range r.program.pools {
		a.hasMain = a.hasMain || p.main
	}
}

// restart forgets all statistics so far, the courses excepted. What is under
// way is observed when it ends, with its full length.
func (r *replica) restart() {
	now := r.Now()
	r.began = now
	r.completedBefore = r.completed()
	for i := range r.classAccounts {
		c := &r.classAccounts[i]
		c.arrived, c.completed, c.lost = 0, 0, 0
		c.present.restart(now)
		c.spent = breakdown{}
		c.sketch.Reset()
	}
	for i := range r.steps {
		r.steps[i].count, r.steps[i].time = 0, 0
	}
	clear(r.groupEntries)
	for i := range r.busy {
		r.busy[i].restart(now)
	}
	for i := range r.objects {
		o := &r.objects[i]
		o.held.restart(now)
		o.waiting.restart(now)
		o.visits, o.taken, o.waited, o.offered, o.lost = 0, 0, 0, 0, 0
	}
	for i := range r.burdens {
		r.burdens[i].before = r.burdens[i].own
	}
	used, _ := r.processor.Work()
	r.workBefore += used
	r.processor.Restart()
	r.restartDisks()
	r.restartCaches()
	r.arrivals = 0
	if r.tape != nil && !r.tape.restarted { // the timeline shows what comes after the warm-up
		r.tape.restarted = true
		r.tape.begin(r)
		r.tape.look(r)
	}
}

// completions is the number of tasks that were completed since the last restart.
func (a *accounts) completions() int64 {
	n := int64(0)
	for i := range a.classAccounts {
		n += a.classAccounts[i].completed
	}
	return n
}

// tallies adds up ratios in the order of the program's quantities: the
// compiler lists the names with the same traversal that a replication uses for
// the numbers, so the two cannot get out of step.
type tallies struct {
	names  []quantity
	ratios []ratio
}

func (t *tallies) add(name, of, stat, unit string, sum, weight float64) {
	t.names = append(t.names, quantity{name, of, stat, unit})
	t.ratios = append(t.ratios, ratio{sum, weight})
}

// listQuantities lists what a replication observes.
func (c *compiler) listQuantities() []quantity {
	r := &replica{program: c.program}
	r.accounts.init(r)
	r.steps = make([]step, len(r.fragments)+1)
	r.objects = make([]objectState, len(c.program.objects))
	r.disks = make([]diskState, len(c.program.disks))
	r.caches = make([]cacheState, len(c.program.caches))
	var t tallies
	r.tally(&t, processor.Usage{Busy: make([]float64, c.cpu.Cores)})
	return t.names
}

// tally computes all ratios.
func (r *replica) tally(t *tallies, cpu processor.Usage) {
	now := r.Now()
	seconds := (now - r.began).Seconds()
	r.tallyClasses(t, now, seconds)
	r.tallyProcessor(t, cpu, seconds)
	r.tallyBackground(t, seconds)
	r.tallyDisks(t, now, seconds)
	r.tallyCaches(t)
	for i := range r.objects {
		r.tallyObject(t, i, now, seconds)
	}
	for i, p := range r.program.pools {
		of := "pool/" + p.id
		busy := r.busy[i].integral(now)
		t.add("N", of, "mean", "threads", busy, seconds)
		if size := p.size; p.kind == core.FixedPool {
			t.add("U", of, "mean", "1", busy, seconds*float64(size))
		} else if p.limit > 0 {
			t.add("U", of, "mean", "1", busy, seconds*float64(p.limit))
		}
	}
	r.tallyFragments(t, seconds)
}

func (r *replica) tallyClasses(t *tallies, now des.Time, seconds float64) {
	for i, c := range r.classList {
		a, of := &r.classAccounts[i], "class/"+c.id
		n := float64(a.completed)
		t.add("R", of, "mean", "s", a.sketch.Sum(), n)
		t.add("X", of, "mean", "1/s", n, seconds)
		t.add("N", of, "mean", "tasks", a.present.integral(now), seconds)
		t.add("D", of, "mean", "1", float64(a.lost), float64(a.lost+a.completed))
		for s, name := range stateNames {
			t.add("B", of, name, "s", a.spent[s].Seconds(), n)
		}
	}
}

func (r *replica) tallyProcessor(t *tallies, cpu processor.Usage, seconds float64) {
	all := 0.0
	for _, b := range cpu.Busy {
		all += b * 1e-9
	}
	t.add("U", "cpu", "mean", "1", all, seconds*float64(r.cpu.Cores))
	t.add("Q", "cpu", "mean", "threads", cpu.Waiting*1e-9, seconds)
	for i, b := range cpu.Busy {
		t.add("U", "core/"+decimal(i), "mean", "1", b*1e-9, seconds)
	}
}

// tallyBackground tells how many cores background work kept busy.
func (r *replica) tallyBackground(t *tallies, seconds float64) {
	for i := range r.program.background {
		own := 0.0
		if r.burdens != nil {
			own = 1e-9 * (r.burdens[i].own - r.burdens[i].before)
		}
		t.add("N", "background/"+r.program.background[i].ID, "mean", "cores", own, seconds)
	}
}

func (r *replica) tallyObject(t *tallies, i int, now des.Time, seconds float64) {
	def, o := &r.program.objects[i], &r.objects[i]
	n := float64(o.visits)
	if def.isQueue {
		of := "queue/" + def.id
		t.add("Q", of, "mean", "tasks", o.waiting.integral(now), seconds)
		t.add("W", of, "mean", "s", o.waited*1e-9, n)
		t.add("D", of, "mean", "1", float64(o.lost), float64(o.offered))
		return
	}
	of := "lock/" + def.id
	held, waiting := o.held.integral(now), o.waiting.integral(now)
	switch {
	case def.held:
		t.add("U", of, "mean", "1", held, seconds*def.capacity)
	case def.lock.Kind.Filled():
		t.add("N", of, "mean", "items", held, seconds)
	}
	t.add("Q", of, "mean", "threads", waiting, seconds)
	t.add("W", of, "mean", "s", waiting, n)
	t.add("S", of, "mean", "s", held, float64(o.taken))
}

func (r *replica) tallyFragments(t *tallies, seconds float64) {
	completions := float64(r.completions())
	groupTime := make([]float64, len(r.groups))
	for i, f := range r.fragments {
		v := &r.steps[i]
		of, n := "fragment/"+r.graphs[f.graph].id+"/"+f.id, float64(v.count)
		t.add("E", of, "mean", "s", v.time.Seconds(), n)
		t.add("V", of, "mean", "", n, completions)
		t.add("X", of, "mean", "1/s", n, seconds)
		if f.group != none {
			groupTime[f.group] += v.time.Seconds()
		}
	}
	for g, name := range r.groups {
		t.add("E", "group/"+name, "mean", "s", groupTime[g], float64(r.groupEntries[g]))
	}
}

func decimal(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return decimal(i/10) + decimal(i%10)
}

// observe returns what was seen since the last restart.
func (r *replica) observe() outcome {
	var t tallies
	r.tally(&t, r.processor.Usage())
	o := outcome{
		Observed: (r.Now() - r.began).Seconds(), Until: r.Now().Seconds(), Ended: r.finished, Halted: r.halted, Broken: r.defect != "", Makespan: r.Now().Seconds(),
		Completions: r.completions(), Arrivals: r.arrivals, Events: r.Executed(), Fingerprint: r.Fingerprint(),
		Ratios: t.ratios, SystemCourse: r.systemCourse.Clone(),
	}
	for i := range r.classAccounts {
		c := &r.classAccounts[i]
		var s output.Sketch
		s.Merge(&c.sketch)
		o.Responses = append(o.Responses, s)
		o.ResponseCourse = append(o.ResponseCourse, c.course.Clone())
	}
	if r.tape != nil {
		o.Timeline = r.tape.Recording
	}
	if r.defect != "" {
		o.Warnings = append(o.Warnings, r.defect)
	}
	o.Warnings = append(o.Warnings, r.warnings...)
	if !r.finished {
		if text := r.knot(); text != "" {
			o.Halted, o.Warnings = true, append(o.Warnings, text)
		}
	}
	o.Warnings = append(o.Warnings, r.notes...)
	if r.scripts != nil {
		o.Followed, o.Strays, o.Miscast, o.Forced = r.followedShare(), r.followed.strays, r.miscast(), r.forcedShare()
		o.Untaken = r.untakenShare()
	}
	return o
}
