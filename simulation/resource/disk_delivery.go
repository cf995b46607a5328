package resource

import "tierscope/simulation/des"

// begin sets up a device that has nothing to do, unless that is under way.
func (k *Disk) begin(now des.Time) {
	if k.begins > 0 {
		return
	}
	setup := k.setup
	if now-k.idle > k.after {
		setup += k.wake
	}
	if setup == 0 {
		k.advance(now)
		k.dispatch(now)
	} else {
		k.begins = now + setup
	}
	k.setAlarm(now)
}

// start lets a device that has been set up take what has gathered.
func (k *Disk) start(now des.Time) {
	k.begins = 0
	for k.inFlight < k.depth && k.queue.len() > 0 {
		k.dispatch(now)
	}
}

// hold keeps a request that was served until none is left to serve, and then sends
// all of them on their way back.
func (k *Disk) hold(done Request, now des.Time) {
	k.held = append(k.held, leaving{now, done})
	if k.inFlight > 0 {
		return
	}
	for _, h := range k.held {
		h.Service += now - h.at
		k.leave(h.Request, now)
	}
	k.held = k.held[:0]
}
