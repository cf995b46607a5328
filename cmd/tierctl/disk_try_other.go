//go:build !linux

package main

import "errors"

func (*tryFlags) flush() error {
	return errors.New("--device: disks are recorded on Linux only")
}
