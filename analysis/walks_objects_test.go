package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// A select has the object of the case that it took: what it sends on the first channel another
// thread receives, what it receives from the second one the other thread sent.
func TestASelectHasTheObjectOfItsCase(t *testing.T) {
	t.Parallel()
	w := sendsOrStops().walks(t)
	selects, received, sent := w.does(0, core.Select), w.does(1, core.Receive), w.does(1, core.Send)
	if len(selects) != 4 || len(received) != 3 || len(sent) != 1 {
		t.Fatalf("%d selects, %d receives, %d sends; want 4, 3 and 1", len(selects), len(received), len(sent))
	}
	for i, m := range selects[:3] {
		if m.Object != received[i].Object || m.Token != received[i].Token || m.Token == 0 {
			t.Errorf("select %d sends %+v, received is %+v", i, m, received[i])
		}
	}
	if stop := selects[3]; stop.Object != sent[0].Object || stop.Token != sent[0].Token || stop.Object == selects[0].Object {
		t.Errorf("the last select takes %+v, sent was %+v", stop, sent[0])
	}
}

// What nobody received has no number: two of five tokens stay in the channel.
func TestWhatNobodyReceivedHasNoNumber(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: 1, Kind: "chan", Capacity: 8, Site: -1}} // of empty elements: no tasks
	main := s.thread("main", nil, 0)
	other := s.thread("other", main, 1)
	for range 5 {
		main.compute(1000).does(trace.OpSend, "send", 1, 1, 0)
	}
	other.now = main.now
	for range 3 {
		other.compute(1000).does(trace.OpReceive, "receive", 1, 1, 0).compute(1000).does(trace.OpSleep, "sleep", 0, 0, 1_000_000)
	}
	other.compute(1000).ends()
	main.now = other.now
	main.ends()
	w := s.walks(t)
	sent, got := tokens(w.does(0, core.Send)), tokens(w.does(1, core.Receive))
	if len(sent) != 5 || !slices.Equal(sent[:3], got) || slices.Contains(got, 0) || sent[3] != 0 || sent[4] != 0 {
		t.Errorf("sent %v, received %v; want the first three, and none for the others", sent, got)
	}
}

// A permit to go on may come before the thread parks: its number is known all the same. A park that
// ends by itself has its time.
func TestAPermitMayComeBeforeThePark(t *testing.T) {
	t.Parallel()
	const parked = 7
	s := newScript()
	main := s.thread("main", nil, 0)
	sleeper := s.thread("sleeper", main, 1)
	main.compute(10_000).does(trace.OpUnpark, "unpark", parked, 0, 10)
	sleeper.compute(50_000).does(trace.OpPark, "park", parked, 0, 10).does(trace.OpPark, "park", parked, 0, 30_000)
	main.compute(200_000).does(trace.OpUnpark, "unpark", parked, 0, 10)
	sleeper.compute(10_000).does(trace.OpPark, "park", parked, 0, main.now-sleeper.now)
	sleeper.ends()
	main.now = max(main.now, sleeper.now)
	main.ends()
	w := s.walks(t)
	gives, parks := w.does(0, core.Unpark), w.does(1, core.ParkOp)
	if len(gives) != 2 || len(parks) != 3 {
		t.Fatalf("%d permits, %d parks; want 2 and 3", len(gives), len(parks))
	}
	if want := []int64{gives[0].Token, 0, gives[1].Token}; !slices.Equal(tokens(parks), want) || want[0] == 0 || want[2] == 0 {
		t.Errorf("the parks have the events %v, want %v", tokens(parks), want)
	}
	if got := amounts(parks); !slices.Equal(got, []int64{0, 30_000, 0}) {
		t.Errorf("they take %v ns, want 30000 for the one that nobody ended", got)
	}
}

// A wait group is told how many to count, now two, now three: as many as main then sends to its worker.
func TestAWaitGroupIsToldHowManyToCount(t *testing.T) {
	t.Parallel()
	const group, jobs = 1, 2
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: group, Kind: "waitgroup", Site: -1}}
	s.channel(jobs, 8)
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 1)
	var want []int64
	for round := range int64(4) {
		n := 2 + round%2
		want = append(want, n)
		main.compute(1000)
		main.hit(trace.OpAdd, "add", false, group, n, 0)
		main.hit(trace.OpAdd, "add", true, group, 0, 0)
		for range n {
			main.compute(100).does(trace.OpSend, "send", jobs, 1, 0)
		}
		worker.now = max(worker.now, main.now)
		for range n {
			worker.does(trace.OpReceive, "receive", jobs, 1, 0).compute(10_000).does(trace.OpDone, "done", group, 0, 0)
		}
		main.does(trace.OpWaitGroup, "wait", group, 0, worker.now-main.now)
	}
	main.does(trace.OpClose, "close", jobs, 0, 0)
	worker.now = main.now
	worker.does(trace.OpReceive, "receive", jobs, 0, 0).ends()
	main.now = worker.now
	main.ends()
	w := s.walks(t)
	if got := amounts(w.does(0, core.Add)); !slices.Equal(got, want) {
		t.Errorf("main adds %v, want %v", got, want)
	}
}
