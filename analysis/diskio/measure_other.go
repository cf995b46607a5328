//go:build !linux

package diskio

import (
	"context"
	"errors"
	"time"
)

type fileSet struct {
	warnings []string
	realTime bool
}

func openFiles(context.Context, string, int64) (*fileSet, error) {
	return nil, errors.New("disks can be measured on Linux only")
}

func monotonic() int64 { return time.Now().UnixNano() }

func (s *fileSet) warm(context.Context) error { return nil }

func (s *fileSet) close() {}

func (s *fileSet) read(context.Context, *Point, int, time.Duration) error { return nil }

func (s *fileSet) readAndPause(context.Context, *Point, int, time.Duration, float64) error {
	return nil
}
