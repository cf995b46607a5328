package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
)

// checkLocks asks whether threads wait for locks.
func checkLocks(q *inquiry) []Finding {
	var found []Finding
	worst, most := "", 0.0
	checked := 0
	for _, l := range q.configured.Locks {
		of := "lock/" + l.ID
		waiting := q.mean("Q " + of + " mean")
		if math.IsNaN(waiting) {
			continue
		}
		checked++
		share := q.waitShare(of)
		if share > most {
			worst, most = of, share
		}
		c, ranked := q.candidate(of)
		if share < someWait && !(share >= hintGain && ranked && c.largest().Gain.Lo >= hintGain) {
			continue
		}
		f := Finding{Class: Hint, Score: score(share), Of: of,
			Summary: fmt.Sprintf("Waiting for %s takes %s of the response time.", Label(of), units.Share(share)),
			Why: fmt.Sprintf("A visit waits %s and holds it %s; it is held %s of the time.",
				units.Format(q.mean("W "+of+" mean"), "s"), units.Format(q.mean("S "+of+" mean"), "s"), units.Share(q.mean("U "+of+" mean")))}
		if l.Kind.Signalled() {
			f.Summary = fmt.Sprintf("Waiting at %s takes %s of the response time.", l.ID, units.Share(share))
			f.Why = fmt.Sprintf("A visit waits %s for what other threads do there: nobody keeps it out, and what is slow is their work.", units.Format(q.mean("W "+of+" mean"), "s"))
			found = append(found, f)
			continue
		}
		if ranked {
			f.Why += " " + q.gainSentence(c)
			f.Score = max(f.Score, score(c.largest().Gain.Lo))
		}
		if share >= muchWait || ranked && c.largest().Gain.Lo >= problemGain {
			f.Class = Problem
		}
		f.Try = q.try("hold it 30 % shorter", "locks/"+l.ID+"/speed_up", func(now float64) float64 { return now / 0.7 })
		f.Try = append(f.Try, q.edit("split into 4 stripes", core.Edit{Kind: core.SplitLock, Lock: l.ID, N: 4})...)
		f.Try = append(f.Try, q.edit("read-write lock, 90 % reads", core.Edit{Kind: core.ReadWrite, Lock: l.ID, Share: 0.9})...)
		found = append(found, f)
	}
	if len(found) == 0 && checked > 0 {
		why := fmt.Sprintf("%d checked; nobody waits.", checked)
		if worst != "" {
			why = fmt.Sprintf("%d checked; the most is %s for %s.", checked, units.Share(most), Label(worst))
		}
		return []Finding{{Class: Fine, Of: "locks", Summary: "No lock is contended.", Why: why}}
	}
	return found
}

// waitShare returns the share of the mean response time that tasks wait for a
// lock: threads waiting over tasks in the system, by Little's law.
func (q *inquiry) waitShare(of string) float64 {
	present := 0.0
	sent := q.configured.Sent() // what is made of a task is present together with it
	for _, m := range q.base.Metrics {
		if class, ok := strings.CutPrefix(m.Of, "class/"); ok && m.Name == "N" && (sent[class] || len(sent) == 0) {
			present += m.Estimate.Mean
		}
	}
	if !(present > 0) { // no tasks: of the threads that are busy
		for _, m := range q.base.Metrics {
			if m.Name == "N" && strings.HasPrefix(m.Of, "pool/") {
				present += m.Estimate.Mean
			}
		}
	}
	if !(present > 0) {
		return 0
	}
	return q.mean("Q "+of+" mean") / present
}

// checkSections looks for locks that are held across something slow: a disk
// request, a sleep, or another lock.
func checkSections(q *inquiry) []Finding {
	var found []Finding
	for _, l := range q.configured.Locks {
		of := "lock/" + l.ID
		for _, g := range q.configured.Graphs {
			path, slow := section(g, l.ID)
			if slow == nil {
				continue
			}
			share := q.waitShare(of)
			f := Finding{Class: Hint, Score: score(share), Of: of,
				Summary: fmt.Sprintf("%s is held across %s.", sentence(Label(of)), slowness(*slow)),
				Why:     fmt.Sprintf("In graph %s: %s. Waiting for it takes %s of the response time.", g.ID, strings.Join(path, " → "), units.Share(share)),
				Try:     q.edit("split into 4 stripes", core.Edit{Kind: core.SplitLock, Lock: l.ID, N: 4})}
			if share >= muchWait {
				f.Class = Problem
			}
			if share >= hintGain {
				found = append(found, f)
				break
			}
		}
	}
	return found
}

func slowness(f core.Fragment) string {
	switch f.Class {
	case core.IOFragment:
		return "a request to disk " + f.IO.Disk
	case core.DelayFragment:
		return "a sleep or an outside call"
	default:
		return "lock " + f.Sync.Lock
	}
}

// section returns a path of a graph from entering a lock to something slow
// while the lock is held; nil if there is none.
func section(g core.Graph, lock string) (path []string, slow *core.Fragment) {
	index := map[string]int{}
	for i, f := range g.Fragments {
		index[f.ID] = i
	}
	var visit func(i int, seen []int) ([]string, *core.Fragment)
	visit = func(i int, seen []int) ([]string, *core.Fragment) {
		f := g.Fragments[i]
		if slices.Contains(seen, i) {
			return nil, nil
		}
		seen = append(seen, i)
		if f.Sync != nil && f.Sync.Lock == lock && (f.Sync.Op == core.Exit || f.Sync.Op == core.ExitRead || f.Sync.Op == core.Wait) {
			return nil, nil
		}
		nested := len(seen) > 1 && f.Sync != nil && f.Sync.Lock != lock && (f.Sync.Op == core.Enter || f.Sync.Op == core.EnterRead)
		if f.Class == core.IOFragment || f.Class == core.DelayFragment || nested {
			return []string{f.ID}, &f
		}
		for _, e := range f.Next {
			if j, ok := index[e.To]; ok && len(seen) < len(g.Fragments) {
				if path, slow := visit(j, seen); slow != nil {
					return append([]string{f.ID}, path...), slow
				}
			}
		}
		return nil, nil
	}
	for i, f := range g.Fragments {
		if f.Sync != nil && f.Sync.Lock == lock && (f.Sync.Op == core.Enter || f.Sync.Op == core.EnterRead) {
			if path, slow := visit(i, nil); slow != nil {
				return path, slow
			}
		}
	}
	return nil, nil
}
