package trace

import "testing"

// A recording that is cut has the records up to a time, and who lives then has not ended; what it is cut from stays.
func TestTheBeginningIsARecordingThatEndedEarlier(t *testing.T) {
	t.Parallel()
	whole := &Trace{End: 100, WorkEnd: 90, Threads: []Thread{
		{ID: 1, Ended: 99, Records: []Record{{Time: 10}, {Time: 20}, {Time: 60}, {Time: 80}}},
		{ID: 2, Born: 5, Ended: 30, Records: []Record{{Time: 15}, {Time: 25}}},
		{ID: 3, Born: 70, Ended: 98, Records: []Record{{Time: 75}}},
	}}
	if whole.Beginning(7) != whole {
		t.Error("a recording of seven records was cut to seven")
	}
	got := whole.Beginning(4) // up to the fourth, at 25
	if got.Records() != 4 || got.End != 25 || got.WorkEnd != 25 || len(got.Threads) != 2 || got.Threads[0].Ended != 0 || got.Threads[1].Ended != 0 {
		t.Errorf("the beginning is %+v", got)
	}
	if whole.Records() != 7 || whole.End != 100 || whole.Threads[0].Ended != 99 || len(whole.Threads[0].Records) != 4 {
		t.Errorf("what it was cut from is now %+v", whole)
	}
}
