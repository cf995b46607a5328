package main

import (
	"fmt"
	"syscall"
	"time"
)

// flush tells the device to write its log out. It has no way to answer, so it gets
// time to obey.
func (f *tryFlags) flush() error {
	if err := syscall.Kill(f.device, syscall.SIGUSR2); err != nil {
		return fmt.Errorf("--device %d: %w", f.device, err)
	}
	time.Sleep(300 * time.Millisecond)
	return nil
}
