package diskio

import (
	"slices"
	"testing"
)

// A device interrupts an idle processor at 10; the completion is put off and done from 14
// to 20; a thread is interrupted by a device that completes at once, and by a clock.
func TestOnlyInterruptsThatCompleteRequestsCount(t *testing.T) {
	t.Parallel()
	var c interrupted
	for _, e := range []struct {
		name       string
		at, thread int64
	}{
		{"irq_handler_entry", 10, 0}, {"softirq_raise", 11, 0}, {"irq_handler_exit", 13, 0},
		{"softirq_entry", 14, 0}, {"block_rq_complete", 15, 0}, {"softirq_exit", 20, 0},
		{"irq_handler_entry", 30, 7}, {"block_rq_complete", 32, 7}, {"irq_handler_exit", 35, 7},
		{"irq_handler_entry", 40, 7}, {"irq_handler_exit", 49, 7},
		{"softirq_exit", 60, 7}, // its begin was before the recording
	} {
		c.see(e.name, e.at, e.thread)
	}
	if want := []Interrupt{{0, 10, 13}, {0, 14, 20}, {7, 30, 35}}; !slices.Equal(c.all, want) {
		t.Errorf("interrupts %v, want %v", c.all, want)
	}
}
