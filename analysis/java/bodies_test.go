package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Where a thread takes a permit is told with the body that it runs then: of the thread itself, or of a task that it was given
// and calls. What a barrier calls when all are there is neither, although it is a Runnable too: a thread that was once
// the last to come has the same fragments before and after.
func TestWhatAThreadDoesIsToldWithTheBodyThatItIsIn(t *testing.T) {
	t.Parallel()
	const thread, barrier, action, take, task = 1, 2, 3, 4, 5
	frame := func(f string) trace.Frame { return trace.Frame{Function: f} }
	probes := []probe{{}, thread: {entry: true, frame: frame("Worker.run")}, barrier: {op: trace.OpBarrier, frame: frame("Worker.meet")},
		action: {entry: true, frame: frame("Main.swap")}, take: {op: trace.OpAcquire, frame: frame("Table.add")}, task: {entry: true, frame: frame("Job.run")}}
	for _, c := range []struct {
		name string
		hits []hit24
		want []string // the outermost function where it takes one, each time
	}{
		{"last at a barrier", hitsOf(thread, take, -take, barrier, action, -action, -barrier, take, -take), []string{"Worker.run", "Worker.run"}},
		{"between tasks", hitsOf(thread, take, -take, task, take, -take, -task, take, -take), []string{"Worker.run", "Job.run", "Worker.run"}},
		{"a task that throws is not known to end", hitsOf(thread, task, take, -take, task, -task, take, -take), []string{"Job.run", "Job.run"}},
	} {
		d := &decoder{rec: &recording{threads: map[int64][]hit24{7: c.hits}}, log: &journal{}, in: &instrumented{probes: probes}, trace: &trace.Trace{},
			sites: map[string]int32{}, bySite: map[place]int32{}, objects: map[uint32]*made{}}
		th := &jthread{}
		th.ID = 7
		d.operations(th)
		var got []string
		for _, r := range th.Records {
			if fs := d.trace.Sites[max(r.Site, 0)].Frames; r.Op == trace.OpAcquire && !r.End {
				got = append(got, fs[len(fs)-1].Function)
			}
		}
		if len(got) != len(c.want) {
			t.Fatalf("%s: taken in %v, want %v", c.name, got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: taken in %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}
