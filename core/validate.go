package core

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Defect is one thing wrong with a model: the element, what is wrong, what to
// do. Validate joins them; Defects takes them apart again.
type Defect struct {
	Where   string // `graph "worker": fragment "parse"`
	Problem string
	Remedy  string
}

// Error is "where: problem; remedy".
func (d *Defect) Error() string { return d.Where + ": " + d.Problem + "; " + d.Remedy }

// Defects returns the defects that an error of Validate joins, in its order.
func Defects(err error) []*Defect {
	var found []*Defect
	var collect func(error)
	collect = func(err error) {
		switch e := err.(type) { //nolint:errorlint // the tree of errors is walked here
		case *Defect:
			found = append(found, e)
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				collect(inner)
			}
		case interface{ Unwrap() error }:
			collect(e.Unwrap())
		}
	}
	collect(err)
	return found
}

// Validate reports every defect of the model, joined with errors.Join; nil
// when there is none. After Validate, nothing checks again.
func (m *Model) Validate() error {
	c := &checker{m: m}
	c.index()
	c.network()
	c.pools()
	for i := range m.Graphs {
		c.graph(&m.Graphs[i])
	}
	c.cpu()
	for i := range m.Disks {
		c.disk(&m.Disks[i])
	}
	for i := range m.Caches {
		c.cache(&m.Caches[i])
	}
	for i := range m.Locks {
		c.lock(&m.Locks[i])
	}
	c.pairing()
	for i := range m.Background {
		c.background(&m.Background[i])
	}
	c.parameters()
	c.uncertain()
	c.checked()
	c.dilation()
	if len(m.Walks) > 0 && m.Walks[0] != walksVersion {
		c.add("walks", "are of version %d, this program reads version %d; update the program, or leave them out", m.Walks[0], walksVersion)
	}
	return errors.Join(c.defects...)
}

// checker collects the defects of one model.
type checker struct {
	m       *Model
	defects []error

	classes, queues, sinks, pool, graphs, disks, locks, caches map[string]int // index by id
	uses                                                       map[string]map[SyncOp]int
}

// add records a defect. The remedy is what follows the last "; " of the text.
func (c *checker) add(where, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	problem, remedy := text, ""
	if i := strings.LastIndex(text, "; "); i >= 0 {
		problem, remedy = text[:i], text[i+2:]
	}
	c.defects = append(c.defects, &Defect{Where: where, Problem: problem, Remedy: remedy})
}

// index builds the tables of identifiers and reports empty and double ones.
func (c *checker) index() {
	m := c.m
	c.uses = map[string]map[SyncOp]int{}
	c.classes = indexIDs(c, "class", m.Classes, func(e Class) string { return e.ID })
	indexIDs(c, "source", m.Sources, func(e Source) string { return e.ID })
	c.queues = indexIDs(c, "queue", m.Queues, func(e Queue) string { return e.ID })
	c.pool = indexIDs(c, "pool", m.Pools, func(e Pool) string { return e.ID })
	c.sinks = indexIDs(c, "sink", m.Sinks, func(e Sink) string { return e.ID })
	c.graphs = indexIDs(c, "graph", m.Graphs, func(e Graph) string { return e.ID })
	c.disks = indexIDs(c, "disk", m.Disks, func(e Disk) string { return e.ID })
	c.caches = indexIDs(c, "cache", m.Caches, func(e Cache) string { return e.ID })
	c.locks = indexIDs(c, "lock", m.Locks, func(e Lock) string { return e.ID })
	indexIDs(c, "background", m.Background, func(e Background) string { return e.ID })
	for _, q := range m.Queues {
		c.distinct("queue", q.ID, "sink", c.sinks)
		c.distinct("queue", q.ID, "lock", c.locks)
	}
	for _, s := range m.Sinks {
		c.distinct("sink", s.ID, "lock", c.locks)
	}
}

// unseen are control characters, which a terminal obeys, and the marks that turn the
// direction of writing, by which one name looks like another (Unicode TR 36, §2.5).
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

func indexIDs[T any](c *checker, kind string, elements []T, id func(T) string) map[string]int {
	index := make(map[string]int, len(elements))
	for i, e := range elements {
		name := id(e)
		switch _, taken := index[name]; {
		case name == "":
			c.add(fmt.Sprintf("%s %d of %d", kind, i+1, len(elements)), "has no id; give it one")
		case strings.ContainsFunc(name, unseen):
			c.add(fmt.Sprintf("%s %q", kind, name), "the id has control characters; use printable text")
		case taken:
			c.add(fmt.Sprintf("%s %q", kind, name), "is defined twice; rename one")
		default:
			index[name] = i
		}
	}
	return index
}

// distinct reports an identifier that two kinds of one name space share.
func (c *checker) distinct(kind, id, other string, taken map[string]int) {
	if _, both := taken[id]; both && id != "" {
		c.add(fmt.Sprintf("%s %q", kind, id), "has the id of a %s too, and fragments address both by id; rename one", other)
	}
}

// one reports an enumeration value that is not among those allowed.
func one[S ~string](c *checker, where, key string, value S, allowed ...S) bool {
	if slices.Contains(allowed, value) {
		return true
	}
	c.add(where, "%s %q is unknown; use one of %s", key, value, quoteAll(allowed))
	return false
}

// refers reports a reference to an element that does not exist.
func (c *checker) refers(where, key, id, kind string, tables ...map[string]int) bool {
	var names []string
	for _, t := range tables {
		if _, ok := t[id]; ok {
			return true
		}
		for name := range t {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if id == "" {
		c.add(where, "%s is missing; name a %s", key, kind)
	} else {
		c.add(where, "%s %q: no such %s; %s", key, id, kind, suggest(id, names))
	}
	return false
}

// law reports the defects of a distribution; given: it may not be left out.
func (c *checker) law(where, key string, d Distribution, given bool) bool {
	if err := d.Validate(); err != nil {
		for _, e := range flatten(err) {
			c.add(where, "%s: %s", key, e.Error())
		}
		return false
	}
	if given && d.IsZero() {
		c.add(where, "%s is missing; give a distribution", key)
		return false
	}
	return true
}

// flatten takes joined and wrapped errors apart, keeping the words of the
// wrapping.
func flatten(err error) []error {
	switch e := err.(type) { //nolint:errorlint // the tree of errors is walked here
	case interface{ Unwrap() []error }:
		var all []error
		for _, inner := range e.Unwrap() {
			all = append(all, flatten(inner)...)
		}
		return all
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		if inner == nil {
			return []error{err}
		}
		prefix := strings.TrimSuffix(err.Error(), inner.Error())
		var all []error
		for _, part := range flatten(inner) {
			all = append(all, errors.New(prefix+part.Error()))
		}
		return all
	}
	return []error{err}
}

// finite reports a number below least, infinite or NaN.
func (c *checker) finite(where, key string, v, least float64) {
	if !(v >= least) || math.IsInf(v, 0) {
		c.add(where, "%s is %v; give a finite number ≥ %g", key, v, least)
	}
}

// most reports a count that no real program has.
func (c *checker) most(where, key string, n, limit int) {
	if n > limit {
		c.add(where, "%s is %d, beyond any machine; give at most %d", key, n, limit)
	}
}

// unused reports keys that are given although the kind of the element does not
// use them: the author meant something that the model does not say.
func (c *checker) unused(where, kind string, given map[string]bool) {
	var keys []string
	for key, is := range given {
		if is {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		c.add(where, "%s is given but %s does not use it; remove it", key, kind)
	}
}
