package diskio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// longest line of a text trace that is read.
const longestLine = 1 << 16

// ErrNoRequests says that a file holds no complete request.
var ErrNoRequests = errors.New("no complete disk request in it")

// ReadBlkparse reads the text that blkparse(1) prints in its default format:
//
//	8,0    3       11     0.009507758   697  C   W 223490 + 8 [0]
//
// that is device, CPU, sequence, seconds since the begin of the trace, process,
// action, flags, sector + sectors. Other lines, such as the summary at the end,
// are skipped. It returns an error that wraps ErrNoRequests for a text that is
// something else.
func ReadBlkparse(r io.Reader) (Log, error) {
	return readLines(r, "blkparse", "relative", parseBlkparse)
}

// ReadPerf reads the block events in the text of perf script or of the kernel's
// own trace file:
//
//	fio  812 [001] 95.123456789: block:block_rq_issue: 254,0 R 4096 () 12345 + 8 none,0,0 [fio]
//	fio-812 [001] d..1. 95.123456: block_rq_complete: 254,0 R () 12345 + 8 [0]
//
// Times are those of the trace's clock; with nanoseconds if perf script was
// told --ns.
func ReadPerf(r io.Reader) (Log, error) {
	return readLines(r, "perf script", "monotonic", parsePerf)
}

// mostOther is how many lines about something else may come before the first about a disk: a file that has more is no log,
// and may have no end.
const mostOther = 1_000_000

// readLines makes a log of the events that parse finds in lines.
func readLines(r io.Reader, source, clock string, parse func(line string) (event, bool)) (Log, error) {
	a := newAssembler(source, clock)
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 4096), longestLine)
	lines, events, last, disorder := 0, 0, int64(0), 0
	for (events > 0 || lines < mostOther) && s.Scan() {
		lines++
		e, ok := parse(s.Text())
		if !ok {
			continue
		}
		events++
		if e.time < last {
			disorder++
		}
		last = e.time
		a.add(e)
	}
	if err := s.Err(); err != nil {
		return Log{}, fmt.Errorf("%s: line %d: %w", source, lines+1, err)
	}
	log := a.finish()
	if len(log.Requests) == 0 {
		return log, fmt.Errorf("%s: %d lines read: %w", source, lines, ErrNoRequests)
	}
	if disorder > 0 {
		log.Warnings = append(log.Warnings, fmt.Sprintf("%d lines are out of order of time: sort them for exact queue lengths", disorder))
	}
	return log, nil
}

func parseBlkparse(line string) (event, bool) {
	f := strings.Fields(line)
	if len(f) < 8 {
		return event{}, false
	}
	var e event
	var ok bool
	switch f[5] {
	case "Q":
		e.action = queued
	case "I":
		e.action = inserted
	case "D":
		e.action = issued
	case "C":
		e.action = completed
	case "R":
		e.action = requeued
	default:
		return event{}, false
	}
	if e.device, ok = device(f[0]); !ok {
		return event{}, false
	}
	if e.time, ok = seconds(f[3]); !ok {
		return event{}, false
	}
	thread, err := strconv.ParseInt(f[4], 10, 32)
	if err != nil {
		return event{}, false
	}
	e.time++ // the first is at 0, which would mean not recorded; the zero is arbitrary anyhow
	e.thread, e.rwbs = thread, f[6]
	if len(f) > 8 && f[8] == "+" {
		e.sector, e.bytes, ok = extent512(f[7:])
		return e, ok
	}
	return e, strings.HasPrefix(f[len(f)-1], "[") && len(f) <= 9 // a flush: "[process]" or "0 [0]"
}

// perfActions are the tracepoints that matter.
var perfActions = map[string]action{
	"block_bio_queue": queued, "block_rq_insert": inserted, "block_rq_issue": issued,
	"block_rq_complete": completed, "block_rq_requeue": requeued,
}

func parsePerf(line string) (event, bool) {
	at := strings.Index(line, "block_")
	if at < 0 {
		return event{}, false
	}
	name, rest, ok := strings.Cut(line[at:], ":")
	a, known := perfActions[name]
	if !ok || !known {
		return event{}, false
	}
	head := strings.Fields(strings.TrimSuffix(line[:at], "block:"))
	e := event{action: a}
	cpu := -1
	for i, w := range head {
		if len(w) > 2 && w[0] == '[' && w[len(w)-1] == ']' {
			cpu = i
		}
	}
	if cpu < 1 || cpu+1 >= len(head) {
		return event{}, false
	}
	pid := head[cpu-1]
	if i := strings.LastIndexAny(pid, "-/"); i >= 0 { // comm-pid, pid/tid
		pid = pid[i+1:]
	}
	thread, err := strconv.ParseInt(pid, 10, 32)
	if err != nil {
		return event{}, false
	}
	e.thread = thread
	if e.time, ok = seconds(strings.TrimSuffix(head[len(head)-1], ":")); !ok {
		return event{}, false
	}
	f := strings.Fields(rest)
	if len(f) < 5 {
		return event{}, false
	}
	if e.device, ok = device(f[0]); !ok {
		return event{}, false
	}
	e.rwbs = f[1]
	for i := 3; i+1 < len(f); i++ {
		if f[i] == "+" {
			e.sector, e.bytes, ok = extent512(f[i-1:])
			return e, ok
		}
	}
	return event{}, false
}

// device reads "major,minor".
func device(text string) (uint64, bool) {
	major, minor, ok := strings.Cut(text, ",")
	a, err1 := strconv.ParseUint(major, 10, 12)
	b, err2 := strconv.ParseUint(minor, 10, 20)
	return a<<20 | b, ok && err1 == nil && err2 == nil
}

// seconds reads "12.345678901" as ns.
func seconds(text string) (int64, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 9 {
		fraction = fraction[:9]
	}
	s, err1 := strconv.ParseUint(whole, 10, 33)
	ns, err2 := strconv.ParseUint(fraction+strings.Repeat("0", 9-len(fraction)), 10, 32)
	return int64(s*1e9 + ns), err1 == nil && err2 == nil
}

// extent512 reads "sector + sectors"; a flush has neither.
func extent512(f []string) (sector uint64, bytes int64, ok bool) {
	if len(f) < 3 || f[1] != "+" {
		return 0, 0, false
	}
	sector, err1 := strconv.ParseUint(f[0], 10, 64)
	if f[0] == "18446744073709551615" { // −1: none
		sector = 0
	}
	n, err2 := strconv.ParseInt(f[2], 10, 32)
	return sector, n * 512, err1 == nil && err2 == nil && n >= 0 && sector < 1<<54
}
