package resource

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// Request is what became of one disk request.
type Request struct {
	Owner     int32    // as given to Submit
	Wait      des.Time // in the scheduler queue
	Service   des.Time // in the device and on the way there and back
	Overtaken int32    // requests that came later and were dispatched before
}

// Disk is a scheduler queue in front of a device that takes up to Depth
// requests at once: with depth 1 and P(t | type, overtaken) the disk of Tarvo &
// Reiss 2014, with a greater depth and P(t | type, in flight) one with a queue
// of its own (NCQ, an SSD, virtio).
//
// # Order
//
// The scheduler dispatches the oldest request (FIFO), any with equal
// probability (random), or the next one upwards from the head position, then
// from the lowest again (elevator; C-LOOK, as mq-deadline and BFQ order by
// sector). A model knows no addresses, so a request gets a
// position at random over the disk.
//
// # Service
//
// A law given the number overtaken is drawn at dispatch and stays. A law given
// the number in flight is a time while that number holds; since it changes
// during a service, a request is a piece of work: what is drawn at dispatch,
// in units of the mean time at that number, is worked off at the rate
// 1/mean(n) while n are in flight. With constant n this is the law exactly;
// with M(n) = n·M(1) it is processor sharing.
//
// # Latency
//
// A request takes longer than its service by a constant time, the way to the
// device and back, during which its server serves others. All of it lies behind
// the service here: where requests are told complete decides what comes next.
//
// # Setup and delivery
//
// A device that had nothing to do may take a time to begin, during which requests
// gather, and a longer one if it has fallen asleep. It may tell them complete one by one, or all of a busy period together when
// none is left to serve, as one does that asks for the next request before it raises an
// interrupt (core.DeliverIdle); the way back begins then.
//
// # Simple disks
//
// Most disks of models that people write are one server: a request at a time, in
// order, for a time that depends on its type and size alone. For these nothing
// has to be sorted, and no clock runs.
type Disk struct {
	engine   *des.Engine
	alarm    des.Alarm // the next time at which something happens
	simple   []simple  // by request type; nil if the disk is not a simple one
	depth    int
	queue    diskQueue
	laws     []law
	byType   []int32 // law of each request type
	random   des.Stream
	requests []diskRequest
	free     int32 // 1 + first free request
	inFlight int
	changed  des.Time // when inFlight changed last: the clocks of the laws show that time
	due      int32    // law of the request that the alarm is for, or leaves; of a simple disk the request
	latency  des.Time
	leaving  []leaving // served and on the way back, the first to arrive first, from gone on
	gone     int
	setup    des.Time
	after    des.Time  // of idleness: then the device is asleep
	wake     des.Time  // and its setup takes longer by that
	idle     des.Time  // since when it has had nothing to do and nothing on its way
	begins   des.Time  // when the device has been set up; 0: it is not being set up
	together bool      // delivered when the device is idle
	held     []leaving // served, until the device is idle; at: when the service ended
}

// simple is how a simple disk serves a type of request.
type simple struct {
	time    variate.Sampler // ns
	perByte float64
}

// What else than a law, by its number, the alarm may be for.
const (
	leaves  = -1 // a request that was served arrives
	started = -2 // the device has been set up
)

// leaving is a request on its way back.
type leaving struct {
	at des.Time
	Request
}

// thousandths of the disk are the unit of a distance in a law.
const thousandths = 1000

// diskRequest is a request from its submission to its completion.
type diskRequest struct {
	Request
	kind    int32
	next    int32
	arrived des.Time
	bytes   float64
}

// NewDisk returns an idle disk, whose Ring must be called when the alarm rings.
// Requests name their type by its index in types. The streams are those of its
// service times and of its order.
func NewDisk(engine *des.Engine, alarm des.Alarm, d core.Disk, types []string, service, order des.Stream) *Disk {
	k := &Disk{engine: engine, alarm: alarm, depth: max(1, d.Depth), random: service, latency: des.Time(d.Latency*1e9 + 0.5)}
	k.setup, k.together = des.Time(d.Setup*1e9+0.5), d.Delivery == core.DeliverIdle
	k.after, k.wake = des.Time(d.Sleep.After*1e9+0.5), des.Time(d.Sleep.Wake*1e9+0.5)
	k.queue = diskQueue{order: d.Order, random: order}
	speed := d.Speed
	if speed == 0 {
		speed = 1
	}
	laws := d.Laws()
	for i := range laws {
		k.laws = append(k.laws, newLaw(&laws[i], 1/speed))
		k.queue.placed = k.queue.placed || laws[i].Given == core.Distance
		k.queue.places = append(k.queue.places, placesOf(d.Position, laws[i].Position))
	}
	for _, name := range types {
		k.byType = append(k.byType, lawFor(laws, name))
	}
	if k.depth == 1 && k.latency == 0 && k.setup == 0 && k.wake == 0 && !k.together && !k.queue.placed && (d.Order == core.DiskFIFO || d.Order == "") {
		k.simple = k.alone()
	}
	return k
}

// alone returns how each type of request is served that is alone in the device, or
// nil if one is served by more than a row of its law.
func (k *Disk) alone() []simple {
	all := make([]simple, len(k.byType))
	for i, l := range k.byType {
		r, ok := k.laws[l].alone()
		if !ok {
			return nil
		}
		all[i] = simple{r.time, r.perByte}
	}
	return all
}

