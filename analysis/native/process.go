package native

import "tierscope/analysis/trace"

// mostOutside is the share of a process's CPU time that may be none of its threads': beyond it something else is wrong.
// Convention, sensitivity none.
const mostOutside = 0.5

// begunAndEnded gives the first thread what the process cost before its first record and after its last one: loading
// the program and its libraries, and giving the memory back. Nothing else of the program goes on meanwhile.
func begunAndEnded(t *trace.Trace) {
	rest := float64(t.ProcessCPU) - 1e9*t.ThreadTime()
	if rest <= 0 || rest > mostOutside*float64(t.ProcessCPU) {
		return
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		n := len(th.Records)
		if th.Creator >= 0 || n == 0 || th.Records[n-1].Op != trace.OpThreadEnd {
			continue
		}
		last := &th.Records[n-1]
		last.Time, last.CPU, th.Ended = last.Time+int64(rest), last.CPU+int64(rest), th.Ended+int64(rest)
		t.End = max(t.End, last.Time)
		return
	}
}
