package background

import (
	"context"
	"slices"
	"testing"
)

// Of ten positions of one knob the first is given up and the last is worked out, and another knob has its turn as well; never
// two at a time, and what is under way is not begun again.
func TestOnlyTheLatestOfANameIsWorkedOut(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	turns := NewTurns[int](r)
	var begun, got []int
	ask := func(name string, v int) {
		turns.Ask(name, string(rune('0'+v)), func(ctx context.Context) int {
			r.Post(func() { begun = append(begun, v) })
			if v == 0 {
				<-ctx.Done()
			}
			return v
		}, func(v int) { got = append(got, v) })
	}
	for v := range 10 {
		ask("workers", v)
		ask("rate", 42)
	}
	ask("workers", 9)
	if !turns.Busy() {
		t.Error("nothing is under way")
	}
	r.Settle()
	if want := []int{9, 42}; !slices.Equal(got, want) && !slices.Equal(got, []int{42, 9}) {
		t.Errorf("it came to %v, want %v", got, want)
	}
	if len(begun) != 3 {
		t.Errorf("begun are %v, want the first and the last of one and the other", begun)
	}
	ask("workers", 9)
	r.Settle()
	if len(got) != 3 || turns.Busy() {
		t.Errorf("asked again it came to %v", got)
	}
}
