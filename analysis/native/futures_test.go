package native

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// said lists the operations on results that a thread's records show, with the numbers of the results.
func said(hits []hit) (out []string) {
	for i := range hits {
		if h := &hits[i]; h.op != trace.OpNone && !h.end {
			op := h.op.String()
			if h.op == recorder.Init {
				op = "make"
			}
			out = append(out, fmt.Sprint(op, " ", h.object))
		}
	}
	return out
}

// Two results, one after the other at one address, of which room was made at places 100 and 200: the first is waited for by a
// thread that begins to wait before it is there, and goes on after a wake-up for nothing; the second is found. A wait whose time is
// up is for something else, and so are waits at other addresses.
func TestResultsHaveNumbersInPlaceOfAddresses(t *testing.T) {
	t.Parallel()
	const state, other = 1000, 2000
	r := &recording{threads: map[int64]*recorded{
		1: {hits: []hit{
			{time: 1, op: recorder.Init, object: 100, arg: int64(trace.OpDone), both: true},
			{time: 2, op: recorder.Init, object: 300, arg: int64(trace.OpDone), both: true}, // nobody sets it
			{time: 5, op: trace.OpPark, object: state}, {time: 7, op: trace.OpPark, object: state, end: true},
			{time: 8, op: trace.OpPark, object: state}, {time: 12, op: trace.OpPark, object: state, end: true, arg: 1},
			{time: 20, op: recorder.Init, object: 200, arg: int64(trace.OpDone), both: true},
			{time: 22, op: trace.OpPark, object: other}, {time: 23, op: trace.OpPark, object: other, end: true, arg: 1},
			{time: 24, op: trace.OpPark, object: state}, {time: 26, op: trace.OpPark, object: state, end: true},
			{time: 40, op: trace.OpWaitGroup, object: state, arg: 1, both: true},
		}},
		2: {hits: []hit{
			{time: 10, op: trace.OpDone, object: state, arg: 100, both: true}, {time: 11, op: trace.OpUnpark, object: state, both: true},
			{time: 30, op: trace.OpDone, object: state, arg: 200, both: true},
			{time: 31, op: trace.OpUnpark, object: other, both: true},
		}},
	}}
	r.results()
	if got, want := said(r.threads[1].hits), []string{"make 1", "wait 1", "make 2", "park 2000", "external 0", "wait 2"}; !slices.Equal(got, want) {
		t.Errorf("who asks: %v, want %v", got, want)
	}
	if got, want := said(r.threads[2].hits), []string{"done 1", "done 2", "unpark 2000"}; !slices.Equal(got, want) {
		t.Errorf("who sets: %v, want %v", got, want)
	}
}

// A call of get has one place, whether the result is there or not, if its callers call no other.
func TestACallOfGetIsOnePlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		another uint64 // call, by the same caller
		want    []uint32
	}{
		"one":     {0, []uint32{1, 1}},
		"several": {12, []uint32{2, 1}},
	} {
		r := &recording{
			contexts: [][]uint64{{}, {11, 50, 60}, {90, 10, 50, 60}, {c.another, 50, 60}},
			threads: map[int64]*recorded{
				1: {hits: []hit{
					{time: 5, op: trace.OpPark, object: 1000, context: 2}, {time: 12, op: trace.OpPark, object: 1000, context: 2, end: true, arg: 1},
					{time: 40, op: trace.OpWaitGroup, object: 1000, context: 1, both: true},
				}},
				2: {hits: []hit{{time: 10, op: trace.OpDone, object: 1000, both: true}, {time: 30, op: trace.OpDone, object: 1000, both: true}}},
			},
		}
		if c.another != 0 {
			r.threads[1].hits = append(r.threads[1].hits, hit{time: 41, op: trace.OpWaitGroup, object: 1000, context: 3, both: true})
		}
		r.results()
		if hits := r.threads[1].hits; hits[0].context != c.want[0] || hits[2].context != c.want[1] {
			t.Errorf("%s: the wait is in context %d, the call that finds it in %d, want %v", name, hits[0].context, hits[2].context, c.want)
		}
	}
}

// testdata/unseen/c/modules.cc: each of 60 modules has a promise, and is the result of a task; each is set once, and main and the
// modules that need it ask for it, whether they have to wait or not. Who asks in the very moment in which a result is set is not
// seen; that is rare, so that of a few runs one shows all.
func TestFuturesAreSeenWhetherSomebodyWaitsOrNot(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "c++", "../../unseen/c/modules.cc", "-O2", "-std=c++20", "-pthread")
	const modules, needed, runs = 60, 2 * (60 - 3), 3
	for run := 1; ; run++ {
		_, tr, err := recordedRun(t, exe, []string{"2", "60", "20000"})
		if err != nil {
			t.Fatal(err)
		}
		made, done, asked := began(tr, trace.OpAdd), began(tr, trace.OpDone), began(tr, trace.OpWaitGroup)
		if made == 2*modules && done == 2*modules && asked == needed+modules {
			return
		}
		if run == runs || asked > needed+modules {
			t.Fatalf("%d results are made, %d set and %d asked for, want %d, %d, %d", made, done, asked, 2*modules, 2*modules, needed+modules)
		}
	}
}
