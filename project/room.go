package project

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// roomInterval is how often a full disk is tried again.
const roomInterval = 5 * time.Second

// AwaitRoom calls write until it does not fail for want of room, for so long at most: somebody may make
// some, and work of a night is not given up for it. waits is called before each pause, with
// the error; the last error is returned, or that of ctx.
func AwaitRoom(ctx context.Context, patience time.Duration, write func() error, waits func(error)) error {
	began := time.Now()
	for {
		err := write()
		if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) || time.Since(began) >= patience {
			return err
		}
		waits(err)
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(min(roomInterval, patience-time.Since(began))):
		}
	}
}