// lawFor finds the law of a request type, or the one for every other type.
func lawFor(laws []core.ServiceLaw, name string) int32 {
	fallback := int32(0)
	for i := range laws {
		switch laws[i].Type {
		case name:
			return int32(i)
		case "":
			fallback = int32(i)
		}
	}
	return fallback
}

// Submit gives the disk a request of a type and size; owner comes back with it
// from Ring.
func (k *Disk) Submit(owner, kind int32, bytes float64) {
	if k.free == 0 {
		k.requests = append(k.requests, diskRequest{})
		k.free = int32(len(k.requests))
	}
	i, now := k.free, k.engine.Now()
	r := &k.requests[i-1]
	k.free = r.next
	r.Owner, r.kind, r.arrived, r.bytes = owner, kind, now, bytes
	switch {
	case k.inFlight >= k.depth:
		k.queue.push(i, k.byType[kind])
	case k.simple != nil:
		k.inFlight = 1
		k.serve(i, r, now)
	case k.inFlight == 0 && k.setup+k.wake > 0:
		k.queue.push(i, k.byType[kind])
		k.begin(now)
	default:
		k.queue.push(i, k.byType[kind])
		k.advance(now)
		k.dispatch(now)
		k.setAlarm(now)
	}
}

// serve begins the service of request i, which is r, by a simple disk.
func (k *Disk) serve(i int32, r *diskRequest, now des.Time) {
	r.Wait, k.due = now-r.arrived, i
	s := &k.simple[r.kind]
	k.engine.Set(k.alarm, now+k.random.Round(s.time.Draw(&k.random)+r.bytes*s.perByte))
}

// Ring does what is due now, and returns the request that is complete with it, if
// one is: its service may end without that, if it still has to arrive.
func (k *Disk) Ring() (Request, bool) {
	if k.simple == nil {
		return k.ring()
	}
	now := k.engine.Now()
	done := k.release(k.due, now)
	if k.queue.len() > 0 {
		i := k.queue.first()
		k.serve(i, &k.requests[i-1], now)
	} else {
		k.inFlight = 0
	}
	return done, true
}

// ring is Ring for a disk that is not a simple one.
func (k *Disk) ring() (done Request, complete bool) {
	now := k.engine.Now()
	k.advance(now)
	switch k.due {
	case leaves:
		done, complete = k.leaving[k.gone].Request, true
		k.gone++
	case started:
		k.start(now)
	default:
		done = k.release(k.laws[k.due].pop(), now)
		k.inFlight--
		if k.queue.len() > 0 {
			k.dispatch(now)
		}
		k.idle = now + k.latency
		switch {
		case k.together:
			k.hold(done, now)
		case k.latency > 0:
			k.leave(done, now)
		default:
			complete = true
		}
	}
	k.setAlarm(now)
	return done, complete
}

// release frees the place of request i, whose service ends, and returns it.
func (k *Disk) release(i int32, now des.Time) Request {
	r := &k.requests[i-1]
	r.Service = now - r.arrived - r.Wait + k.latency
	r.next = k.free
	k.free = i
	return r.Request
}

// leave sends a request that was served on its way back.
func (k *Disk) leave(done Request, now des.Time) {
	if k.gone > 0 && k.gone >= len(k.leaving)/2 {
		k.leaving = k.leaving[:copy(k.leaving, k.leaving[k.gone:])]
		k.gone = 0
	}
	k.leaving = append(k.leaving, leaving{now + k.latency, done})
}

// advance brings the clocks of all laws to now.
func (k *Disk) advance(now des.Time) {
	if now != k.changed {
		for i := range k.laws {
			k.laws[i].advance(float64(now-k.changed), k.inFlight)
		}
		k.changed = now
	}
}

// dispatch moves the next request into the device.
func (k *Disk) dispatch(now des.Time) {
	i, overtaken, distance := k.queue.pop()
	r := &k.requests[i-1]
	r.Wait, r.Overtaken = now-r.arrived, overtaken
	k.inFlight++
	l := &k.laws[k.byType[r.kind]]
	x := int(overtaken)
	switch l.given {
	case core.InFlight:
		x = k.inFlight
	case core.Distance:
		x = int(distance*thousandths + 0.5)
	case core.Overtaken, "":
	}
	l.push(i, float64(k.random.Round(l.draw(x, r.bytes, &k.random))), x)
}

// setAlarm finds the next completion.
func (k *Disk) setAlarm(now des.Time) {
	least := des.Never
	for i := range k.laws {
		if at := k.laws[i].next(now, k.inFlight); at < least {
			least, k.due = at, int32(i)
		}
	}
	if k.gone < len(k.leaving) && k.leaving[k.gone].at <= least {
		least, k.due = k.leaving[k.gone].at, leaves
	}
	if k.begins > 0 && k.begins <= least {
		least, k.due = k.begins, started
	}
	if least < des.Never {
		k.engine.Set(k.alarm, least)
	}
}

// Depth is the number of requests that the device takes at once.
func (k *Disk) Depth() int { return k.depth }

// Waiting is the number of requests in the scheduler queue.
func (k *Disk) Waiting() int { return k.queue.len() }

// InFlight is the number of requests in the device.
func (k *Disk) InFlight() int { return k.inFlight }
