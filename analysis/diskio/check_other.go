//go:build !linux

package diskio

import (
	"context"
	"errors"
)

// Examine lets some threads do mixed operations, with and without a recording.
func Examine(context.Context, string, CheckOptions) (*Check, error) {
	return nil, errors.New("disks can be recorded on Linux only")
}
