package main

import (
	"reflect"
	"testing"

	"github.com/spf13/cobra"

	"tierscope/analysis/trace"
)

// A model remembers the load of the run that it was made from. Measuring it for
// two seconds instead of ten changes the length and nothing else.
func TestFlagsOfTheLoadChangeThatOfTheModel(t *testing.T) {
	t.Parallel()
	before := trace.Load{URL: "http://localhost:1/", Targets: []string{"/a"}, Rate: 300, Warmup: 2, Duration: 10, Seed: 7}
	shorter := before
	shorter.Warmup, shorter.Duration = 0.5, 2
	posts := before
	posts.Headers, posts.Body = []string{"A: b"}, "text"
	for _, c := range []struct {
		flags  []string
		before *trace.Load
		want   *trace.Load
	}{
		{nil, &before, &before},
		{nil, nil, nil},
		{[]string{"--load-warmup", "500ms", "--load-duration", "2s"}, &before, &shorter},
		{[]string{"--load-header", "A: b", "--load-body", "text"}, &before, &posts},
		{[]string{"--load-url", "http://other/"}, &before, &trace.Load{URL: "http://other/", Warmup: 1, Duration: 10, Seed: 1}},
	} {
		var l driveFlags
		cmd := &cobra.Command{}
		l.flags(cmd)
		if err := cmd.ParseFlags(c.flags); err != nil {
			t.Fatal(err)
		}
		got, err := l.change(cmd.Flags().Changed, c.before)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: the load is %+v (%v), want %+v", c.flags, got, err, c.want)
		}
	}
	var l driveFlags
	cmd := &cobra.Command{}
	l.flags(cmd)
	if err := cmd.ParseFlags([]string{"--load-rate", "5/s"}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.change(cmd.Flags().Changed, nil); err == nil {
		t.Error("a rate without a server is accepted")
	}
}
