package native

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/trace"
)

// Which operations are not worth recording: those on locks that are held for next to nothing and that hardly
// anybody waits for, and on files that need no disk. No configuration makes them matter, but they may be
// most of the overhead.
const (
	muteUtilization = 0.01 // of the run: share of time that a lock is held
	muteWaiting     = 1e-3 // of the run: share of time that threads wait for it
	muteOften       = 2000 // operations of a place in a second of CPU, at least
)

// mostRecords are as many as an analysis can be asked to read: a kilobyte and a twentieth of a millisecond each. What is done most often is left out
// then, also where threads wait for it. Convention: a gigabyte, and a minute.
const mostRecords = 1_000_000

// address is a return address as a place in a file, which is the same in another run.
type address struct {
	file   string
	offset uint64
}

// use is what was seen of the places that work on the same objects.
type use struct {
	held, waited int64 // ns
	signals      bool  // a condition is waited for or signalled under it
	hits         int
	places       map[uint64]bool
}

// mutable chooses the places, and more than those where nothing matters if there are more records than most; it says how long threads waited
// there, ns. Those that work on one object are chosen together: a lock is recorded completely or not at all.
func (r *recording) mutable(t *trace.Trace, names *addresses, most int) (out []address, waited int64) {
	left := t.Records()
	mute := func(u *use) {
		left -= trace.RecordsOf(u.hits)
		for ip := range u.places {
			if m, ok := names.mapping(ip); ok {
				out = append(out, address{baseName(m.file), ip - names.base(m)})
			}
		}
	}
	var others []*use
	for _, u := range r.placesByObject(t) {
		switch {
		case u.signals || float64(u.hits) < muteOften*max(r.threadTime(), 0.01):
		case float64(u.held) > muteUtilization*float64(t.End) || float64(u.waited) > muteWaiting*float64(t.End):
			others = append(others, u)
		default:
			mute(u)
		}
	}
	slices.SortStableFunc(others, func(a, b *use) int { return cmp.Compare(b.hits, a.hits) })
	for _, u := range others {
		if left <= most {
			break
		}
		mute(u)
		waited += u.waited
	}
	slices.SortFunc(out, func(a, b address) int { return bytes.Compare(encode(a), encode(b)) })
	return slices.Compact(out), waited
}

// placesByObject groups the return addresses of operations on locks and files that have an object, or another
// address, in common.
func (r *recording) placesByObject(t *trace.Trace) []*use {
	parent := map[uint64]uint64{}
	find := func(x uint64) uint64 {
		for parent[x] != x {
			x = parent[x]
		}
		return x
	}
	by := map[uint64]uint64{} // object → an address that works on it
	join := func(ip, object uint64) {
		if _, ok := parent[ip]; !ok {
			parent[ip] = ip
		}
		if first, ok := by[object]; !ok {
			by[object] = ip
		} else if a, b := find(ip), find(first); a != b {
			parent[a] = b
		}
	}
	const own = 1 << 63 // an operation without an object is alone
	innermost := func(site int32) (uint64, bool) {
		if site <= 0 || int(site) >= len(r.contexts) || len(r.contexts[site]) == 0 {
			return 0, false
		}
		return r.contexts[site][0], true
	}
	of := map[uint64]*use{}
	var ips []uint64
	walk := func(visit func(ip uint64, start, end *trace.Record, taken map[uint64]int64)) {
		for i := range t.Threads {
			rs, taken := t.Threads[i].Records, map[uint64]int64{}
			for k := range rs {
				if rs[k].End || rs[k].Object == 0 && !file(rs[k].Op) {
					continue
				}
				end, ended := trace.EndOf(rs, k)
				if !ended && rs[k].Op == trace.OpCondWait { // a thread that is never woken waits with its lock, too
					end, ended = &rs[k], true
				}
				if ip, ok := innermost(rs[k].Site); ok && ended {
					visit(ip, &rs[k], end, taken)
				}
			}
		}
	}
	walk(func(ip uint64, start, _ *trace.Record, _ map[uint64]int64) {
		if _, ok := parent[ip]; !ok {
			ips = append(ips, ip)
		}
		join(ip, cmp.Or(start.Object, ip|own))
		if o := t.Objects; start.Op == trace.OpCondWait && start.Object > 0 {
			join(ip, o[start.Object-1].Parent)
		}
	})
	walk(func(ip uint64, start, end *trace.Record, taken map[uint64]int64) {
		root := find(ip)
		u := of[root]
		if u == nil {
			u = &use{places: map[uint64]bool{}}
			of[root] = u
		}
		u.add(ip, start, end, taken)
	})
	var out []*use
	for _, ip := range ips {
		if u := of[ip]; u != nil {
			out = append(out, u)
		}
	}
	return out
}

// file reports whether an operation is one on files that may be left out.
func file(op trace.Op) bool {
	return op == trace.OpFileRead || op == trace.OpFileWrite || op == trace.OpStat
}

// add notes an operation. What is neither of a lock nor of a file is always recorded.
func (u *use) add(ip uint64, start, end *trace.Record, taken map[uint64]int64) {
	u.places[ip] = true
	u.hits++
	switch start.Op {
	case trace.OpLock, trace.OpRLock, trace.OpTryLock, trace.OpTryRLock:
		u.waited += end.Time - start.Time
		taken[start.Object] = end.CPU
	case trace.OpUnlock, trace.OpRUnlock:
		if at, ok := taken[start.Object]; ok {
			u.held += start.CPU - at
		}
	case trace.OpFileRead, trace.OpFileWrite, trace.OpStat:
		u.waited += max(end.Time-start.Time-(end.CPU-start.CPU), 0)
	default:
		u.signals = true
	}
}

// mapping is the part of the address space in which an address lies.
func (a *addresses) mapping(ip uint64) (mapping, bool) {
	i := slices.IndexFunc(a.maps, func(m mapping) bool { return ip >= m.from && ip < m.to })
	if i < 0 {
		return mapping{}, false
	}
	return a.maps[i], true
}

// base is the address of the first byte of a mapping's file, as dladdr(3) has it.
func (a *addresses) base(m mapping) uint64 {
	p, ok := a.place(m.from)
	if !ok {
		return m.from - m.offset
	}
	return m.from - p.at
}

func encode(a address) []byte { return fmt.Appendf(nil, "%x %s\n", a.offset, a.file) }

// encodeMute is the list as the recorder reads it.
func encodeMute(places []address) []byte {
	var b []byte
	for _, p := range places {
		b = append(b, encode(p)...)
	}
	return b
}

// muteList is the file of the places that are not recorded.
func (s *subject) muteList() string { return filepath.Join(s.dir, "mute") }

// mute lets all further runs of a subject be recorded without some places.
func (s *subject) mute(places []address) error {
	if err := os.WriteFile(s.muteList(), encodeMute(places), 0o644); err != nil {
		return fmt.Errorf("mute list: %w", err)
	}
	s.leaveOut()
	return nil
}

// leaveOut lets all further runs be recorded without the places of the list.
func (s *subject) leaveOut() { s.muted = []string{"TIERSCOPE_MUTE=" + s.muteList()} }
