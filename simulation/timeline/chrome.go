package timeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"tierscope/simulation/des"
)

// WriteChrome writes the recording in the JSON object form of the trace event
// format, which ui.perfetto.dev opens. A group of tracks is a process, a lane
// one of its threads with complete events ("X"), a counter a series of counter
// events ("C"). Times are microseconds with three decimals, that is
// nanoseconds. The recording must be finished.
func (r *Recording) WriteChrome(w io.Writer) error {
	e := chrome{Writer: bufio.NewWriterSize(w, 1<<16), labels: make([][]byte, len(r.labels))}
	for i, text := range r.labels {
		e.labels[i] = quoted(text)
	}
	e.text(`{"displayTimeUnit":"ns","traceEvents":[`)
	for g, name := range groupNames {
		e.event("M", g, 0)
		e.text(`,"name":"process_name","args":{"name":` + string(quoted(name)) + `}}`)
		e.event("M", g, 0)
		e.text(`,"name":"process_sort_index","args":{"sort_index":` + strconv.Itoa(g) + `}}`)
	}
	for i, l := range r.Lanes {
		e.event("M", int(l.Group), i+1)
		e.text(`,"name":"thread_name","args":{"name":` + string(quoted(l.Name)) + `}}`)
		e.event("M", int(l.Group), i+1)
		e.text(`,"name":"thread_sort_index","args":{"sort_index":` + strconv.Itoa(i) + `}}`)
		for _, s := range l.Spans {
			e.span(l, i+1, s)
		}
	}
	for _, c := range r.Counters {
		name := quoted(c.Name)
		for _, s := range c.Steps {
			e.event("C", int(c.Group), 0)
			e.text(`,"name":`)
			e.bytes(name)
			e.text(`,"ts":`)
			e.micros(s.At)
			e.text(`,"args":{"value":` + strconv.FormatInt(s.Value, 10) + `}}`)
		}
	}
	e.text("\n]}\n")
	if err := e.Flush(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	return nil
}

// chrome writes events; the error of the writer sticks and comes with Flush.
type chrome struct {
	*bufio.Writer
	labels [][]byte
	number []byte
	events int
}

func (e *chrome) text(s string)  { _, _ = e.WriteString(s) }
func (e *chrome) bytes(b []byte) { _, _ = e.Write(b) }

// event begins an event.
func (e *chrome) event(phase string, process, thread int) {
	if e.events > 0 {
		e.text(",")
	}
	e.events++
	e.text("\n{\"ph\":\"" + phase + "\",\"pid\":" + strconv.Itoa(process+1) + ",\"tid\":" + strconv.Itoa(thread))
}

func (e *chrome) span(l *Lane, thread int, s Span) {
	e.event("X", int(l.Group), thread)
	e.text(`,"name":`)
	e.bytes(e.labels[s.Label])
	e.text(`,"cat":"` + s.State.String() + `","ts":`)
	e.micros(s.Start)
	e.text(`,"dur":`)
	e.micros(s.End - s.Start)
	if s.Task != NoTask {
		e.text(`,"args":{"task":` + strconv.FormatInt(s.Task, 10) + `}`)
	}
	e.text(`}`)
}

// micros writes a time in microseconds.
func (e *chrome) micros(t des.Time) {
	e.number = strconv.AppendInt(e.number[:0], int64(t/1000), 10)
	rest := int64(t % 1000)
	e.number = append(e.number, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	e.bytes(e.number)
}

// quoted returns a JSON string.
func quoted(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil { // a string always has a JSON form
		panic(err)
	}
	return b
}
