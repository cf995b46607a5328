package timeline

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tierscope/simulation/des"
)

// Write writes the recording in the format that the name of a file asks for: ".json" is that of
// WriteChrome, all others are WritePerfetto's.
func (r *Recording) Write(w io.Writer, name string) error {
	if strings.EqualFold(filepath.Ext(name), ".json") {
		return r.WriteChrome(w)
	}
	return r.WritePerfetto(w)
}

// WritePerfetto writes the recording as a Perfetto trace of track events (google/perfetto,
// protos/perfetto/trace), for ui.perfetto.dev and trace_processor. A group of tracks is a process,
// a lane a thread of it with a slice for each span, a counter a counter track; times are ns.
//
// Flows are arrows: those of a task lead from each thread that works on it to the next, those of
// a wake-up from the span in which a thread let another one go on to what that one did then. The recording
// must be finished.
func (r *Recording) WritePerfetto(w io.Writer) error {
	p := perfetto{out: bufio.NewWriterSize(w, 1<<16), rec: r}
	p.descriptors()
	flows := r.flows()
	for i, l := range r.Lanes {
		for j, s := range l.Spans {
			p.slice(trackOf(i), s, flows[spanAt{i, j}])
		}
	}
	for i, c := range r.Counters {
		for _, s := range c.Steps {
			var e message
			e.number(fieldType, typeCounter)
			e.number(fieldTrack, trackOf(len(r.Lanes)+i))
			e.number(fieldCounterValue, uint64(s.Value))
			p.packet(s.At, e)
		}
	}
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	return nil
}

// Fields and values of the published schema that a trace uses, by message.
const (
	fieldPacket = 1 // Trace

	fieldTimestamp   = 8 // TracePacket
	fieldSequence    = 10
	fieldTrackEvent  = 11
	fieldInterned    = 12
	fieldSequenceIs  = 13
	fieldDescriptor  = 60
	stateCleared     = 1 // SequenceFlags
	needsState       = 2
	fieldCategories  = 1 // InternedData
	fieldEventNames  = 2
	fieldIID         = 1 // EventCategory, EventName
	fieldInternedIs  = 2
	fieldUUID        = 1 // TrackDescriptor
	fieldTrackName   = 2
	fieldProcess     = 3
	fieldThread      = 4
	fieldParent      = 5
	fieldCounter     = 8
	fieldPid         = 1 // ProcessDescriptor, ThreadDescriptor
	fieldProcessName = 6
	fieldTid         = 2
	fieldThreadName  = 5

	fieldCategoryIID  = 3 // TrackEvent
	fieldAnnotations  = 4
	fieldType         = 9
	fieldNameIID      = 10
	fieldTrack        = 11
	fieldCounterValue = 30
	fieldFlows        = 47
	typeBegin         = 1
	typeEnd           = 2
	typeCounter       = 4

	fieldAnnotation = 10 // DebugAnnotation
	fieldInt        = 4
)

// spanAt is a span by its lane and its place there.
type spanAt struct{ lane, span int }

// wakeups is from where the flows of wake-ups are numbered; those of tasks have the task's number and one.
const wakeups = 1 << 62

// flows returns the flows that lead through spans.
func (r *Recording) flows() map[spanAt][]uint64 {
	out := map[spanAt][]uint64{}
	index := map[*Lane]int{}
	for i, l := range r.Lanes {
		index[l] = i
	}
	woken := uint64(wakeups)
	for i, l := range r.Lanes {
		if l.Group != Threads {
			continue
		}
		last := NoTask
		for j, s := range l.Spans {
			if s.Task != NoTask && s.Task != last {
				out[spanAt{i, j}] = append(out[spanAt{i, j}], uint64(s.Task)+1)
			}
			last = s.Task
		}
		for _, w := range l.woken {
			j, goesOn := l.index(w.at)
			k, seen := w.by.index(w.at - 1)
			if !goesOn || !seen {
				continue
			}
			woken++
			for _, at := range []spanAt{{index[w.by], k}, {i, j}} {
				out[at] = append(out[at], woken)
			}
		}
	}
	return out
}

