package simulation

import "tierscope/simulation/resource"

// What goes through a channel that is no task queue has no task that could carry a token: its item is the token. That of a
// thread that follows its graph is 1.
func itemOf(token int64) int32 { return int32(token + 1) }

// receivedToken notes what a scripted thread has got from a channel.
func (r *replica) receivedToken(t int32, th *thread, o resource.Outcome) {
	switch o {
	case resource.Granted:
		th.got = int64(r.table.Item(resource.Thread(t))) - 1
	case resource.Closed:
		th.shut = th.move().token != 0 || th.upto == len(th.moves)
	default:
	}
}
