package variate_test

import (
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// Drawing ahead of need is a matter of speed: the times are those that are drawn
// one by one, also in the tail of the law and where a time below a microsecond is
// rounded at random.
func TestTimesDrawnAheadAreThoseDrawnOneByOne(t *testing.T) {
	t.Parallel()
	for _, d := range []core.Distribution{
		{Kind: core.Exponential, Mean: 1}, {Kind: core.Exponential, Mean: 3e-7}, {Kind: core.Exponential, Mean: 0},
		{Kind: core.Constant, Value: 2}, {Kind: core.Constant, Value: 1.5e-9}, {Kind: core.Uniform, Min: 1, Max: 2},
	} {
		for _, others := range []bool{false, true} {
			s := variate.Compile(d, 1)
			one, other := des.NewStream(5, 0, 0), des.NewStream(5, 0, 0)
			ahead := variate.NewAhead(&s, nil, &other, others)
			for i := range 100_000 {
				if got, want := ahead.Time(), s.Time(&one); got != want {
					t.Fatalf("%s: time %d is %v, want %v", d.Kind, i, got, want)
				}
			}
		}
	}
}