// message is a protocol buffer that grows.
type message []byte

func (m *message) key(field, wire uint64) { *m = binary.AppendUvarint(*m, field<<3|wire) }

// number appends a varint field.
func (m *message) number(field, v uint64) {
	m.key(field, 0)
	*m = binary.AppendUvarint(*m, v)
}

// fixed appends a field of 64 bits.
func (m *message) fixed(field, v uint64) {
	m.key(field, 1)
	*m = binary.LittleEndian.AppendUint64(*m, v)
}

// text appends a string, or a message within.
func (m *message) text(field uint64, s []byte) {
	m.key(field, 2)
	*m = binary.AppendUvarint(*m, uint64(len(s)))
	*m = append(*m, s...)
}

// perfetto writes packets; the error of the writer sticks and comes with Flush.
type perfetto struct {
	out *bufio.Writer
	rec *Recording
}

// sequence is the one that all packets belong to.
const sequence = 1

// trackOf is the identifier of a lane, or of a counter, which follow the lanes; processes come before.
func trackOf(i int) uint64 { return uint64(len(groupNames) + 1 + i) }

func (p *perfetto) write(packet message) {
	var trace message
	trace.text(fieldPacket, packet)
	_, _ = p.out.Write(trace)
}

// packet writes a track event.
func (p *perfetto) packet(at des.Time, event message) {
	var m message
	m.number(fieldTimestamp, uint64(at))
	m.number(fieldSequence, sequence)
	m.number(fieldSequenceIs, needsState)
	m.text(fieldTrackEvent, event)
	p.write(m)
}

// descriptors writes the names of everything, and its tracks.
func (p *perfetto) descriptors() {
	var names, first message
	entry := func(field uint64, i int, text string) {
		var e message
		e.number(fieldIID, uint64(i+1))
		e.text(fieldInternedIs, []byte(text))
		names.text(field, e)
	}
	for i, name := range stateNames {
		entry(fieldCategories, i, name)
	}
	for i, name := range p.rec.labels {
		entry(fieldEventNames, i, name)
	}
	first.number(fieldSequence, sequence)
	first.number(fieldSequenceIs, stateCleared)
	first.text(fieldInterned, names)
	p.write(first)
	track := func(uuid uint64, fill func(*message)) {
		var d, m message
		d.number(fieldUUID, uuid)
		fill(&d)
		m.number(fieldSequence, sequence)
		m.text(fieldDescriptor, d)
		p.write(m)
	}
	for g, name := range groupNames {
		track(uint64(g+1), func(d *message) {
			var process message
			process.number(fieldPid, uint64(g+1))
			process.text(fieldProcessName, []byte(name))
			d.text(fieldProcess, process)
		})
	}
	for i, l := range p.rec.Lanes {
		track(trackOf(i), func(d *message) {
			var thread message
			thread.number(fieldPid, uint64(l.Group)+1)
			thread.number(fieldTid, trackOf(i))
			thread.text(fieldThreadName, []byte(l.Name))
			d.text(fieldThread, thread)
		})
	}
	for i, c := range p.rec.Counters {
		track(trackOf(len(p.rec.Lanes)+i), func(d *message) {
			d.text(fieldTrackName, []byte(c.Name))
			d.number(fieldParent, uint64(c.Group)+1)
			d.text(fieldCounter, nil)
		})
	}
}

// slice writes the two events of a span.
func (p *perfetto) slice(track uint64, s Span, flows []uint64) {
	var begin, end message
	begin.number(fieldType, typeBegin)
	begin.number(fieldTrack, track)
	begin.number(fieldCategoryIID, uint64(s.State)+1)
	begin.number(fieldNameIID, uint64(s.Label)+1)
	if s.Task != NoTask {
		var note message
		note.text(fieldAnnotation, []byte("task"))
		note.number(fieldInt, uint64(s.Task))
		begin.text(fieldAnnotations, note)
	}
	for _, f := range flows {
		begin.fixed(fieldFlows, f)
	}
	p.packet(s.Start, begin)
	end.number(fieldType, typeEnd)
	end.number(fieldTrack, track)
	p.packet(s.End, end)
}
