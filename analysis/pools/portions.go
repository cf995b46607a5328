package pools

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// portions are how many threads of each pool report in a round. Who starts several threads may wait for each
// of them, or for some, by itself,
//
//	for _, a := range actors { close(a.mailbox); a.done.Wait() }
//
// and a join waits for all: the last of these waits is one, at which all have been told to end, and the others none.
type portions map[round]map[*trail.Pool]int

func portionsOf(uses []trail.Use, ends rounds) portions {
	p := portions{}
	for _, u := range uses {
		s := u.Step()
		if !countsDown(s) {
			continue
		}
		r := ends.of(s.Object, s.Start)
		if p[r] == nil {
			p[r] = map[*trail.Pool]int{}
		}
		p[r][u.Pool]++
	}
	return p
}

// count is what a thread has started and waited for.
type count struct {
	started map[*trail.Pool]int
	ended   map[*trail.Pool]int
}

func newCount() count { return count{map[*trail.Pool]int{}, map[*trail.Pool]int{}} }

// begins counts the threads that a step starts.
func (c count) begins(s trail.Step, of map[int64]*trail.Pool) {
	if s.Node.Op == trace.OpSpawn && s.Node.Virtual == "" {
		child := of[int64(s.Value)]
		c.started[child] += startedHere(child, s)
	}
}

// ends counts the threads of a pool whose ends have been waited for, and reports whether more are to be waited for.
func (c count) ends(child *trail.Pool, n int) (more bool) {
	c.ended[child] += n
	return c.ended[child] < c.started[child]
}
