package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
	"tierscope/simulation/processor"
)

// solo is a model that is nothing but a desk with one server (G/G/1). What happens next in it is the next arrival or
// the end of the present service: its events need no event set, and what they leave in the accounts is added up on the way.
type solo struct {
	*desk
	source *sourceState
	server int32
}

// makeSolo finds out whether the model is one.
func (r *replica) makeSolo() {
	if len(r.sources) != 1 || r.sources[0].desk == nil || len(r.program.pools) != 1 || len(r.burdens) > 0 {
		return
	}
	if p := &r.program.pools[0]; p.kind != core.FixedPool || p.size != 1 {
		return
	}
	for t, th := range r.threads {
		if th.desk != nil {
			r.solo = &solo{th.desk, &r.sources[0], int32(t)}
		}
	}
}

// inRushes is advanceSome for a solo.
func (r *replica) inRushes(until des.Time, events int) (more bool) {
	const between = 16 // events, within which the server has something to do again
	for enough := r.Executed() + int64(events); r.Executed() < enough && !r.finished; {
		r.rush(until, int(enough-r.Executed()))
		if !r.advanceSome(until, int(min(between, enough-r.Executed()))) {
			return false
		}
	}
	return true
}

// rush executes at most so many events of a solo, from one at which its server is busy to another. It ends where two are due at
// the same time.
func (r *replica) rush(until des.Time, most int) {
	x, th := r.solo, r.threads[r.solo.server]
	burst, ok := processor.LoneBurst(r.processor, x.server)
	if !ok {
		return
	}
	pair, next, ends, ok := r.Pair(x.source.alarm, burst.Alarm)
	if !ok {
		return
	}
	const arrival, end = 0, 1
	until = min(until, des.Never-1)
	var came, begun, ended level // Σ of the times at which tasks did
	var queued, busy, idle des.Time
	account, q, waited := x.account, &x.waiting, x.object.waited
	n, system := r.inSystem, steps{series: r.systemCourse, end: r.systemCourse.End()}
	now, arrived, since, latest := r.Now(), th.came, burst.Begin, end
	q.reserve()
	q.set(next) // behind those that wait: when they have gone, it is the next
	for came.value+ended.value < most-1 || n == 0 {
		if next < ends || n == 0 {
			if next > until {
				break
			}
			now, latest = next, arrival
			pair.Happens(arrival, now)
			came.rise(now)
			n++
			next = now + min(x.source.gaps.Time(), des.Never-now)
			q.tail++
			q.reserve()
			q.set(next)
		} else {
			if ends > until || ends == next || next > until && n == 1 {
				break
			}
			now, latest = ends, end
			pair.Happens(end, now)
			ended.rise(now)
			n--
			seconds := (now - arrived).Seconds()
			if !account.sketch.Note(seconds) {
				account.sketch.Add(seconds)
			}
			account.course.Add(int64(now), seconds)
			queued += since - arrived
			busy += now - since
			arrived = q.pop() // of nobody who waits it is the next
			since = max(now, arrived)
			begun.rise(since)
			waited += float64(since - arrived)
			idle += since - now
			ends = since + x.work.Time()
		}
		system.add(now, n)
	}
	if came.value+ended.value == 0 {
		return
	}
	if n == 1 {
		latest = end
	}
	r.Return(pair, now, [2]des.Time{next, ends}, latest)
	processor.SetLoneBurst(r.processor, x.server, processor.Burst{Alarm: burst.Alarm, Begin: since, End: ends}, busy)
	th.came, th.entered, th.since = arrived, since, since
	system.flush()
	r.inSystem = n
	r.accountRush(&came, &begun, &ended)
	x.object.waited = waited
	account.spent[inQueue] += queued
	account.spent[inCPU] += busy
	x.in.time += idle
	x.compute.time += busy
}

// accountRush notes the tasks that have come, those that the server has begun with, and those that have ended.
func (r *replica) accountRush(came, begun, ended *level) {
	x := r.solo
	x.source.sent += came.value
	r.arrivals += int64(came.value)
	r.allCreated += int64(came.value)
	x.account.arrived += int64(came.value)
	x.object.offered += int64(came.value)
	x.object.visits += int64(begun.value)
	x.in.count += int64(begun.value)
	x.fetch.count += int64(begun.value)
	x.compute.count += int64(ended.value)
	x.turn.finish.count += int64(ended.value)
	x.account.completed += int64(ended.value)
	x.account.present.between(came, ended)
	x.object.waiting.between(came, begun)
	r.busy[r.threads[x.server].pool].between(begun, ended)
}

// steps are the observations of a number of things, added up until the bin of a series is full.
type steps struct {
	series *output.Series
	end    int64 // of the present bin
	sum, n int64
}

func (s *steps) add(now des.Time, x int) {
	s.sum += int64(x)
	s.n++
	if int64(now) >= s.end {
		s.next(now, x)
	}
}

// next moves on to the bin of an observation.
func (s *steps) next(now des.Time, x int) {
	s.sum -= int64(x)
	s.n--
	s.flush()
	s.series.Add(int64(now), float64(x))
	s.end = s.series.End()
}

// flush notes what was added up: sums of whole numbers, which are exact.
func (s *steps) flush() {
	s.series.AddSome(s.n, float64(s.sum))
	s.sum, s.n = 0, 0
}
