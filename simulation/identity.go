package simulation

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Every source of randomness has its own stream, derived from the element that
// it belongs to, so that two configurations of a model use common random
// numbers. The element's name must not matter, nor its place in the document:
// renaming a lock is no reason for another result. So an element is identified
// by its structure: its own values, and those of all that it refers to or that
// refer to it, near and far. That is colour refinement (Weisfeiler & Leman
// 1968): start with a hash of the values, then mix in the hashes of the
// neighbours until no more elements can be told apart. Elements that remain
// equal are interchangeable for all that the model says.
//
//	queue "a" cap 10 ◀── pool "x" size 4      equal values, but "a" and "b"
//	queue "b" cap 10 ◀── pool "y" size 2      are told apart by their pools
//
// Identities are those of the model without configuration: setting a pool's
// size does not change them.

// structure is the model as a graph of elements, for refinement.
type structure struct {
	colour []uint64
	links  []link
}

// link is a reference between elements, with its meaning and values.
type link struct {
	from, to int
	role     uint64
}

// identities are the hashes of all elements of a model, by index.
type identities struct {
	classes, sources, queues, pools, sinks, disks, caches, locks, background []uint64
	fragments                                                                [][]uint64 // by graph
	graphs                                                                   []uint64
}

// add makes an element with the given values.
func (s *structure) add(kind string, values any) int {
	s.colour = append(s.colour, hashOf(kind, values))
	return len(s.colour) - 1
}

// refer links two elements; to < 0 is no reference.
func (s *structure) refer(from, to int, role string, values any) {
	if to >= 0 {
		s.links = append(s.links, link{from, to, hashOf(role, values)})
	}
}

// hashOf hashes values by their JSON form, which names every field.
func hashOf(kind string, values any) uint64 {
	text, err := json.Marshal(values)
	if err != nil {
		panic("simulation: " + err.Error()) // plain data, validated
	}
	h := fnv.New64a()
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(text)
	return des.Mix(h.Sum64())
}

// refine mixes neighbours into colours until no further elements separate.
func (s *structure) refine() {
	distinct := 0
	for {
		next := make([]uint64, len(s.colour))
		for i, c := range s.colour {
			next[i] = des.Mix(c + 0x9e3779b97f4a7c15)
		}
		for _, l := range s.links { // a sum does not depend on the order
			next[l.from] += des.Mix(des.Mix(s.colour[l.to]^1) + l.role)
			next[l.to] += des.Mix(des.Mix(s.colour[l.from]^2) + l.role)
		}
		s.colour = next
		sorted := slices.Clone(next)
		slices.Sort(sorted)
		if n := len(slices.Compact(sorted)); n > distinct {
			distinct = n
		} else {
			return
		}
	}
}

// identify computes the identities of all elements of a valid model.
func identify(m *core.Model) identities {
	s := new(structure)
	ids := newIndex(m)
	base := s.declare(m)
	s.relate(m, ids, base)
	s.refine()
	take := func(first, n int) []uint64 { return s.colour[first : first+n] }
	out := identities{
		classes: take(base.classes, len(m.Classes)), sources: take(base.sources, len(m.Sources)),
		queues: take(base.queues, len(m.Queues)), pools: take(base.pools, len(m.Pools)),
		sinks: take(base.sinks, len(m.Sinks)), disks: take(base.disks, len(m.Disks)), caches: take(base.caches, len(m.Caches)),
		locks: take(base.locks, len(m.Locks)), background: take(base.background, len(m.Background)),
		graphs: take(base.graphs, len(m.Graphs)),
	}
	for i, g := range m.Graphs {
		out.fragments = append(out.fragments, take(base.fragments[i], len(g.Fragments)))
	}
	return out
}

// order returns the indices of elements by identity; equal identities keep the
// order of the document, which does not matter for interchangeable elements.
func order(identity []uint64) []int {
	out := make([]int, len(identity))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(identity[a], identity[b]) })
	return out
}
