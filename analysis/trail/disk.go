package trail

import (
	"tierscope/analysis/diskio"
	"tierscope/core"
)

// DiskTrace is what the disks did for the program: requests, and the executions
// of I/O fragments that they belong to (Tarvo & Reiss 2014, §4.3.2).
type DiskTrace struct {
	Requests []diskio.Request
	Devices  []diskio.Device
	Disks    map[uint64]string // by device: the disk of the model; without an entry it is not modelled
	Models   []core.Disk
	Foreign  int
	Lost     int
}

// DiskRequest is a request of one execution of an I/O fragment.
type DiskRequest struct {
	Index int  // into diskTrace.requests
	Late  bool // the thread did not wait for it
}
