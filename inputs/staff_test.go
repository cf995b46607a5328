package inputs

import (
	"testing"

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
