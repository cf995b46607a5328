package golang

import (
	"fmt"
	"testing"

	"tierscope/analysis/trace"
)

// A goroutine of a timer is one of who set that, from then on: it sleeps, and goes on when the timer fires. Of several timers with one
// function it is that which is due. One that was stopped started none, and the library's stay the clock's.
func TestATimersGoroutineSleepsFirst(t *testing.T) {
	t.Parallel()
	const retry, library = 0xf000, 0xf100 // functions
	m := newImage().context(1)
	armed := func(at uint64, goid, fn uint64, ns int16) {
		m.rec(at, goid, 1, trace.OpSpawn, flagTimer, fn, ns, 0, 0)
	}
	fired := func(at, child, fn uint64, pc int16) {
		m.rec(at, 0, 0, trace.OpSpawn, 0, child, pc, fn, 0)
		m.rec(at+1, child, 0, trace.OpThreadBegin, 0, 0, 0, 0, 0)
		m.rec(at+2, child, 1, trace.OpSend, 0, 0xc000, 0, 10, 0)
		m.rec(at+3, child, 1, trace.OpSend, flagEnd, 0xc000, 0, 20, 1)
	}
	armed(1000, 7, retry, 5000)
	armed(2000, 8, retry, 9000)
	armed(3000, 8, library, 100)
	armed(3500, 8, retry, 100) // stopped
	fired(8*early, 20, retry, 300)
	armed(9*early, 9, retry, 4000)
	fired(9*early+4100, 21, retry, 300)
	fired(9*early+5000, 22, library, 999)
	r, err := parseProbeFile(m.bytes())
	if err != nil {
		t.Fatal(err)
	}
	tr, err := r.decode(func(offsets []uint64) (map[uint64][]trace.Frame, error) {
		out, err := framesAt100(offsets)
		for o := range out {
			out[o][0].Std = o == 1000
		}
		return out, err
	})
	if err != nil {
		t.Fatal(err)
	}
	text := map[int64]string{}
	for _, th := range tr.Threads {
		text[th.ID] = fmt.Sprintf("of %d:", th.Parent)
		for _, r := range th.Records {
			text[th.ID] += " " + r.Op.String()
			if r.End {
				text[th.ID] += "."
			}
			if r.Op == trace.OpSpawn {
				text[th.ID] += fmt.Sprint(r.Value)
			}
		}
	}
	const sent = " begin sleep sleep. send send."
	for id, want := range map[int64]string{8: "of 0: spawn20", 9: "of 0: spawn21", 20: "of 8:" + sent, 21: "of 9:" + sent, 22: "of 0: begin send send."} {
		if text[id] != want {
			t.Errorf("goroutine %d is %q, want %q", id, text[id], want)
		}
	}
	if got, there := text[7]; there {
		t.Errorf("goroutine 7, whose timer was due before another that fired, is %q", got)
	}
}

// How long until the timer of a channel sends is known of each time that it is set, in whole microseconds.
func TestTimersOfChannelsSayWhenTheySend(t *testing.T) {
	t.Parallel()
	const channel = 0xc000
	m := newImage().context(1)
	m.rec(1000, 7, 1, trace.OpMake, 0, channel, 1, 24, 0)
	m.rec(2000, 7, 1, trace.OpSleep, flagTimer, channel, 4995, 0, 0)
	m.rec(9000, 7, 1, trace.OpSleep, flagTimer, channel, 7000, 0, 0)
	r, err := parseProbeFile(m.bytes())
	if err != nil {
		t.Fatal(err)
	}
	tr, err := r.decode(framesAt100)
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Objects) != 1 || len(tr.Objects[0].Sets) != 2 || tr.Objects[0].Sets[0].For != 5000 || tr.Objects[0].Sets[1].For != 7000 {
		t.Fatalf("objects %+v, want a channel whose timer is set for 5 and 7 µs", tr.Objects)
	}
	first, o := tr.Objects[0].Sets[0].At, tr.Objects[0]
	if o.SetBefore(first-1) != nil || o.SetBefore(first).For != 5000 || o.SetBefore(o.Sets[1].At+1).For != 7000 {
		t.Errorf("settings before times: %v, %v, %v", o.SetBefore(first-1), o.SetBefore(first), o.SetBefore(o.Sets[1].At+1))
	}
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			if r.Op == trace.OpSleep {
				t.Error("who sets a timer sleeps")
			}
		}
	}
}
