package native

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// marked are names that a programmer gave: of code fragments and parameters.
type marked struct {
	names map[uint64]string // by address
	sites map[fragmentSite]int32
}

// fragmentSite is a calling context inside of a fragment.
type fragmentSite struct {
	site int32
	name string
}

// names are what the recorder wrote of them, in pieces.
func (r *recording) names() map[uint64]string {
	pieces := map[uint64][]byte{}
	for _, t := range r.threads {
		for i := range t.hits {
			if h := &t.hits[i]; h.op == recorder.Name {
				pieces[h.object] = binary.LittleEndian.AppendUint64(pieces[h.object], uint64(h.arg))
			}
		}
	}
	out := map[uint64]string{}
	for at, b := range pieces {
		name, _, _ := bytes.Cut(b, []byte{0})
		out[at] = string(name)
	}
	return out
}

// siteIn is the site of what a thread does: one inside of a fragment is another one than outside.
func (d *decoder) siteIn(t *thread, h *hit) int32 {
	site := d.site(h)
	if len(t.within) == 0 || site < 0 {
		return site
	}
	k := fragmentSite{site, d.marked.names[t.within[len(t.within)-1]]}
	in, known := d.marked.sites[k]
	if !known {
		in = int32(len(d.trace.Sites))
		d.trace.Sites = append(d.trace.Sites, trace.Site{Frames: d.trace.Sites[site].Frames, Fragment: k.name})
		d.marked.sites[k] = in
	}
	return in
}

// boundary adds the record of a probe that begins or ends a fragment, and the fragment to the schema.
func (d *decoder) boundary(t *thread, h *hit, op trace.Op) {
	r := d.record(t, h, op)
	r.Arg, r.End = 0, false
	t.Records = append(t.Records, r)
	name, all := d.marked.names[h.object], &d.trace.Marked.Fragments
	i := slices.IndexFunc(*all, func(f trace.Fragment) bool { return f.Name == name })
	if i < 0 {
		i = len(*all)
		*all = append(*all, trace.Fragment{ID: i + 1, Name: name})
	}
	place := trace.ShortPlace(trace.UserFrame(trace.FramesAt(d.trace.Sites, r.Site)))
	if f := &(*all)[i]; op == trace.OpFragmentBegin && f.Begin == "" {
		f.Begin = place
	} else if op == trace.OpFragmentEnd && f.End == "" {
		f.End = place
	}
}

// parameter notes a number from outside; the last one counts.
func (d *decoder) parameter(h *hit) {
	all := &d.trace.Marked.Parameters
	p := trace.Marked{Name: d.marked.names[h.object], Value: float64(h.arg), Place: trace.ShortPlace(trace.UserFrame(trace.FramesAt(d.trace.Sites, d.site(h))))}
	i := slices.IndexFunc(*all, func(m trace.Marked) bool { return m.Name == p.Name })
	if i < 0 {
		i = len(*all)
		*all = append(*all, p)
	}
	p.ID = i + 1
	(*all)[i] = p
}
