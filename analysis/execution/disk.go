package execution

import (
	"errors"
	"fmt"
	"strings"

	"tierscope/analysis/diskio"
	"tierscope/analysis/trace"
)

// DiskRecorder chooses how the requests to disks are recorded; nil: diskio.Choose. An
// error that wraps diskio.ErrNoRecorder makes do with what the probes themselves can
// ask of the kernel, which needs no privilege.
type DiskRecorder func() (diskio.Recorder, error)

// DiskRecording is a recording of the disks under way, or the lack of one.
type DiskRecording struct {
	recorder  diskio.Recorder // nil: there is none
	recording diskio.Recording
	why       error
}

// RecordDisk begins to record.
func RecordDisk(choose DiskRecorder) (*DiskRecording, error) {
	if choose == nil {
		choose = diskio.Choose
	}
	r, err := choose()
	if errors.Is(err, diskio.ErrNoRecorder) {
		return &DiskRecording{why: err}, nil
	}
	if err != nil {
		return nil, err
	}
	recording, err := r.Start(diskio.Scope{})
	if err != nil {
		return nil, fmt.Errorf("record the disk: %w", err)
	}
	return &DiskRecording{recorder: r, recording: recording}, nil
}

// Stop ends the recording.
func (d *DiskRecording) Stop() (diskio.Log, error) {
	if d.recording == nil {
		return diskio.Log{}, nil
	}
	return d.recording.Stop()
}

// OfProgram returns the requests to the disks that the program's threads used,
// in the trace's clock, which began at zero. Requests of other programs to them
// stay: the program had to wait for them. Those before it started, of what
// prepares a run, do not.
// Times are ns of CLOCK_MONOTONIC.
func (d *DiskRecording) OfProgram(log diskio.Log, t *trace.Trace, zero int64) trace.DiskRecording {
	if d.recorder == nil {
		return trace.DiskRecording{Lacks: []string{strings.ReplaceAll(d.why.Error(), "\n", "; ")}}
	}
	threads := map[int64]bool{}
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			threads[int64(r.OS)] = true
		}
	}
	delete(threads, 0)
	devices := map[uint64]bool{}
	for _, r := range log.Requests {
		devices[r.Device] = devices[r.Device] || threads[r.Thread]
	}
	out := trace.DiskRecording{Recorder: d.recorder.Name(), Lacks: d.recorder.Lacks()}
	for _, r := range log.Requests {
		if !devices[r.Device] || r.Issued < zero {
			continue
		}
		for _, at := range []*int64{&r.Queued, &r.Inserted, &r.Issued, &r.Completed} {
			if *at != 0 {
				*at -= zero
			}
		}
		out.Requests = append(out.Requests, r)
	}
	for _, dev := range log.Devices {
		if devices[dev.Number] {
			out.Devices = append(out.Devices, dev)
		}
	}
	return out
}
