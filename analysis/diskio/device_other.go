//go:build !linux

package diskio

import "errors"

// DeviceOf returns the disk that holds a file or folder.
func DeviceOf(string) (uint64, error) {
	return 0, errors.New("disks can be told on Linux only")
}
