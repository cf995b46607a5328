package java

import (
	"slices"

	"tierscope/analysis/trace"
)

// completedStages takes futures out that have their result from the start: CompletableFuture gives a stage whose sources are done
// the result before anybody can see it, and completes it no more, so that the recording has nobody who does what others would
// wait for. Who waits for one waits for the last of the futures that its thread made before it: in another run that one, or
// one that was made with it, may not be done yet. A stage for which somebody had to wait was completed unseen, and stays.
func (f *futures) completedStages() {
	completed, awaited := map[uint64]bool{}, map[uint64]bool{}
	for i := range f.trace.Threads {
		rs := f.trace.Threads[i].Records
		for k, r := range rs {
			if end, ok := trace.EndOf(rs, k); ok && r.Op == trace.OpWaitGroup {
				blocked := end.Time - r.Time - max(0, end.CPU-r.CPU) // the first call of a method may compute for long
				awaited[r.Object] = awaited[r.Object] || blocked > trace.Slack
			}
			completed[r.Object] = completed[r.Object] || r.Op == trace.OpDone
		}
	}
	from := map[uint64]uint64{} // a stage → the future made before it, 0: none
	for i := range f.trace.Threads {
		before := uint64(0)
		for _, r := range f.trace.Threads[i].Records {
			switch {
			case !f.results[r.Object] || r.Op != trace.OpAdd:
			case completed[r.Object] || awaited[r.Object]:
				before = r.Object
			default:
				from[r.Object] = before
			}
		}
	}
	for i := range f.trace.Threads {
		th := &f.trace.Threads[i]
		for k := range th.Records {
			if r := &th.Records[k]; r.Op == trace.OpWaitGroup && from[r.Object] != 0 {
				r.Object = from[r.Object]
			}
		}
		th.Records = slices.DeleteFunc(th.Records, func(r trace.Record) bool {
			_, stage := from[r.Object]
			return stage && (r.Op == trace.OpAdd || r.Op == trace.OpWaitGroup)
		})
	}
}
