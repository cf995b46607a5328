package diskio

// Usage is what getrusage(RUSAGE_THREAD) tells of an operation without any
// privilege: the bytes that its thread caused to be read, 0 for a cache hit.
type Usage struct {
	Operation
	Busy int64 // ns of the operation that the thread computed or waited for a core
	Read int64 // bytes
}

// UsageLacks is what cannot be seen that way.
func UsageLacks() []string {
	return []string{
		"how many requests an operation made: all that it read is taken for one",
		"how long a request waited in the scheduler's queue: all of an operation's time off the core is taken for service",
		"which requests were metadata or read-ahead, and read-ahead for which nobody waited",
		"writes and flushes: the kernel counts no disk writes for the thread that waits for them",
		"requests of other programs to the same disk",
	}
}

// FromUsage makes a log of what operations read, one request for each that
// read anything, all of one device.
func FromUsage(usage []Usage) Log {
	log := Log{Source: "getrusage", Clock: "monotonic"}
	for _, u := range usage {
		if u.Read <= 0 || u.End <= u.Start {
			continue
		}
		begin := min(u.Start+u.Busy, u.End-1)
		log.Requests = append(log.Requests, Request{Thread: u.Thread, Bytes: u.Read, Type: Read, Queued: begin, Issued: begin, Completed: u.End})
	}
	log.sort()
	return log
}
