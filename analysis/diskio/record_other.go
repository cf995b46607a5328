//go:build !linux

package diskio

func recorders() []Recorder { return nil }
