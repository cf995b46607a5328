package diskio

import (
	"cmp"
	"slices"
)

// Types of requests, as core.RequestType names them.
const (
	Read      = "read"
	Metadata  = "metadata"
	ReadAhead = "readahead"
	Write     = "write"
	Flush     = "flush"
)

// Request is one request to a block device. Times are nanoseconds of the log's
// clock; a time that was not recorded is 0.
type Request struct {
	Thread    int64  // that asked for it; 0: unknown
	Device    uint64 // major<<20 | minor, as the kernel's dev_t
	Sector    uint64 // first, of 512 bytes
	Bytes     int64
	Type      string
	Queued    int64 // a thread asked for it
	Inserted  int64 // it entered the scheduler's queue
	Issued    int64 // the device got it
	Completed int64
}

// Wait is the time in the scheduler's queue, ns; 0 when it was dispatched
// without being queued.
func (r *Request) Wait() int64 {
	if r.Inserted == 0 {
		return 0
	}
	return r.Issued - r.Inserted
}

// Service is the time in the device, ns.
func (r *Request) Service() int64 { return r.Completed - r.Issued }

// Log is a recording of the requests of one or more devices, in order of issue.
type Log struct {
	Source   string // which recorder or file
	Clock    string // "monotonic", or "relative" when its zero is unknown
	Requests []Request
	Devices  []Device // that the requests went to, as far as known
	Calls    []Call   // system calls on files, if they were asked for, in order of their ends
	Warnings []string

	Interrupts []Interrupt // if they were asked for, those of one processor after the other
}

// Device is a disk and the settings of the kernel that decide which requests
// it gets.
type Device struct {
	Number    uint64 // as Request.Device
	Name      string // "sda"
	Scheduler string `json:",omitempty"`
	ReadAhead int64  `json:",omitempty"` // bytes that the kernel reads ahead at most
	Sectors   int64  `json:",omitempty"` // of 512 bytes
}

// sort puts the requests in order of issue.
func (l *Log) sort() {
	slices.SortStableFunc(l.Requests, func(a, b Request) int { return cmp.Compare(a.Issued, b.Issued) })
}

// TypeOf returns the type of a request by the kernel's rwbs flags (blk_fill_rwbs):
// an optional F (preflush), the operation R, W, D, N or F, then F (force unit
// access), A (read-ahead), S (synchronous), M (metadata). It returns "" for what
// moves no data, such as a discard.
func TypeOf(rwbs string, bytes int64) string {
	operation, flags := byte(0), rwbs
	if len(flags) > 1 && flags[0] == 'F' {
		if bytes == 0 || flags[1] == 'F' {
			return Flush
		}
		flags = flags[1:]
	}
	if len(flags) > 0 {
		operation, flags = flags[0], flags[1:]
	}
	switch operation {
	case 'F':
		return Flush
	case 'W':
		return Write
	case 'R':
		for _, f := range flags {
			switch f {
			case 'A':
				return ReadAhead
			case 'M':
				return Metadata
			}
		}
		return Read
	}
	return ""
}
