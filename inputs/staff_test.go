package inputs

import (
	"maps"
	"slices"
	"testing"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// Two pools have two threads each, and a setting is 2 too. In runs with 1 and 4 one of them has as many: it is decided by the setting,
// by whichever name others follow it. If both have, if another one has in one of the runs, or if that is decided by something else
// already, nothing is found.
func TestASettingDecidesThePoolThatHasAsManyThreads(t *testing.T) {
	t.Parallel()
	type threads = map[string]int
	for name, c := range map[string]struct {
		one, four threads
		taken     bool
		want      bool
	}{
		"one follows":            {threads{"team": 1, "other": 2}, threads{"team": 4, "other": 2}, false, true},
		"both follow":            {threads{"team": 1, "other": 1}, threads{"team": 4, "other": 4}, false, false},
		"it follows once":        {threads{"team": 1, "other": 2}, threads{"team": 2, "other": 2}, false, false},
		"it was not there once":  {threads{"other": 2}, threads{"team": 4, "other": 2}, false, false},
		"something else decides": {threads{"team": 1, "other": 2}, threads{"team": 4, "other": 2}, true, false},
	} {
		m := core.Model{Pools: []core.Pool{{ID: "team", Size: 2}, {ID: "other", Size: 2}}, Parameters: []core.Parameter{
			{Name: "other-threads", Default: 2, Targets: []core.Target{{Path: "pools/other/size"}}},
			{Name: "team-threads", Description: "threads started at main:3", Default: 2, Targets: []core.Target{{Path: "pools/team/size"}, {Path: "locks/b/parties"}}},
			{Name: "buffer", Follows: &core.Follow{Parameter: "team-threads"}},
		}}
		if c.taken {
			m.Parameters[1].How = "-x {value}"
		}
		trial := Trial{Parameter: core.Parameter{Name: "n", How: "-n {value}", Description: "-n", Default: 2}, Runs: [2]Run{{At: 1, Threads: c.one}, {At: 4, Threads: c.four}}}
		i := trial.staffs(&m)
		if (i >= 0) != c.want {
			t.Errorf("%s: parameter %d, want one: %v", name, i, c.want)
			continue
		}
		if !c.want {
			continue
		}
		before := m.Parameters
		trial.employ(&m, i)
		p := m.Parameters[1]
		if i != 1 || p.Name != "n" || p.How != "-n {value}" || len(p.Targets) != 2 || m.Parameters[2].Follows.Parameter != "n" {
			t.Errorf("%s: parameters are %+v", name, m.Parameters)
		}
		if before[1].Name != "team-threads" || before[2].Follows.Parameter != "team-threads" {
			t.Errorf("%s: the parameters were changed in place", name)
		}
	}
}

// A setting is taken to set how many threads a pool has as both are five, and followed by a buffer. With two there are still five: the number of threads is nobody's
// then. If there are two, or the pool is not there, or another parameter is the setting's, it is left.
func TestASettingThatLeavesThreadsAsTheyAreDoesNotSetThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pool    string
		threads int
		want    bool
	}{"as many": {"team", 5, true}, "fewer": {"team", 2, false}, "not there": {"other", 5, false}} {
		m := core.Model{Pools: []core.Pool{{ID: "team", Size: 5}, {ID: "other", Size: 5}}, Parameters: []core.Parameter{
			{Name: "level", How: "-level {value}", Description: "threads started at main:3", Default: 5, Targets: []core.Target{{Path: "pools/team/size"}}},
			{Name: "buffer", Follows: &core.Follow{Parameter: "level"}},
		}}
		trial := Trial{Parameter: core.Parameter{Name: "level", How: "-level {value}", Description: "-level", Default: 5}, Runs: [2]Run{{At: 2, Threads: map[string]int{c.pool: c.threads}}, {At: 1, Threads: map[string]int{c.pool: c.threads}}}}
		i := trial.unmoved(&m, trial.Runs[:])
		if (i >= 0) != c.want {
			t.Errorf("%s: parameter %d, want one: %v", name, i, c.want)
		}
		if i < 0 {
			continue
		}
		before := m.Parameters
		trial.release(&m, i)
		if p := m.Parameters[0]; p.Name != "team-threads" || p.How != "" || m.Parameters[1].Follows.Parameter != "team-threads" || before[0].Name != "level" {
			t.Errorf("%s: parameters are %+v", name, m.Parameters)
		}
	}
}

// A pool is the same whatever it is called, if it is started at the same place.
func TestPoolsAreKnownByWhereTheyAreStarted(t *testing.T) {
	t.Parallel()
	base := []trail.PoolReport{{Name: "level", Place: "start:115"}, {Name: "dispatch", Place: "start:112"}}
	got := named(base, []trail.PoolReport{{Name: "(*Service).Start", Place: "start:115", MaxAlive: 5, Modelled: true}, {Name: "dispatch", Place: "start:112", MaxAlive: 1, Modelled: true}, {Name: "other", MaxAlive: 2}})
	if all := staff(got); got[2].Name != "other" || !maps.Equal(all, map[string]int{"level": 5, "dispatch": 1}) {
		t.Errorf("pools are %+v, with so many threads %v", got, all)
	}
	twice := []trail.PoolReport{{Name: "one", Place: "start:115"}, {Name: "two", Place: "start:115"}}
	if got := named(base, twice); !slices.Equal(got, twice) {
		t.Errorf("of two that are started at one place, the names are %+v", got)
	}
}
