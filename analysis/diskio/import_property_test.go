package diskio

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// recording is requests and the events that a kernel would record of them.
type recording struct {
	requests []Request // that are complete, in order of issue
	events   []event   // in order of time
	lost     int       // requests without a completion
}

// flagsOf are the kernel's words for the types of requests, as blk_fill_rwbs writes them.
var flagsOf = map[string][]string{Read: {"R", "RS"}, Metadata: {"RM", "RSM"}, ReadAhead: {"RA"}, Write: {"W", "WS", "WFS"}}

// drawRecording draws requests to two devices, each for sectors of its own, which overlap in time in
// any way. Some are made of two bios, some are completed in two parts, some wait in no queue of a
// scheduler, some are not complete when the recording ends.
func drawRecording(t *rapid.T) recording {
	var rec recording
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	used := map[int64]bool{}
	after := func(at int64) int64 { // no two events at one time
		for at += 1 + r.Int64N(50_000); used[at]; at++ {
		}
		used[at] = true
		return at
	}
	kinds := []string{Read, Metadata, ReadAhead, Write}
	for i := range rapid.IntRange(1, 40).Draw(t, "requests") {
		sectors := 2 + r.Int64N(64)
		q := Request{Thread: 1000 + r.Int64N(5), Device: 8<<20 | uint64(r.IntN(2)), Sector: uint64(i)*1000 + r.Uint64N(100), Bytes: 512 * sectors,
			Type: kinds[r.IntN(len(kinds))], Queued: after(1e9 + r.Int64N(3_000_000))}
		rwbs := flagsOf[q.Type][r.IntN(len(flagsOf[q.Type]))]
		add := func(a action, at int64, from, n int64, thread int64) {
			rec.events = append(rec.events, event{a, at, q.Device, q.Sector + uint64(from), 512 * n, rwbs, thread})
		}
		now, first := q.Queued, sectors
		if r.IntN(4) == 0 { // two bios, merged; the second may be another thread's
			first = 1 + r.Int64N(sectors-1)
			now = after(now)
			add(queued, now, first, sectors-first, 999)
		}
		add(queued, q.Queued, 0, first, q.Thread)
		if r.IntN(4) > 0 {
			now = after(now)
			q.Inserted = now
			add(inserted, now, 0, sectors, q.Thread)
		}
		q.Issued = after(now)
		add(issued, q.Issued, 0, sectors, 7) // by whoever ran
		now = q.Issued
		if r.IntN(4) == 0 { // in two parts
			part := 1 + r.Int64N(sectors-1)
			now = after(now)
			add(completed, now, 0, part, 0)
			now = after(now)
			if r.IntN(8) == 0 {
				rec.lost++
				continue
			}
			add(completed, now, part, sectors-part, 0)
		} else {
			if r.IntN(8) == 0 {
				rec.lost++
				continue
			}
			now = after(now)
			add(completed, now, 0, sectors, 0)
		}
		q.Completed = now
		rec.requests = append(rec.requests, q)
	}
	slices.SortFunc(rec.events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	slices.SortFunc(rec.requests, func(a, b Request) int { return cmp.Compare(a.Issued, b.Issued) })
	return rec
}

// blkparse writes the events as blkparse(1) does.
func (rec recording) blkparse() string {
	var b strings.Builder
	for i, e := range rec.events {
		fmt.Fprintf(&b, "%3d,%-3d %2d %8d %5d.%09d %5d  %c %3s %d + %d [x]\n", e.device>>20, e.device&0xfffff, i%4, i+1,
			e.time/1e9, e.time%1e9, e.thread, "QIDCR"[e.action], e.rwbs, e.sector, e.bytes/512)
	}
	return b.String()
}

// perf writes them as perf script does.
func (rec recording) perf() string {
	var b strings.Builder
	for i, e := range rec.events {
		name := map[action]string{queued: "bio_queue", inserted: "rq_insert", issued: "rq_issue", completed: "rq_complete"}[e.action]
		middle := map[action]string{inserted: fmt.Sprint(e.bytes, " () "), issued: fmt.Sprint(e.bytes, " () "), completed: "() "}[e.action]
		fmt.Fprintf(&b, "x %d [%03d] %d.%09d: block:block_%s: %d,%d %s %s%d + %d [x]\n", e.thread, i%4, e.time/1e9, e.time%1e9, name,
			e.device>>20, e.device&0xfffff, e.rwbs, middle, e.sector, e.bytes/512)
	}
	return b.String()
}

// blktrace writes them as blktrace(8) does, one file per processor, with payloads and records of
// no interest between them.
func (rec recording) blktrace(order binary.ByteOrder) []io.Reader {
	codes := map[action]uint32{queued: traceQueue, inserted: traceInsert, issued: traceIssue, completed: traceComplete}
	flags := map[rune]uint32{'W': categoryWrite, 'S': categorySync, 'M': categoryMeta, 'A': categoryAhead, 'F': categoryFUA}
	files := make([]bytes.Buffer, 3)
	for i, e := range rec.events {
		x := blktraceRecord{Magic: blktraceMagic | blktraceVersion, Sequence: uint32(i), Time: uint64(e.time), Sector: e.sector, Bytes: uint32(e.bytes),
			Action: codes[e.action], PID: uint32(e.thread), Device: uint32(e.device), CPU: uint32(i % 3), PayloadLength: uint16(i % 5)}
		for _, c := range e.rwbs {
			x.Action |= flags[c]
		}
		f := &files[i%3]
		if i%7 == 0 {
			_ = binary.Write(f, order, &blktraceRecord{Magic: x.Magic, Action: categoryNotify})
		}
		_ = binary.Write(f, order, &x)
		f.Write(make([]byte, x.PayloadLength))
	}
	readers := make([]io.Reader, len(files))
	for i := range files {
		readers[i] = &files[i]
	}
	return readers
}

// What is written in the format of a tool is read as it was, by each reader: as many requests as were
// completed, each with its times, thread, place and type; those without an end are told. The zero of
// blkparse's clock is arbitrary.
func TestReadersGiveBackWhatWasRecorded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rec := drawRecording(t)
		for name, read := range map[string]func() (Log, error){
			"blkparse":               func() (Log, error) { return ReadBlkparse(strings.NewReader(rec.blkparse())) },
			"perf":                   func() (Log, error) { return ReadPerf(strings.NewReader(rec.perf())) },
			"blktrace":               func() (Log, error) { return ReadBlktrace(rec.blktrace(binary.LittleEndian)...) },
			"blktrace of big endian": func() (Log, error) { return ReadBlktrace(rec.blktrace(binary.BigEndian)...) },
		} {
			log, err := read()
			if (err != nil) != (len(rec.requests) == 0) {
				t.Fatalf("%s: %d requests: %v", name, len(rec.requests), err)
			}
			if name == "blkparse" {
				for i := range log.Requests {
					q := &log.Requests[i]
					for _, at := range []*int64{&q.Queued, &q.Inserted, &q.Issued, &q.Completed} {
						*at = max(0, *at-1)
					}
				}
			}
			if !slices.Equal(log.Requests, rec.requests) {
				t.Fatalf("%s: read %+v, recorded %+v", name, log.Requests, rec.requests)
			}
			want := fmt.Sprintf("%d requests have no completion in the recording", rec.lost)
			if slices.Contains(log.Warnings, want) != (rec.lost > 0) {
				t.Fatalf("%s: %d requests without an end, and the warnings are %q", name, rec.lost, log.Warnings)
			}
		}
	})
}

// A file that ends anywhere tells requests that were made, and no others.
func TestACutRecordingInventsNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rec := drawRecording(t)
		text := rec.perf()
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		log, err := ReadPerf(strings.NewReader(text[:cut]))
		if (err != nil) != (len(log.Requests) == 0) {
			t.Fatalf("%d requests and the error %v", len(log.Requests), err)
		}
		for _, q := range log.Requests {
			if !slices.Contains(rec.requests, q) {
				t.Fatalf("%+v was not recorded", q)
			}
		}
		var whole bytes.Buffer
		_, _ = io.Copy(&whole, rec.blktrace(binary.LittleEndian)[0])
		end := rapid.IntRange(0, whole.Len()).Draw(t, "end")
		events, err := appendBlktrace(nil, bytes.NewReader(whole.Bytes()[:end]))
		if err != nil && !strings.Contains(err.Error(), "is cut short") {
			t.Fatal(err)
		}
		for _, e := range events {
			if !slices.ContainsFunc(rec.events, func(o event) bool { return o.time == e.time && o.sector == e.sector && o.action == e.action }) {
				t.Fatalf("%+v was not recorded", e)
			}
		}
	})
}
