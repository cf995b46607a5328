package background

import (
	"slices"
	"testing"
)

// Of a hundred moves before the window comes round the first and the last are followed, none is lost after it has, and none that
// was forgotten comes back.
func TestOnlyTheLatestMoveIsFollowed(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	var got []int
	moves := NewLatest(r, func(v int) { got = append(got, v) })
	for v := range 100 {
		moves.Follow(v)
	}
	r.Settle()
	moves.Follow(100)
	r.Settle()
	moves.Follow(101)
	moves.Follow(102)
	moves.Forget()
	r.Settle()
	moves.Follow(103)
	if want := []int{0, 99, 100, 101, 103}; !slices.Equal(got, want) {
		t.Errorf("it followed %v, want %v", got, want)
	}
}
