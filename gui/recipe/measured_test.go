package recipe_test

import (
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/gui/recipe"
	"tierscope/measure/table"
)

func TestMeasurementsStandBesidePredictionsOfTheSameConfiguration(t *testing.T) {
	t.Parallel()
	csv := "run,scenario,workers,metric,of,stat,value,lo,hi,n,unit,flags\n" +
		"a,,4,R,class/task,mean,0.010,,,1,s,\nb,,4,R,class/task,mean,0.012,,,1,s,\nc,,4,R,class/task,mean,0.011,,,1,s,\n"
	seen, err := table.Read(strings.NewReader(csv), nil, []string{"workers", "rate"})
	if err != nil {
		t.Fatal(err)
	}
	all := recipe.FromMeasured(seen, &core.Model{Parameters: []core.Parameter{{Name: "workers", Default: 2}, {Name: "rate", Default: 60}}})
	if len(all) != 1 {
		t.Fatalf("%d observations, want 1 of one configuration and metric", len(all))
	}
	o := all[0]
	if o.Metric != "R class/task mean" || o.Value != 0.011 || o.N != 3 || !o.Measured {
		t.Errorf("observed %+v, want the median 11 ms of 3 runs", o)
	}
	if o.Configuration["workers"] != 4 || o.Configuration["rate"] != 60 {
		t.Errorf("the configuration is %v, want workers 4 as measured and rate 60 as in the model", o.Configuration)
	}
}

// A program on one core that is told so by GOMAXPROCS is not the one on two, which the model's default is.
func TestAMeasuredSettingIsTheParameterThatItSets(t *testing.T) {
	t.Parallel()
	csv := "run,scenario,GOMAXPROCS,metric,of,stat,value,lo,hi,n,unit,flags\na,,1,T,,mean,2,,,1,s,\n"
	seen, err := table.Read(strings.NewReader(csv), nil, []string{"cores"})
	if err != nil {
		t.Fatal(err)
	}
	m := core.Model{Parameters: []core.Parameter{{Name: "cores", Default: 2, How: "GOMAXPROCS={value}", Targets: []core.Target{{Path: "cpu/cores"}}}}}
	if got := recipe.FromMeasured(seen, &m)[0].Configuration; len(got) != 1 || got["cores"] != 1 {
		t.Errorf("the configuration is %v, want one core", got)
	}
}

func TestWhatWasMeasuredOfTheWholeProgramIsAboutItsTasks(t *testing.T) {
	t.Parallel()
	csv := "run,scenario,workers,metric,of,stat,value,lo,hi,n,unit,flags\n" +
		"a,,4,R,,mean,0.010,,,1,s,\na,,4,R,server,mean,0.008,,,1,s,\na,,4,T,,mean,2,,,1,s,\na,,4,U,cpu,mean,0.5,,,1,1,\n"
	seen, err := table.Read(strings.NewReader(csv), nil, []string{"workers"})
	if err != nil {
		t.Fatal(err)
	}
	request, job := core.Class{ID: "request"}, core.Class{ID: "job"}
	clients := []core.Source{{ID: "clients", Class: "request"}}
	for _, c := range []struct {
		m    *core.Model
		r    string // of the clients
		told string // by the server
	}{
		{nil, "class/task", "server"},
		{&core.Model{Classes: []core.Class{request}, Sources: clients}, "class/request", "server"},
		{&core.Model{Classes: []core.Class{job, request}, Sources: clients}, "class/request", "class/job"},
		{&core.Model{Classes: []core.Class{request, job, {ID: "log"}}, Sources: clients}, "class/request", "server"},
	} {
		var keys []string
		for _, o := range recipe.FromMeasured(seen, c.m) {
			keys = append(keys, o.Metric)
		}
		slices.Sort(keys)
		want := []string{"R " + c.r + " mean", "R " + c.told + " mean", "T program mean", "U cpu mean"}
		if slices.Sort(want); !slices.Equal(keys, want) {
			t.Errorf("measured %q, want %q", keys, want)
		}
	}
}
